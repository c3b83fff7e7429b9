"""The history that the golden chain of a decide version holds: every message, act and answer, and money of every cause.

`python -m tests.support.golden_chain FOLDER` writes it. That is done once for a version, before it first posts; what is
there is never written again.
"""

import copy
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from jackpot.core.commands import Enrol, OpenSite, RegisterLink, command_of, of_act
from jackpot.core.decide import VERSION, decide_all
from jackpot.core.ports import Batch
from jackpot.core.state import LinkState
from jackpot.wire.codec import encode
from jackpot.wire.messages import Signed
from rules.terms import Terms, parse_terms
from tests.support.floor import NOW_US, Floor, changed_terms
from tests.support.hands import record_line
from tests.support.terms import two_pool_terms


def story(floor: Floor) -> None:
    """Play it all."""
    floor.play(
        """
        T1 wagers 1: 1 2/tender=token 5/sensor=0 5                             accepted,accepted,sensor_differs,accepted
        T1 wagers 1: 1                                                         id_reused
        T2 wagers 1: 1 2 3 4 5 6 7                                             accepted
        T3 wagers 1: 1 1 9 2/ante=0 3/jackpot=5          accepted,seat_twice,no_such_seat,no_ante,not_qualifying_wager
        T4 wagers 1: 1 2                                                       accepted
        T1 void 1: 5                                                           voided
        T2 record 1: 1=royal_flush 2=straight_flush 3=flush 4=full_house       recorded
        T1 void 1:                                                             voided
        T4 withdraw 1:                                                         withdrawn
        T4 record 1: 1=flush                                                   recorded
        T3 record 1: 1=straight_flush claims                                   recorded
        T4 withdraw 2:                                                         withdrawn
        T4 wagers 2: 1                                                         round_withdrawn
        T4 record 2: 1 2                                                       recorded
        T4 void 4:                                                             voided
        T4 wagers 4: 1                                                         round_voided
        T4 wagers 3: 1                                                         round_overtaken
        T4 void 3:                                                             too_old
        T4 void 3: revision=2 with=Max                                         not_offered
        verify T2/1/1/1/main by=Ann                                            verified
        approve T2/1/1/1/main by=Bob                                           verified
        approve T2/1/1/1/main by=Cy                                            approved
        pay T2/1/1/1/main by=Dee                                               paid
        resolve T2/1/1/2/minor by=Ann with=Bob reason=films                    pending
        verify T2/1/1/2/minor by=Cy                                            verified
        verify T2/1/1/3/house by=Ann                                           approved
        pay T2/1/1/3/house by=Bob                                              paid
        T1 wagers 2: 1 2                                                       accepted
        terms pools.0.increment_ppm=170000 retained_ppm=710000 rulings.stake_returned=true opened
        terms rulings.never_below_seed=true                                    opened
        T1 record 2: 1=four_of_a_kind 2 settled=off terms=1                    disputed
        T4 wagers 5: 1 terms=1                                                 other_terms
        T4 hello                                                               connected
        T4 wagers 6: 1 2 epoch=1                                               accepted
        T4 wagers 6: 3 revision=2                                              wagers_twice
        T4 record 6: 1=full_house 2=flush cards=2:Ks,Ks,7s,3s,2s               disputed
        T4 wagers 7: 1                                                         table_closed
        word T4 spool=aa                                                       word
        T4 hello journal=0 spool=aa                                            connected
        T4 wagers 9: 1 journal=1                                               wrong_journal
        T4 hello terms.currency=NZD                                            terms_differ
        T1 hello                                                               quarantined
        admit T5 least_round_s=10                                              admitted
        T5 hello journal=0                                                     connected
        T5 wagers 1: 1 2                                                       accepted
        T5 record 1: 1=flush late                                              recorded
        T5 hello connection=1                                                  connection_not_rising
        wait 864000                                                            over
        T5 record 2: 1 month=2026-12                                           recorded
        T5 record 3: 1 month=2026-12 revision=2                                recorded
        T5 record 3: 1 month=2026-12                                           round_recorded
        T5 record 3: 1 month=2026-12 revision=3                                not_offered
        T5 wagers 4: 1 month=2026-11                                           wrong_month
        """
    )
    signed(floor)
    together(floor)
    amended(floor)


