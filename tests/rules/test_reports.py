"""What people report of a round: the notices, month-end lines and kept stakes its settlement names, in every book."""

from typing import Any

import pytest

from rules.records import RecordError
from tests.support.answers import answer_to

FOUND_AT = "2026-11-28T21:05:00+11:00"
STUD: dict[str, Any] = {
    "game": "caribbean_stud",
    "dealer": "As Kd 9h 5c 3d",
    "seats": [{"seat": 1, "ante_cents": 1000, "decision": "bet", "bet_cents": 2000, "cards": "2s 2d 7h 9c Jd"}],
}
THREE: dict[str, Any] = {
    "game": "three_card_poker",
    "dealer": "Jh 8c 4d",
    "seats": [{"seat": 2, "ante_cents": 1000, "decision": "play", "play_cents": 1000, "cards": "Ah 2c 4c"}],
}
FOUR: dict[str, Any] = {
    "game": "four_card_poker",
    "dealer": "Kc Kd 9h 5s 3d 2c",
    "seats": [{"seat": 3, "ante_cents": 1000, "decision": "play", "play_cents": 3000, "cards": "5h 6h 7h 8c Kh"}],
}
WAR: dict[str, Any] = {
    "game": "casino_war",
    "dealer": "8d 9c",
    "seats": [{"seat": 4, "initial_cents": 2500, "decision": "war", "war_cents": 2500, "cards": "8s 9h"}],
}
SIC: dict[str, Any] = {
    "game": "sic_bo",
    "dice": [4, 5, 6],
    "seats": [{"seat": 5, "wagers": [{"wager": "big", "cents": 500}]}],
}
ALL_GAMES = {"settings": {"carded_play": "all_games"}}
KEPT = {"settings": {"carded_play": "all_games", "invalid_losing": "kept"}}


@pytest.mark.parametrize("line", [STUD, THREE, FOUR, WAR, SIC], ids=lambda line: str(line["game"]))
def test_a_round_in_which_nothing_went_wrong_says_nothing_of_it(line: dict[str, Any]) -> None:
    """No notices, no lists: the fields are not there, so that lines stay small."""
    assert not {"notices", "month_end", "kept"} & answer_to(line).keys()
    assert not {"notices", "month_end", "kept"} & answer_to(line | {"found_at": FOUND_AT}).keys()


@pytest.mark.parametrize(
    ("line", "wrong", "to", "since", "rule"),
    [
        (STUD, {"void_by": "foreign_card"}, "Surveillance and an Inspector", "finding", "CSP 14.9.4"),
        (STUD, {"found": ["equipment_failed"]}, "an inspector", "malfunction", "CSP 14.15"),
        (THREE, {"void_by": "foreign_card"}, "Surveillance and an Inspector", "finding", "TCP 12.9.4"),
        (FOUR, {"void_by": "foreign_card"}, "Surveillance and an Inspector", "finding", "FCP 12.10.4"),
        (WAR, {"void_by": "foreign_card"}, "Surveillance and an inspector", "finding", "WAR 11.17.4"),
        (SIC, {"lit": ["small"]}, "an inspector", "malfunction", "SIC 8.8"),
    ],
)
def test_who_is_notified_at_once(line: dict[str, Any], wrong: dict[str, Any], to: str, since: str, rule: str) -> None:
    """CSP 14.9.4, 14.15; TCP 12.9.4; FCP 12.10.4; WAR 11.17.4; SIC 8.8: with the moment where the record has it."""
    notice = {"to": to, "within": "at_once", "from": since, "rule": rule}
    assert answer_to(line | wrong)["notices"] == [notice]
    assert answer_to(line | wrong | {"found_at": FOUND_AT})["notices"] == [notice | {"by": FOUND_AT}]
    assert any(rule in note for note in answer_to(line | wrong)["notes"])


PAYMENTS = [
    (STUD, "bet", 4000, "NICC", "CSP 14.19", "CSP 14.16", "CSP 14.17", {}),
    (THREE, "play", 1000, "the NICC", "TCP 12.15.2", "TCP 12.13", "TCP 12.14", {}),
    (SIC, "big", 1000, "the NICC", "SIC 8.13", "SIC 8.10", "SIC 8.11", {}),
    (FOUR, "play", 6000, "the NICC", "TCP 12.15.2", "TCP 12.13", "TCP 12.14", ALL_GAMES),
    (WAR, "war", 7500, "the NICC", "TCP 12.15.2", "TCP 12.13", "TCP 12.14", ALL_GAMES),
]


