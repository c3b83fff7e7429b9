"""Case 60 to its end, over two pools: real programs, people's commands, two orders decided, all paid, audited.

T1 loses its power with a royal and a straight flush dealt and its wagers accepted; T2 is recorded with both meanwhile.
"""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from jackpot.wire.settings import TableSettings, settings_text
from rules.terms import canonical_bytes
from tests.adversity.test_ledger_going_back import Casino, environment
from tests.support.playing import until
from tests.support.terms import two_pool_terms

DEALER = "2d 4h 7d 9s Jc"
NOTHING = "3c 5d 8d Th Kd"
HANDS = {
    "T1": [{3: "As Ks Qs Js Ts", 4: "9h 8h 7h 6h 5h", 5: NOTHING}, {1: NOTHING}],
    "T2": [{1: "Ah Kh Qh Jh Th", 2: "9c 8c 7c 6c 5c"}, {1: NOTHING}],
}
"""The cards of each round, by seat; every seat is in the jackpot: 18 cents of a wager for `main`, 4 for `minor`."""
ROYALS = ("T1/1/1/3/main", "T2/1/1/1/main")
STRAIGHTS = ("T1/1/1/4/minor", "T2/1/1/2/minor")


def played(table: str) -> str:
    """The rounds of a table, as a file of records."""
    seat = {"ante_cents": 1000, "jackpot_cents": 100, "decision": "bet", "bet_cents": 2000}
    return "".join(
        json.dumps(
            {"dealer": DEALER, "seats": [{"seat": number, "cards": cards, **seat} for number, cards in one.items()]}
        )
        + "\n"
        for one in HANDS[table]
    )


def begin(casino: Casino, name: str, **more: str) -> "subprocess.Popen[bytes]":
    """Start a table's program, to play its rounds from where its spool stands."""
    file = casino.data / f"{name}.jsonl"
    file.write_text(played(name), encoding="utf-8")
    with casino.data.joinpath(f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.adversity.stopping", "tablelink", "run", name, "--replay", str(file)),
                *("--server", casino.address.replace("http", "ws", 1), "--redis-url", casino.redis),
                *("--keys", str(casino.data / "keys" / "tables"), "--spool", str(casino.data / "spools")),
                *("--terms", str(casino.data / "terms.json"), "--settings", str(casino.data / "settings.json")),
                *("--pace", "0", "--play-on-after", "-1", "--json"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=environment() | more,
        )


def hits(casino: Casino) -> dict[str, tuple[str, int]]:
    """State and cents of every hit."""
    every: list[dict[str, Any]] = casino.jackpot("hit", "list", "--all")["hits"]
    return {hit["hit"]: (hit["state"], int(hit["amount_cents"])) for hit in every}


def test_prizes_of_two_pools_in_dispute_are_decided_and_paid(tmp_path: Path) -> None:
    """Not approved while T1's round is open; disputed with its record; one pool's order each way; paid, audit ok."""
    casino = Casino(tmp_path)
    (tmp_path / "terms.json").write_bytes(canonical_bytes(two_pool_terms()))
    (tmp_path / "settings.json").write_text(settings_text(TableSettings(least_round_s=0)), encoding="utf-8")
    stop = tmp_path / "T1.stop"
    stop.write_text("step-durable/answer-wagers 1 0")
    tables = []
    with casino.serving():
        casino.jackpot("link", "open", str(tmp_path / "terms.json"), "--by", "Olga", "--second", "Petra")
        settings = str(tmp_path / "settings.json")
        casino.jackpot("table", "enrol", "southern", "T1", "T2", "--by", "Olga", "--settings", settings)
        try:
            first = begin(casino, "T1", JACKPOT_STOP_AT=str(stop))
            tables.append(first)
            until(lambda: first.poll() is not None, "T1 loses its power")
            assert first.returncode == -signal.SIGKILL
            tables.append(begin(casino, "T2"))
            until(lambda: len(hits(casino)) == 2, "T2 is recorded")
            assert hits(casino) == {ROYALS[1]: ("pending", 5_000_090), STRAIGHTS[1]: ("pending", 500_000)}
            for number, hit in enumerate((ROYALS[1], STRAIGHTS[1])):
                casino.jackpot("hit", "verify", hit, "--by", f"Vic {number}")
                told = casino.jackpot("hit", "approve", hit, "--by", "Gus", "--with", "Hal", code=1)
                assert told.get("refused", told.get("error")) == "round_open"
            tables.append(begin(casino, "T1"))
            until(lambda: len(hits(casino)) == 4, "T1's record has come")
            assert {state for state, _ in hits(casino).values()} == {"disputed"}
            people = ("--by", "Ida", "--with", "Jo", "--reason", "both films")
            asked = ("hit", "decide", ROYALS[0], "--order", "wagers", *people)
            assert casino.jackpot(*asked, code=1)["value"] == "manager: the terms say commit"
            decided = casino.jackpot(*asked, "--manager", "Max")
            assert {one["hit"]: one["by_wagers_cents"] for one in decided["hits"]} == {
                ROYALS[0]: "5000090",
                ROYALS[1]: "5000000",
            }
            assert {hits(casino)[hit][0] for hit in STRAIGHTS} == {"disputed"}, "another meter"
            casino.jackpot("hit", "decide", STRAIGHTS[1], "--order", "commit", *people)
            until(lambda: casino.settle() and tables[1].poll() == tables[2].poll() == 0, "all is paid out")
        finally:
            for table in tables:
                table.kill()
                table.wait()
        amounts = dict(zip((*ROYALS, *STRAIGHTS), (5_000_090, 5_000_000, 500_000, 500_000), strict=True))
        assert hits(casino) == {hit: ("paid", cents) for hit, cents in amounts.items()}
        # The seed and the two wagers of the second rounds; 5,000.20 less a fifth, less a fifth, and the same two.
        assert casino.jackpot("link", "show", "southern")["meters_cents"] == {"main": "5000036", "minor": "320021"}
        assert casino.jackpot("audit")["audit"] == "ok"
        assert len(casino.exported()) == 4
