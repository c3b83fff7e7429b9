"""What the texts of a frame may be: the field's form to its last character."""

import msgspec
import pytest

from jackpot.wire.messages import Hex, Month, Name

TEXTS = [
    (Name, "T1", True),
    (Name, "T1\n", False),
    (Name, "", False),
    (Name, "T 1", False),
    (Hex, "", True),
    (Hex, "ab09", True),
    (Hex, "ab0", False),
    (Hex, "ab09\n", False),
    (Hex, "AB", False),
    (Month, "2026-11", True),
    (Month, "2026-11\n", False),
    (Month, "2026-13", False),
    (Month, "\uff12026-11", False),
]


@pytest.mark.parametrize(("form", "text", "taken"), TEXTS)
def test_a_text_is_of_its_form_to_the_last_character(form: object, text: str, *, taken: bool) -> None:
    """A name, hexadecimal bytes and a month end where their form ends: no line break, no digits of other scripts."""
    try:
        msgspec.convert(text, form)
    except msgspec.ValidationError:
        assert not taken
    else:
        assert taken
