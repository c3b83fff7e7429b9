"""Which agent is a table: hellos, journals and a supervisor's word (PROTOCOL 1), and every field of rule 11.9."""

import msgspec
import pytest

from jackpot.core.answers import HelloRefusedAnswer, decode_stored
from jackpot.core.commands import Admit, Connect, Word, of_act
from jackpot.core.decide import decide_all
from jackpot.core.state import LinkState
from jackpot.wire.messages import FieldDifference
from jackpot.wire.refusals import Refusal
from jackpot.wire.settings import TableSettings, settings_text
from rules.records import LimitsRecord, SettingsRecord
from rules.terms import Terms, leaves
from tests.support.floor import NOW_US, Floor, changed_terms
from tests.support.terms import demo_terms

STORIES = {
    "enrolling is the word for the first journal": """
        admit T9                                                               admitted
        T9 hello journal=0                                                     connected
        table T9 journal                                                       1
        T9 hello                                                               connected
        table T9 connection                                                    2
    """,
    "a table nobody admitted has no place": """
        word T9                                                                no_such_table
    """,
    "the answer to the grant was lost: the same spool is granted the same journal": """
        T1 hello journal=0                                                     connected
        table T1 journal                                                       1
        T1 hello journal=0                                                     connected
        table T1 journal                                                       1
        T1 hello                                                               connected
        T1 wagers 1: 1                                                         accepted
    """,
    "a copy from before the grant, once rounds were played": """
        T1 wagers 1: 1                                                         accepted
        T1 hello journal=0                                                     wrong_journal
        table T1                                                               quarantined
        T1 hello                                                               quarantined
        T1 record 1: 1                                                         recorded
        T1 wagers 2: 1                                                         table_closed
    """,
    "a new spool that nobody spoke for is refused; whoever is the table plays on": """
        T1 hello journal=0 spool=aa                                            no_word
        table T1                                                               linked
        T1 wagers 1: 1                                                         accepted
    """,
    "a new spool on a supervisor's word; the word is used up": """
        word T1                                                                word
        table T1                                                               linked
        T1 hello journal=0 spool=aa                                            connected
        table T1 journal                                                       2
        T1 hello journal=0 spool=bb                                            no_word
        T1 wagers 1: 1                                                         accepted
        T1 wagers 1: 1 journal=1                                               wrong_journal
    """,
    "the word is used up by the agent that was the table too": """
        word T1                                                                word
        T1 hello                                                               connected
        T1 hello journal=0 spool=aa                                            no_word
    """,
    "a word that names a spool is for no other, and closes whoever is not it": """
        word T1 spool=aa                                                       word
        T1 wagers 1: 1                                                         accepted
        T1 hello                                                               no_word
        table T1                                                               admitted
        T1 wagers 2: 1                                                         table_closed
        T1 hello journal=0 spool=bb                                            no_word
        T1 hello journal=0 spool=aa                                            connected
        table T1 journal                                                       2
    """,
    "an older spool: rounds it has not heard of were played": """
        T1 wagers 1: 1                                                         accepted
        T1 record 1: 1                                                         recorded
        T1 hello next=1                                                        no_word
        table T1                                                               quarantined
        word T1                                                                word
        table T1                                                               admitted
        T1 hello next=1                                                        connected
        table T1 journal                                                       2
    """,
    "another journal than the table's": """
        word T1                                                                word
        T1 hello journal=0 spool=aa                                            connected
        T1 hello journal=1 spool=5431                                          wrong_journal
        table T1                                                               quarantined
    """,
    "a journal that was never granted, and another spool with the right number": """
        T1 hello journal=7                                                     wrong_journal
        T2 hello journal=1 spool=aa                                            wrong_journal
        table T2                                                               quarantined
    """,
    "a number that does not rise: two agents may hold one spool": """
        T1 hello connection=5                                                  connected
        T1 hello connection=5                                                  connection_not_rising
        table T1                                                               quarantined
        T1 hello connection=6                                                  quarantined
        word T1                                                                word
        T1 hello connection=4                                                  connected
        T1 hello connection=4                                                  connection_not_rising
    """,
    "two connections that take over from each other three times in a minute": """
        T1 hello alive                                                         connected
        T1 hello alive                                                         connected
        T1 hello alive                                                         quarantined
        table T1                                                               quarantined
        T1 wagers 1: 1                                                         table_closed
        word T1                                                                word
        T1 hello alive                                                         connected
        T1 hello alive                                                         connected
    """,
    "taking over from a connection that is dead, or slowly, is a table's right": """
        T1 hello                                                               connected
        T1 hello                                                               connected
        T1 hello                                                               connected
        T1 hello alive                                                         connected
        T1 hello alive                                                         connected
        wait 60                                                                over
        T1 hello alive                                                         connected
        T1 hello alive                                                         connected
    """,
    "a quarantine ends with a word, not with other settings or terms": """
        T1 hello connection=1                                                  connection_not_rising
        T1 hello terms.currency=NZD                                            quarantined
        table T1                                                               quarantined
        admit T1 seats=9                                                       admitted
        table T1                                                               quarantined
        T1 hello                                                               quarantined
        word T1                                                                word
        T1 hello                                                               connected
    """,
    "a table that drifts is closed, one that comes back as the link is open again (case 24)": """
        T1 hello terms.retained_ppm=1                                          terms_differ
        table T1                                                               differs
        commits                                                                8
        T1 hello terms.retained_ppm=1                                          terms_differ
        commits                                                                8
        T2 wagers 1: 1                                                         accepted
        T1 hello                                                               connected
        table T1                                                               linked
    """,
    "other settings close a table until it shows them": """
        admit T1 seats=9                                                       admitted
        table T1                                                               admitted
        T1 wagers 1: 1                                                         table_closed
        T1 hello                                                               connected
        T1 wagers 2: 9                                                         accepted
    """,
    "a denomination in cents taken for dollars, another currency (case 19)": """
        T1 hello terms.qualifying_wager_cents=1                                terms_differ
        T2 hello terms.currency=USD                                            terms_differ
    """,
    "a hello of a table that is not there yet, while its link is": """
        admit T9                                                               admitted
        T9 hello journal=3                                                     connected
        table T9 journal                                                       1
    """,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_tables(story: str) -> None:
    """Each line comes to its last word."""
    Floor().play(story)


OTHER = {
    "name": "northern",
    "kind": {"share": "bonus", "bonus": "share"},
    "game": "three_card_poker",
    "edition": "2025-01-01",
    "currency": "USD",
    "day_start": "05:00",
    "time_zone": "Australia/Perth",
    "forfeit_fund": "Another Fund",
    "approval_reference": "another",
    "pool": "other",
    "paid_by": {"pool": "house", "house": "pool"},
    "least_capture": {"claims": "full", "full": "claims"},
    "overflow_to": {"next_seed": "reserve", "reserve": "next_seed"},
    "excess_to": "other",
    "reveal_folded": {"unseen": "all"},
    "topup_paid_by": {"house": "pool"},
    "odd_cents": {"down": "up"},
    "takes": {"exact": "each"},
    "reset": {"seed": "none"},
    "void_after_award": {"reserve": "pool"},
    "rejected_share": {"recomputed": "kept"},
    "employee_hit": {"rejected": "paid"},
    "order_of_hits": {"commit": "lock"},
    "payout_made": {"slip": "money"},
    "table_after_hit": {"held": "sealed"},
}


def another(path: str, value: object) -> object:
    """Another value that a leaf may have."""
    name = path.rpartition(".")[2]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if value < 2 else value - 1
    if value is None:
        return "other" if name == "pool" else 7
    known = OTHER[name]
    return known[str(value)] if isinstance(known, dict) else known


def refused_hello(terms: Terms, shown: bytes) -> HelloRefusedAnswer:
    """What a hello with these terms is told."""
    floor = Floor(terms)
    hello = msgspec.structs.replace(floor.hello("T1", {}), terms=msgspec.Raw(shown))
    reply = floor.act(hello)
    assert floor.state.tables["T1"].status == "differs"
    answer = decode_stored(reply.answer)
    assert isinstance(answer, HelloRefusedAnswer)
    return answer


LEAVES = [path for path in leaves(demo_terms()) if path != "form"]


@pytest.mark.parametrize("path", LEAVES)
def test_every_leaf_that_differs_is_named_alone(path: str) -> None:
    """A table whose terms differ in one field is refused with that field, its value and the link's (11.9, case 24)."""
    terms = demo_terms()
    mine = leaves(terms)[path]
    shown = changed_terms(terms, {path: another(path, mine)})
    answer = refused_hello(terms, shown)
    assert [difference.field for difference in answer.differences] == [path]
    assert answer.code == "terms_differ"
    assert answer.differences[0].table != answer.differences[0].link


def test_every_field_that_differs_is_named() -> None:
    """Two differences are two names, in the order of the form; settings stand behind them."""
    terms = demo_terms()
    shown = changed_terms(terms, {"currency": "USD", "pay_table.flush.amount_cents": 20_000})
    floor = Floor(terms)
    settings = msgspec.Raw(settings_text(TableSettings(least_round_s=0, seats=9)).encode())
    reply = floor.act(msgspec.structs.replace(floor.hello("T1", {}), terms=msgspec.Raw(shown), settings=settings))
    assert floor._became(reply) == "terms_differ"
    assert floor.last.differences == [
        FieldDifference("currency", "USD", "AUD"),
        FieldDifference("pay_table.flush.amount_cents", "20000", "10000"),
        FieldDifference("settings.seats", "9", "7"),
    ]


def test_terms_that_cannot_be_read_are_refused_with_the_field() -> None:
    """A hello whose terms are not the form is told which field, its value, and why."""
    answer = refused_hello(demo_terms(), changed_terms(demo_terms(), {"qualifying_wager_cents": "100"}))
    assert answer.differences == [
        FieldDifference("qualifying_wager_cents", "100", "readable terms (not a whole number)")
    ]


APPROVED = TableSettings(limits=LimitsRecord(ante_min_cents=500), settings=SettingsRecord(cap_linked_wager=True))
CHANGES: list[tuple[str, dict[str, object]]] = [
    ("device", {"device": "shuffler"}),
    ("capture", {"capture": "claims"}),
    ("seats", {"seats": 6}),
    ("least_round_s", {"least_round_s": 11}),
    ("answer_within_s", {"answer_within_s": 3}),
    ("rules_version", {"rules_version": 2}),
    ("schedules", {"schedules": ("other",)}),
    ("limits.ante_min_cents", {"limits": LimitsRecord(ante_min_cents=1000)}),
    ("limits.ante_max_cents", {"limits": LimitsRecord(ante_min_cents=500, ante_max_cents=9000)}),
    ("limits.bet_max_cents", {"limits": LimitsRecord(ante_min_cents=500, bet_max_cents=9000)}),
    ("limits.jackpot_cents", {"limits": LimitsRecord(ante_min_cents=500, jackpot_cents=100)}),
    ("settings.cap_linked_wager", {"settings": SettingsRecord(cap_linked_wager=False)}),
    ("settings.max_payout_cents", {"settings": SettingsRecord(cap_linked_wager=True, max_payout_cents=1)}),
]


@pytest.mark.parametrize(("path", "change"), CHANGES, ids=[path for path, _ in CHANGES])
def test_every_setting_that_differs_is_named_alone(path: str, change: dict[str, object]) -> None:
    """A table that shows another setting than is approved for it is refused with that setting (PROTOCOL 3)."""
    floor = Floor()
    floor.act(Admit("T1", 2, "cd" * 32, msgspec.Raw(settings_text(APPROVED).encode()), "Ann"))
    shown = settings_text(msgspec.structs.replace(APPROVED, **change))
    hello = msgspec.structs.replace(floor.hello("T1", {}), settings=msgspec.Raw(shown.encode()))
    assert floor._became(floor.act(hello)) == "settings_differ"
    assert [difference.field for difference in floor.last.differences] == [f"settings.{path}"]
    assert floor.last.differences[0].table != floor.last.differences[0].link


def test_settings_that_cannot_be_read() -> None:
    """Settings of a hello that are not the form, or not canonical, are named; those of an admission are refused."""
    floor = Floor()
    for text in ('{"seats":12}', settings_text(TableSettings()).replace(":", ": ", 1)):
        hello = msgspec.structs.replace(floor.hello("T1", {}), settings=msgspec.Raw(text.encode()))
        assert floor._became(floor.act(hello)) == "settings_differ"
        assert floor.last.differences[0].field.startswith("settings.")
        assert floor._became(floor.act(Admit("T9", 1, "cd", msgspec.Raw(text.encode()), "Ann"))) == "settings_differ"
    assert "T9" not in floor.state.tables


def test_people_have_names() -> None:
    """Admitting a table and giving a word are acts of somebody; a word has a reason."""
    floor, settings = Floor(), msgspec.Raw(settings_text(TableSettings()).encode())
    assert floor._became(floor.act(Admit("T9", 1, "cd", settings, " "))) == "name_needed"
    assert "another" not in floor.last.text, "it is the name of who acts"
    assert floor._became(floor.act(Word("T1", 1, "", "seen"))) == "name_needed"
    assert floor._became(floor.act(Word("T1", 1, "Sue", " "))) == "reason_needed"
    assert floor._became(floor.act(Word("T1", 1, "Sue", "seen"))) == "word"


def test_a_link_that_is_not_open_admits_nobody() -> None:
    """Before its terms are there, a chain has no tables and hears no hello."""
    state, settings = LinkState("southern"), msgspec.Raw(settings_text(TableSettings()).encode())
    terms = msgspec.Raw(b"{}")
    admit = of_act(Admit("T1", 1, "cd", settings, "Ann"))
    hello = of_act(Connect("T1", 0, "aa", 1, 1, "test", terms, settings, "2026-11", nonce="01"))
    replies = decide_all(state, [admit, hello], {}, NOW_US).replies
    assert b"not_open" in replies[0].answer
    assert replies[1].later is Refusal.NOT_ENROLLED


def test_two_agents_with_one_spool_are_two_hellos() -> None:
    """The same spool, journal and number from two machines are two hellos: the second quarantines."""
    floor = Floor()
    hello = floor.hello("T1", {})
    assert floor._became(floor.act(hello)) == "connected"
    assert floor._became(floor.act(hello)) == "connected", "the same hello again is answered as the first time"
    clone = msgspec.structs.replace(hello, nonce="ffff")
    assert floor._became(floor.act(clone)) == "connection_not_rising"
    assert floor.state.tables["T1"].status == "quarantined"


TOLD = {
    "": "",
    "T1 wagers 1: 1 3 5/ante=0": "open 1,3",
    "T1 wagers 1: 1/ante=0": "open ",
    "T1 withdraw 1:": "withdrawn ",
    "T1 wagers 1: 1 3; T1 withdraw 1:": "withdrawn ",
    "T1 wagers 1: 1 3; T1 void 1: 3": "open 1",
    "T1 wagers 1: 1 3; T1 void 1:": "voided ",
    "T1 wagers 1: 1 3; T1 record 1: 1 3": "recorded ",
    "T1 wagers 1: 1 3; T1 record 1: 1 3; T1 void 2:": "voided ",
}


@pytest.mark.parametrize(("lines", "told"), TOLD.items())
@pytest.mark.parametrize("hello", [{}, {"terms.name": "other"}], ids=["welcomed", "refused"])
def test_a_hello_is_told_how_the_last_round_stands(lines: str, told: str, hello: dict[str, str]) -> None:
    """The highest round of its journal, with the seats in play, welcomed or refused: a spool may have lost its end."""
    floor = Floor()
    for line in filter(None, lines.split("; ")):
        floor.line(line.split())
    for _again in range(2):  # a refusal is stored the first time only
        now = floor.act(floor.hello("T1", hello)).round
        assert (f"{now.state} {','.join(map(str, now.seats))}" if now else "") == told
        assert now is None or (now.journal, now.round) == (1, floor.state.journals["T1", 1].highest)