def signed(floor: Floor) -> None:
    """A record that comes with the journal's head under the table's signature."""
    at = {"table": "T4", "journal": 2, "month": "2026-12", "round": 1, "revision": 1}
    record = record_line(at, ["1"], frozenset(), floor.terms, "00" * 32)
    floor.decide(command_of(encode(Signed("5d" * 32, "ab" * 64, msgspec.Raw(record)))))


def together(floor: Floor) -> None:
    """A batch of many: wagers, what is refused, what is put off, a repeat, a record in the midst of increments."""
    for table in ("T6", "T7", "T8"):
        floor.play(f"admit {table}  admitted\n{table} hello journal=0  connected")
    ahead = copy.copy(floor)
    ahead.known, ahead.sent, ahead.batches, ahead.facts = dict(floor.known), [], [], []
    ahead.play(
        """
        T6 wagers 1: 1 2 3 month=2026-12                                       accepted
        T7 wagers 1: 4 5 month=2026-12                                         accepted
        T7 wagers 2: 4 5 month=2026-12                                         later:round_open
        T7 record 1: 4=straight_flush month=2026-12                            recorded
        T8 wagers 1: 7 8 month=2026-12                                         accepted,no_such_seat
        T6 withdraw 1: month=2026-12                                           withdrawn
        """
    )
    floor.decide(*ahead.sent, floor.sent[1])


def amended(floor: Floor) -> None:
    """What people amend after the record: version 2 brought it."""
    floor.play(
        """
        T4 amend 1: rule=14.4 journal=1                                        round_voided
        T3 amend 1: rule=14.9                                                  void_recorded
        T2 amend 1: 5 rule=14.8                                                void_recorded
        T2 amend 1: rule=16.5 revision=3                                       void_recorded
        terms reserve.limit_cents=90 version=4                                 opened
        admit T9                                                               admitted
        T9 hello journal=0                                                     connected
        T9 wagers 1: 1 2 3 4 5 month=2026-12                                   accepted
        T9 record 1: 1=royal_flush 2=royal_flush 3=flush 4=full_house month=2026-12 recorded
        reject T9/1/1/1/main by=Ann with=Bob reason=card rule=11.4             rejected
        release T9/1/1/1/main by=Cy with=Dee reason=card rule=11.4             released
        forfeit T9/1/1/3/house by=Ann with=Bob reason=minor rule=16.4          forfeited
        release T9/1/1/4/house by=Ann with=Bob reason=device rule=16.4         released
        T9 amend 1: 2 rule=16.15 month=2026-12                                 void_recorded
        """
    )


def terms() -> Terms:
    """Two pools, one of which is soon at its limit, and a small reserve."""
    changes = {"pools.0.limit_cents": 5_000_200, "pools.1.limit_cents": 500_030, "reserve.limit_cents": 40}
    return parse_terms(changed_terms(two_pool_terms(), changes))


def link_batches() -> list[Batch]:
    """The batches of the link's chain."""
    floor = Floor(terms(), ("T1", "T2", "T3", "T4"))
    story(floor)
    return floor.batches


def site_batches() -> list[Batch]:
    """The batches of the site's chain."""
    state, batches = LinkState("site"), list[Batch]()
    for act in (
        OpenSite("ef" * 32, "Ann"),
        RegisterLink("southern", "ab" * 32, "Ann"),
        Enrol("T1", "southern", "cd" * 32, 1, "Ann"),
    ):
        decision = decide_all(state, [of_act(act)], {}, NOW_US)
        assert decision.batch is not None
        state = decision.state
        batches.append(decision.batch)
    return batches


def write(folder: Path, name: str, batches: Sequence[Batch]) -> None:
    """Write batches as an export does, a line each; a file that is there stays as it is."""
    lines = [
        b'{"digest":"%b","previous":"%b","body":%b}\n'
        % (batch.digest.hex().encode(), batch.previous.hex().encode(), batch.body)
        for batch in batches
    ]
    with (folder / f"{name}_{VERSION}.jsonl").open("xb") as file:
        file.writelines(lines)


if __name__ == "__main__":
    write(Path(sys.argv[1]), "link", link_batches())
    write(Path(sys.argv[1]), "site", site_batches())
