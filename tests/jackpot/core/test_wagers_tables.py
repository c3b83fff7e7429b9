"""Which jackpot wagers are accepted (CSP 5.4, 5.9, 11.1, 11.2); what is too late (5.7) or of other terms (11.9)."""

from itertools import combinations

import pytest

from tests.support.floor import Floor

STORIES = {
    "each seat is decided for itself, and an accepted dollar is split to the microcent": """
        meter                                                                  50,000.00
        T1 wagers 1: 1 2 3                                                     accepted
        meter                                                                  50,000.66
        balance reserve                                                        24000000
        balance retained                                                       210000000
        balance wagers                                                         -300000000
        round T1 1                                                             open:1,2,3
    """,
    "a wager of another amount, or without an ante, is handed back (5.4, 11.1)": """
        T1 wagers 1: 1/jackpot=250 2/jackpot=0 3/jackpot=-100                  not_qualifying_wager
        T2 wagers 1: 4/ante=0 5/ante=-1 6                                      no_ante,no_ante,accepted
        round T1 1                                                             open:none
        balance wagers                                                         -100000000
    """,
    "what the sensor did not see, or saw double, is handed back (11.2)": """
        T1 wagers 1: 1/sensor=0 2/sensor=200 3                                 sensor_differs,sensor_differs,accepted
    """,
    "one area takes one wager (5.9): the first that can be right": """
        T1 wagers 1: 2 2                                                       accepted,seat_twice
        balance wagers                                                         -100000000
        T2 wagers 1: 2/jackpot=5 2                                             not_qualifying_wager,accepted
    """,
    "a table has the seats that are approved for it (2.2)": """
        T1 wagers 1: 0 8 -1 9223372036854775807                                no_such_seat
        T3 wagers 1: 7 8                                                       accepted,no_such_seat
        admit T2 seats=9                                                       admitted
        T2 hello                                                               connected
        T2 wagers 1: 9 10                                                      accepted,no_such_seat
    """,
    "when several reasons hold, the first in order is said": """
        T1 wagers 1: 1 1/ante=0/jackpot=5/sensor=5                             accepted,seat_twice
        T2 wagers 1: 9/ante=0/jackpot=5 2/ante=0/jackpot=5                     no_such_seat,no_ante
        T3 wagers 1: 3/jackpot=5/sensor=6                                      not_qualifying_wager
    """,
    "a round without jackpot seats uses up its number too": """
        T1 wagers 1:                                                           nothing
        round T1 1                                                             open:none
        T1 wagers 2: 1                                                         accepted
    """,
    "a token brings no money: the house pays the whole wager in": """
        T1 wagers 1: 1/tender=token 2                                          accepted
        meter                                                                  50,000.44
        balance wagers                                                         -100000000
        balance house                                                          -5000100000000
    """,
    "too late: the round is recorded (5.7)": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1:                                                           recorded
        T1 wagers 1: 1 revision=2                                              round_recorded
    """,
    "too late: the table went on without": """
        T1 withdraw 1:                                                         withdrawn
        T1 wagers 1: 1                                                         round_withdrawn
        balance wagers                                                         0
        round T1 1                                                             withdrawn
    """,
    "too late: declared void": """
        T1 void 1:                                                             voided
        T1 wagers 1: 1                                                         round_voided
    """,
    "too late: seats declared void before any wager was seen": """
        T1 void 1: 3                                                           voided
        T1 wagers 1: 1                                                         wagers_twice
        balance wagers                                                         0
    """,
    "too late: overtaken by a later round": """
        T1 wagers 2: 1                                                         accepted
        T1 record 2:                                                           recorded
        T1 wagers 1: 1                                                         round_overtaken
        facts gap                                                              1
    """,
    "a round recorded after a later one leaves that one recorded": """
        T1 wagers 1:                                                           nothing
        T1 wagers 2: 1                                                         accepted
        T1 record 2:                                                           recorded
        T1 record 1:                                                           recorded
        T1 wagers 2: 1 revision=2                                              round_recorded
    """,
    "twice: the wagers of a round are decided once": """
        T1 wagers 1: 1                                                         accepted
        T1 wagers 1: 1 2 revision=2                                            wagers_twice
        T1 wagers 2: revision=2                                                wagers_twice
        round T1 1                                                             open:1
    """,
    "the same bytes are answered again and move nothing; other bytes are not the same message (case 12)": """
        T1 wagers 1: 1                                                         accepted
        meter                                                                  50,000.22
        T1 wagers 1: 1                                                         accepted
        meter                                                                  50,000.22
        T1 wagers 1: 1 2                                                       id_reused
        meter                                                                  50,000.22
        facts id_reused                                                        1
    """,
    "a number has its turn once although its answer was no": """
        T1 wagers 1: 1 terms=00                                                other_terms
        round T1 1                                                             open:none
        T1 wagers 1: 1                                                         id_reused
        T1 wagers 1: 1 revision=2                                              wagers_twice
        T1 record 1:                                                           recorded
        round T1 1                                                             over
    """,
    "a table that is not linked takes no part (11.9)": """
        T1 hello terms.retained_ppm=1                                          terms_differ
        T1 wagers 1: 1                                                         table_closed
        T1 hello                                                               connected
        T1 wagers 2: 1                                                         accepted
    """,
    "after new terms no wager under the older ones is accepted (case 61)": """
        terms rulings.takes=each                                               opened
        T1 wagers 1: 1 terms=1                                                 other_terms
        T1 wagers 2: 1 terms=2                                                 accepted
    """,
    "one open round a table, until its record or void": """
        T1 wagers 1: 1                                                         accepted
        T1 wagers 2: 1                                                         later:round_open
        T1 record 1:                                                           recorded
        T1 wagers 2: 1                                                         accepted
        T1 void 2:                                                             voided
        T1 wagers 3: 1                                                         accepted
        T1 withdraw 3:                                                         withdrawn
        T1 wagers 4: 1                                                         accepted
    """,
    "a round that waits for its turn is not used up": """
        T1 wagers 1: 1                                                         accepted
        T1 wagers 2: 1                                                         later:round_open
        T1 record 1:                                                           recorded
        T1 withdraw 2:                                                         withdrawn
        T1 wagers 2: 1                                                         round_withdrawn
    """,
    "an open hit of the table holds it, and no other table (9.5)": """
        T1 wagers 1: 3                                                         accepted
        T1 record 1: 3=flush                                                   recorded
        T1 wagers 2: 1                                                         later:hit_open
        T2 wagers 1: 1                                                         accepted
        verify T1/1/1/3/house by=Ann                                           approved
        T1 wagers 2: 1                                                         later:hit_open
        pay T1/1/1/3/house by=Bob                                              paid
        T1 wagers 2: 1                                                         accepted
    """,
    "a gaming month that has not begun is not stored: it may begin while the table asks again": """
        T1 wagers 1: 1 month=2026-12                                           later:month_ahead
        round T1 1                                                             over
        wait 864000                                                            over
        T1 wagers 1: 1 month=2026-12                                           accepted
    """,
    "a round keeps the month it was numbered in, until the table has played in the next": """
        wait 864000                                                            over
        T1 wagers 1: 1 month=2026-11                                           accepted
        T1 record 1: month=2026-11                                             recorded
        T1 wagers 2: 1 month=2026-12                                           accepted
        T1 record 2: month=2026-12                                             recorded
        T1 wagers 3: 1 month=2026-11                                           wrong_month
        T1 record 3: month=2026-11                                             recorded
        T1 wagers 4: 1 month=2026-12                                           accepted
    """,
    "a round of an older month that is withdrawn does not take the table back": """
        wait 864000                                                            over
        T1 wagers 1: 1 month=2026-12                                           accepted
        T1 record 1: month=2026-12                                             recorded
        T1 withdraw 2: month=2026-11                                           withdrawn
        T1 record 2: month=2026-11                                             recorded
        T1 wagers 3: 1 month=2026-11                                           wrong_month
        T1 wagers 4: 1 month=2026-12                                           accepted
    """,
    "a journal the ledger never granted has no place yet; one that is over takes no wagers": """
        T1 wagers 1: 1 journal=2                                               later:unknown_journal
        word T1 spool=aa                                                       word
        T1 hello journal=0 spool=aa                                            connected
        T1 wagers 1: 1 journal=1                                               wrong_journal
        T1 wagers 1: 1 journal=2                                               accepted
    """,
    "wagers on a meter that has fallen since are accepted and marked; so are those of another life of the ledger": """
        T1 wagers 1: 1 epoch=0                                                 accepted
        facts stale_display                                                    1
        T2 wagers 1: 1 generation=2                                            accepted
        facts stale_display                                                    2
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_wagers(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


# Every reason why no seat is accepted, with what brings it about. They stand in order of precedence.
REASONS = [
    ("unknown_journal", "", "journal=9"),
    ("wrong_journal", "word T1 spool=aa word\nT1 hello journal=0 spool=aa connected", "journal=1"),
    ("round_withdrawn", "T1 withdraw 5: withdrawn", ""),
    ("month_ahead", "", "month=2027-01"),
    ("table_closed", "T1 hello terms.currency=NZD terms_differ", ""),
    ("other_terms", "", "terms=00"),
    ("round_open", "T1 wagers 4: 1 accepted", ""),
]


@pytest.mark.parametrize(("first", "second"), [*combinations(REASONS, 2)], ids=lambda reason: reason[0])
def test_the_first_reason_is_said(first: tuple[str, str, str], second: tuple[str, str, str]) -> None:
    """When two reasons hold at once, every process says the one that stands first in `refusals`."""
    floor = Floor()
    floor.play(f"{second[1]}\n{first[1]}")
    became = floor.line(["T1", "wagers", "5:", "1", *second[2].split(), *first[2].split()])
    assert became.removeprefix("later:") == first[0]