@pytest.mark.parametrize(("line", "wager", "owed", "to", "rule", "error", "suspected", "ruled"), PAYMENTS)
def test_a_payment_error_over_1000_dollars_is_listed(
    line: dict[str, Any],
    wager: str,
    owed: int,
    to: str,
    rule: str,
    error: str,
    suspected: str,
    ruled: dict[str, Any],
) -> None:
    """CSP 14.16 to 14.19, TCP 12.13 to 12.15.2, SIC 8.10 to 8.13: $1,000.01 too much is; $1,000.00 only noted."""
    seat = line["seats"][0]["seat"]
    told: dict[str, Any] = {"seat": seat, "wager": wager, "paid_cents": owed + 100_001}
    found = answer_to(line | ruled | {"payment_errors": [told], "found_at": FOUND_AT})
    assert found["notices"] == [
        {"to": to, "within": "month_end", "from": "awareness", "rule": rule, "by": "2026-11-30"}
    ]
    (listed,) = found["month_end"]
    assert listed == {
        "what": "overpayment",
        "seat": seat,
        "wager": wager,
        "cents": 100_001,
        "owed_cents": owed,
        "paid_cents": owed + 100_001,
        "rule": rule,
        "why": "not answered yet",
        "day": "2026-11-28",
    }
    assert found["notes"][-1] == (
        f"seat {seat}: the {wager} was overpaid by 100001 cents; to do: request or demand the return of 100001 cents; "
        f"as it stands a breach of these rules ({error})"
    )
    assert found["lines"] == answer_to(line | ruled)["lines"]
    exactly = answer_to(line | ruled | {"payment_errors": [told | {"paid_cents": owed + 100_000}]})
    assert not {"notices", "month_end"} & exactly.keys()
    assert exactly["notes"][-1].endswith(f"({error})")
    intended = answer_to(line | ruled | {"payment_errors": [told | {"suspected": True, "answer": "rectified"}]})
    assert intended["month_end"][0]["why"] == "suspected to be intentional, rectified"
    assert intended["notices"][0].keys() == {"to", "within", "from", "rule"}
    assert intended["notes"][-1].endswith(
        f"; to do: identify the patron involved; as it stands a breach of these rules ({suspected})"
    )


@pytest.mark.parametrize("line", [FOUR, WAR], ids=["FCP", "WAR"])
def test_a_book_without_the_rule_lists_by_the_ruling_alone(line: dict[str, Any]) -> None:
    """FCP, WAR: an error is noted, and nobody is told of it, unless the table holds to ``carded_play`` all games."""
    wager = line["seats"][0]
    told = {"seat": wager["seat"], "wager": "play" if line is FOUR else "war", "paid_cents": 900_000}
    found = answer_to(line | {"payment_errors": [told]})
    assert not {"notices", "month_end"} & found.keys()
    assert found["rulings"]["carded_play"] == "as_book"
    assert found["notes"][-1].endswith("this book has no rule on it (carded_play)")
    assert answer_to(line | ALL_GAMES | {"payment_errors": [told]})["rulings"]["carded_play"] == "all_games"


@pytest.mark.parametrize(
    ("found_at", "day", "by"),
    [
        ("2026-12-01T05:59:59.9+11:00", "2026-11-30", "2026-11-30"),
        ("2026-12-01T06:00:00+11:00", "2026-12-01", "2026-12-31"),
        ("2026-12-01T23:59:00+11:00", "2026-12-01", "2026-12-31"),
        ("2027-01-01T05:30:00+11:00", "2026-12-31", "2026-12-31"),
    ],
)
def test_what_is_found_at_night_belongs_to_the_gaming_day_that_still_runs(found_at: str, day: str, by: str) -> None:
    """SIC 8.13, 8.14: a gaming day begins at 06:00, and an error or kept stake found before that is of the day before,
    also of its month.
    """
    error = {"seat": 5, "wager": "colour_change", "paid_cents": 0, "owed_cents": 250_000}
    invalid = {"seat": 5, "wagers": [{"wager": "small", "cents": 500}], "void_for": "invalid"}
    whose = {"seat": 5, "person": "A. Player", "reason": "another's card"}
    wrong = {"seats": [invalid], "invalid_wagers": [whose], "payment_errors": [error], "found_at": found_at}
    found = answer_to(SIC | wrong)
    assert [each["day"] for each in (*found["month_end"], *found["kept"])] == [day, day]
    assert [each["by"] for each in found["notices"]] == [by]


