"""The tables of a link one by one, for whoever is on duty: which are refused, missing, late or slow.

Of several servers each knows only the tables that said hello to it. One that said its last hello to another is not
missed here: while its rounds go on it is well, and after that this process does not know.
"""

from typing import Final

from jackpot.web.duty_facts import Fact, length_of_time
from jackpot.web.duty_samples import Sample

__all__ = ["tables_one_by_one"]

ROUND_OPEN_S: Final = 600
SKEW_S: Final = 5
TABLE_LATE_S: Final = 3_600
"""A table that left after a round within the last hour was in play; one that is closed is not late."""
PLAYS_S: Final = 600
"""A table whose last round ended within this plays somewhere: a round is posted over a connection."""


def tables_one_by_one(now: Sample, link: str) -> list[Fact]:
    """Return what is to be said of single tables."""
    connected = {key["table"]: bool(here) for key, here in now.of("jackpot_table_connected", link=link)}
    refused = [key["table"] for key, linked in now.of("jackpot_table_linked", link=link) if not linked]
    facts = [
        Fact(f"Table {table}", "refused: see its terms", "linked", "warn") for table in refused if connected.get(table)
    ]
    facts += _missing(now, link, connected)
    for key, open_s in now.of("jackpot_table_round_open_seconds", link=link):
        if open_s > ROUND_OPEN_S:
            limit = length_of_time(ROUND_OPEN_S)
            facts.append(Fact(f"Table {key['table']}", f"round open {length_of_time(open_s)}", limit, "warn"))
    for key, skew in now.of("jackpot_table_clock_skew_seconds", link=link):
        if abs(skew) > SKEW_S:
            facts.append(Fact(f"Table {key['table']}", f"clock {skew:+.0f} s", f"±{SKEW_S} s", "warn"))
    return facts


def _missing(now: Sample, link: str, connected: dict[str, bool]) -> list[Fact]:
    """Return the tables that are not connected to this process."""
    elsewhere = {key["table"] for key, away in now.of("jackpot_table_elsewhere", link=link) if away}
    played = {key["table"]: since_s for key, since_s in now.of("jackpot_table_last_round_age_seconds", link=link)}
    facts = []
    for table, since_s in played.items():
        if connected.get(table) or since_s >= TABLE_LATE_S:
            continue
        told = f"not connected here, no round for {length_of_time(since_s)}"
        if table not in elsewhere:
            facts.append(Fact(f"Table {table}", told, "connected", "warn"))
        elif since_s < PLAYS_S:
            facts.append(Fact(f"Table {table}", f"{told}; another server is up", "", "ok"))
        else:
            facts.append(Fact(f"Table {table}", f"{told}: ask the other server", "connected", "none"))
    return facts + [
        Fact(f"Table {table}", "not connected here, no round yet", "", "ok")
        for table, here in connected.items()
        if not here and table not in played
    ]
