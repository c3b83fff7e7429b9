"""The first fault of a text, by its path, its value and its reason."""

import pytest

from rules.strict_json import Fault, first_fault, line_of, value_at

FAULTS = [
    (b'{"a":{"b":[1,{"c":1,"c":2}]}}', Fault("a.b[1].c", "2", "repeated")),
    (b'{"a":1,"a":null}', Fault("a", "null", "repeated")),
    (b'{"a":[1,null]}', Fault("a[1]", "null", "null: what is absent is left out")),
    (b'{"a":[{"b":Infinity}]}', Fault("a[0].b", "Infinity", "not a number that JSON has")),
    (b'{"a":[1,2,nope]}', Fault("a[2]", "nope", "not JSON: Expecting value")),
    (b'{"a":{"b":1},"c":[{"d":1},{"d":-}]}', Fault("c[1].d", "-", "not JSON: Expecting value")),
    (b'{"a":"]}{[,","b":x}', Fault("b", "x", "not JSON: Expecting value")),
    (b'{"a":"\\"","b":x}', Fault("b", "x", "not JSON: Expecting value")),
    (b'\xef\xbb\xbf{"a":1}', Fault("", '\\ufeff{"a":1}', "begins with a byte order mark, which JSON does not have")),
    (b'{"a":"\xff"}', Fault("", '\\xff"}', "not UTF-8")),
]


@pytest.mark.parametrize(("text", "fault"), FAULTS)
def test_faults_are_found_where_they_are(text: bytes, fault: Fault) -> None:
    """Repeated names, nulls, what Python calls a number, and what is no JSON: each is named by its path."""
    assert first_fault(text) == fault


@pytest.mark.parametrize("text", [b"{}", b'{"a":[1,-2,3.5e1,"x",true,{"a":1}]}', b'"x"', b'{"b":{"a":1},"c":{"a":1}}'])
def test_a_text_without_fault_has_none(text: bytes) -> None:
    """A name may stand again in another object."""
    assert first_fault(text) is None


def test_a_part_of_another_form_is_left_to_its_own_reader() -> None:
    """A line's terms hold nulls of their own."""
    text = b'{"jackpot":{"terms":{"limit":null,"limit":null}},"x":null}'
    assert first_fault(text, "jackpot.terms") == Fault("x", "null", "null: what is absent is left out")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a[1].b", "1e400"),
        ("a[0]", "007"),
        ("a", '["007",{"b":"1e400"}]'),
        ("a[2]", ""),
        ("a[1].x", ""),
        ("x.y", ""),
        ("a[...].b", ""),
    ],
)
def test_values_are_found_as_they_were_written(path: str, value: str) -> None:
    """A library gives the path of what it refuses; the value stands there, digit by digit."""
    assert value_at(b'{"a":["007",{"b":1e400}]}', path) == value


def test_thousands_of_digits_are_never_made_a_number() -> None:
    """Python refuses or takes minutes over such a number; only its first digits are shown."""
    assert value_at(b'{"a":' + b"9" * 100_000 + b"}", "a") == "9" * 40


LINED = b"""{
  "name": "a",
  "prizes": [
    {"name": "b"},
    {
      "name": "c", "details": {"make": "x",
        "model": "y"}
    }
  ],
  "last": 1
}"""

LINES = (
    ("", 1),
    ("name", 2),
    ("prizes", 3),
    ("prizes[0]", 4),
    ("prizes[0].name", 4),
    ("prizes[1]", 5),
    ("prizes[1].name", 6),
    ("prizes[1].details.make", 6),
    ("prizes[1].details.model", 7),
    ("last", 10),
    ("prizes[1].details.missing", 6),
    ("prizes[7].name", 3),
    ("missing", 1),
)


@pytest.mark.parametrize(("path", "line"), LINES)
def test_the_line_of_a_field(path: str, line: int) -> None:
    """A field has the line on which its name stands; what is missing has that of the object or list that lacks it."""
    assert line_of(LINED, path) == line


def test_the_line_of_a_field_of_what_cannot_be_read() -> None:
    """A text that is no JSON, or none at all, has lines too."""
    assert line_of(b"", "a") == 1
    assert line_of(b'{"a":\n{"b":\xff', "a.b") == 2
    assert line_of(b"[" * 100_000 + b"," * 100_000, "a.b.c") == 1