def test_an_underpayment_and_changes_of_chips_at_sic_bo() -> None:
    """SIC 8.10, 8.13: a cash or colour change may be wrong as well; what was owed is stated then; one notice a day."""
    told: list[dict[str, Any]] = [
        {"seat": 5, "wager": "colour_change", "paid_cents": 0, "owed_cents": 250_000, "day": "2026-12-02"},
        {"seat": 9, "wager": "cash_change", "paid_cents": 200_000, "owed_cents": 1, "answer": "attempted"},
        {"seat": 5, "wager": "big", "paid_cents": 200_000, "answer": "brought_to_nicc"},
    ]
    found = answer_to(SIC | {"payment_errors": told, "found_at": FOUND_AT})
    assert [(each["what"], each["cents"], each["day"]) for each in found["month_end"]] == [
        ("underpayment", 250_000, "2026-12-02"),
        ("overpayment", 199_999, "2026-11-28"),
        ("overpayment", 199_000, "2026-11-28"),
    ]
    assert [each["by"] for each in found["notices"]] == ["2026-12-31", "2026-11-30"]
    assert found["notes"][-3].startswith("seat 5: the colour change was underpaid by 250000 cents; to do: reimburse")
    assert found["notes"][-2].endswith("overpaid by 199999 cents; an attempt was made to rectify it (SIC 8.10)")


@pytest.mark.parametrize(
    ("line", "wrong", "field"),
    [
        (STUD, {"payment_errors": [{"seat": 1, "wager": "play", "paid_cents": 5}]}, "payment_errors[0].wager"),
        (STUD, {"payment_errors": [{"seat": 2, "wager": "bet", "paid_cents": 5}]}, "payment_errors[0].wager"),
        (STUD, {"payment_errors": [{"seat": 1, "wager": "cash_change", "paid_cents": 5}]}, "payment_errors[0].wager"),
        (STUD, {"payment_errors": [{"seat": 1, "wager": "bet", "paid_cents": 4000}]}, "payment_errors[0].paid_cents"),
        (
            STUD,
            {"payment_errors": [{"seat": 1, "wager": "bet", "paid_cents": 5, "owed_cents": 6}]},
            "payment_errors[0].owed_cents",
        ),
        (STUD, {"payment_errors": [{"seat": 1, "wager": "bet", "paid_cents": 5}] * 2}, "payment_errors[1].wager"),
        (SIC, {"payment_errors": [{"seat": 5, "wager": "big", "paid_cents": -5}]}, "payment_errors[0].paid_cents"),
        (
            SIC,
            {"payment_errors": [{"seat": 5, "wager": "cash_change", "paid_cents": 5}]},
            "payment_errors[0].owed_cents",
        ),
        (
            SIC,
            {"payment_errors": [{"seat": 5, "wager": "big", "paid_cents": 5, "day": "2026-11-31"}]},
            "payment_errors[0].day",
        ),
        (STUD, {"found_at": "2026-11-31T00:00:00Z"}, "found_at"),
        (STUD, {"found_at": "2026-11-30T00:00:00"}, "found_at"),
        (STUD, {"found": ["card_exposed", "card_exposed"]}, "found[1]"),
        (STUD, {"found": ["absent"]}, "found[0]"),
        (STUD, {"invalid_wagers": [{"seat": 1, "person": "A", "reason": "b"}]}, "invalid_wagers[0].seat"),
    ],
)
def test_a_report_that_cannot_be_is_refused(line: dict[str, Any], wrong: dict[str, Any], field: str) -> None:
    """Of a wager that was not settled, an error that is none, a day that is none: the field says which."""
    with pytest.raises(RecordError) as refused:
        answer_to(line | wrong)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("wrong", "field", "reason"),
    [
        ({"found_at": "2026-11-30T00:00:00"}, "found_at", "not a moment with its offset from UTC, such as 2026-11-28T"),
        ({"month": "2026-13"}, "month", "not a month, such as 2026-11"),
        ({"table": "T 1"}, "table", "not a name: up to 64 letters"),
        ({"edition": "soon"}, "edition", "not a day, such as 2024-08-16"),
        ({"limits": {"min_cents": {"Big": 500}}}, "limits.min_cents", "not a name such as big"),
        ({"payment_errors": [{"seat": 5, "wager": "Big", "paid_cents": 5}]}, "payment_errors[0].wager", "not a name"),
        (
            {"payment_errors": [{"seat": 5, "wager": "big", "paid_cents": 5, "day": "3 Nov"}]},
            "payment_errors[0].day",
            "not a day, such as 2026-11-03",
        ),
    ],
)
def test_a_text_in_a_wrong_form_is_refused_in_words(wrong: dict[str, Any], field: str, reason: str) -> None:
    """Whoever wrote it is told what it should look like; never a regular expression."""
    with pytest.raises(RecordError) as refused:
        answer_to(SIC | wrong)
    assert refused.value.field == field
    assert refused.value.reason.startswith(reason)


