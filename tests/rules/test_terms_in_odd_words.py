"""Terms in words that look right and are not: digits of other scripts, another edition, texts that steer a terminal."""

import json
from importlib import resources
from typing import Any

import pytest

from rules.games import GAMES
from rules.strict_json import first_fault
from rules.terms import TermsError, parse_terms


def demo_terms(**changed: Any) -> bytes:
    """The demonstration's terms with some of their fields changed."""
    terms = json.loads(resources.files("jackpot").joinpath("demo_terms.json").read_bytes())
    return json.dumps({**terms, **changed}).encode()


@pytest.mark.parametrize(
    ("field", "value"),
    [("day_start", "0\uff16:00"), ("edition", "\uff12024-08-16"), ("edition", "2024-99-99"), ("edition", "2023-08-16")],
)
def test_a_field_has_one_spelling(field: str, value: str) -> None:
    """Full-width digits would give one hour two fingerprints (11.9); an edition not held here cannot be settled by."""
    with pytest.raises(TermsError) as refused:
        parse_terms(demo_terms(**{field: value}))
    assert refused.value.field == field


def test_the_edition_of_terms_is_the_games() -> None:
    """Terms may name the edition by which the game's rounds are settled, and no other."""
    for game in [game for game in GAMES.values() if game.linked]:
        assert parse_terms(demo_terms(game=game.name, edition=game.edition)).edition == game.edition


@pytest.mark.parametrize("value", ["\x1b[2J", "a\nb", "\x00", "\u2028", "\ud800"])
def test_a_refused_text_does_not_steer_the_terminal(value: str) -> None:
    """What a stranger wrote is shown escaped: a refusal of it fits one line of any log."""
    with pytest.raises(TermsError) as refused:
        parse_terms(demo_terms(name=value))
    assert str(refused.value).isprintable()
    fault = first_fault(json.dumps({value: None}).encode())
    assert fault is not None
    assert "".join(fault).isprintable()