def test_a_jackpot_wager_that_won_is_owed_what_the_link_awards() -> None:
    """CSP 14.16: the settlement does not know the award, so the report says it; of a losing one nothing was owed."""
    seat = STUD["seats"][0] | {"jackpot_cents": 100}
    lost = STUD | {"seats": [seat], "payment_errors": [{"seat": 1, "wager": "jackpot", "paid_cents": 100_001}]}
    assert answer_to(lost)["month_end"][0]["owed_cents"] == 0
    won = lost | {"seats": [seat | {"cards": "2h 4h 6h 8h Th", "decision": "bet"}]}
    with pytest.raises(RecordError, match="owed_cents"):
        answer_to(won)
    told = [{"seat": 1, "wager": "jackpot", "paid_cents": 100_001, "owed_cents": 10_000}]
    assert "month_end" not in answer_to(won | {"payment_errors": told})


def _invalid(line: dict[str, Any], **more: Any) -> dict[str, Any]:
    (seat,) = line["seats"]
    return line | KEPT | more | {"seats": [seat | {"void_for": "invalid"}]}


@pytest.mark.parametrize(
    ("line", "rule", "cents"),
    [
        (_invalid(STUD, dealer="As Ad 9h 5c 3d"), "CSP 14.20.2", [1000, 2000]),
        (_invalid(THREE, dealer="Qh Qc 3d"), "TCP 12.16.2", [1000, 1000]),
        (_invalid(FOUR, dealer="Kc Kd Ks 5s 3d 2c"), "FCP 1.1", [1000, 3000]),
        (_invalid(WAR, dealer="8d Tc"), "WAR 1.1", [2500, 2500]),
        (_invalid(SIC, dice=[1, 2, 3]), "SIC 8.14.2", [500]),
    ],
)
def test_kept_stakes_say_whose_they_were_and_why(line: dict[str, Any], rule: str, cents: list[int]) -> None:
    """CSP 14.20.2, TCP 12.16.2, SIC 8.14.2, and by ``carded_play`` in the other books: person, reason, amount, rule."""
    if line["game"] == "four_card_poker":
        line = line | {"seats": [line["seats"][0] | {"cards": "5h 6h 7d 8c Jh"}]}
    seat = line["seats"][0]["seat"]
    found = answer_to(line)
    assert [(each["seat"], each["cents"]) for each in found["kept"]] == [(seat, amount) for amount in cents]
    assert all("person" not in each for each in found["kept"])
    whose = {"seat": seat, "person": "A. Player", "reason": "another's Player Card"}
    named = answer_to(line | {"invalid_wagers": [whose], "found_at": FOUND_AT})["kept"]
    assert {each["rule"] for each in named} == {rule}
    whole = {"person": "A. Player", "reason": "another's Player Card", "day": "2026-11-28"}
    assert all(each.items() >= whole.items() for each in named)
    for name in ("person", "reason"):
        with pytest.raises(RecordError, match=f"invalid_wagers.0..{name}"):
            answer_to(line | {"invalid_wagers": [whose | {name: " "}]})
    with pytest.raises(RecordError, match=r"invalid_wagers.1..seat"):
        answer_to(line | {"invalid_wagers": [whose, whose]})
    settings = line["settings"] | {"invalid_losing": "returned"}
    assert "kept" not in answer_to(line | {"settings": settings})


@pytest.mark.parametrize(
    ("line", "kind", "rule"),
    [
        (STUD, "card_exposed", "CSP 14.5"),
        (STUD, "dealer_card_exposed_in_deal", "CSP 14.6"),
        (STUD, "dealer_cards_exposed", "CSP 14.7"),
        (STUD, "hand_at_an_empty_area", "CSP 14.10"),
        (STUD, "shuffle_failed", "CSP 15.1"),
        (THREE, "card_exposed", "TCP 12.5"),
        (THREE, "dealer_cards_exposed", "TCP 12.6"),
        (THREE, "hand_at_an_empty_area", "TCP 12.8"),
        (THREE, "shuffle_failed", "TCP 13.1"),
        (FOUR, "card_exposed", "FCP 12.5"),
        (FOUR, "hand_at_an_empty_area", "FCP 12.7"),
        (FOUR, "shuffle_failed", "FCP 13.1"),
    ],
)
def test_what_stands_is_said_with_what_is_done_about_it(line: dict[str, Any], kind: str, rule: str) -> None:
    """Every wager is settled as if nothing had happened; people are told what the rule has them do."""
    found = answer_to(line | {"found": [kind]})
    assert found["lines"] == answer_to(line)["lines"]
    assert found["notes"] != answer_to(line)["notes"]
    assert all(note.endswith(f"({rule})") for note in found["notes"])
    assert "notices" not in found
