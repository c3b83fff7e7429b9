"""No act is posted that could not be read back: one that was stopped every audit and export for ever (PROTOCOL 3)."""

from collections.abc import Iterator
from typing import cast

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jackpot.core.chain import decode_body
from jackpot.core.commands import Act, Command, Enrol, MoveHit, OpenSite, RegisterLink, command_of, of_act
from jackpot.core.decide import decide_all
from jackpot.core.state import LinkState
from jackpot.wire.codec import FrameError, encode
from jackpot.wire.messages import Name
from rules.records import RecordError
from tests.support.floor import NOW_US, Floor
from tests.support.frames import ACTS

FREE = {("hit", "hit"), ("hit", "move"), ("release", "hit"), ("release", "move")} | {
    (kind, "hit") for kind in ("decide_order", "recovered", "paid_before")
}
"""Texts that are no words of people: they are looked up, and what is not there is refused."""


def fields(*kinds: object) -> Iterator[tuple[str, str]]:
    """Every field of every act that holds a text."""
    for kind, act in ACTS.items():
        for field in msgspec.structs.fields(type(act)):
            if isinstance(getattr(act, field.name), str) and (not kinds or field.type in kinds):
                yield kind, field.name


def changed(kind: str, field: str, text: str) -> Act:
    """The act of a kind with another text in one of its fields."""
    return cast("Act", msgspec.structs.replace(ACTS[kind], **{field: text}))


@pytest.mark.parametrize(("kind", "field"), [each for each in fields() if each not in FREE])
def test_a_text_that_is_too_long_is_refused_by_its_field(kind: str, field: str) -> None:
    """What is longer than its field may be makes no command, and the refusal names field and value, cut short."""
    with pytest.raises((FrameError, RecordError)) as refused:
        of_act(changed(kind, field, "a" * 500))
    if isinstance(refused.value, FrameError) and field != "order":
        assert refused.value.field == field
        assert len(refused.value.value) <= 40
        assert "wanted" in refused.value.reason


@pytest.mark.parametrize(("kind", "field"), list(fields()))
@pytest.mark.parametrize("text", ["Ann\0", "\ud800", "a\udfffb"])
def test_a_text_that_cannot_be_stored_is_refused(kind: str, field: str, text: str) -> None:
    """A NUL or half a surrogate pair makes no command in any field of any act."""
    with pytest.raises((FrameError, RecordError)):
        of_act(changed(kind, field, text))


@pytest.mark.parametrize(("kind", "field"), list(fields(Name)))
@pytest.mark.parametrize("text", ["", " ", "T 3", "../x", "/x", "-x", "T1\n", "T\u00e9", "a" * 25])
def test_what_is_no_name_is_refused(kind: str, field: str, text: str) -> None:
    """Tables and links have names of letters and digits, and the refusal says so."""
    with pytest.raises((FrameError, RecordError)) as refused:
        of_act(changed(kind, field, text))
    if isinstance(refused.value, FrameError):
        assert (refused.value.field, "wanted a name of 1 to 24 letters" in refused.value.reason) == (field, True)


@given(st.sampled_from(list(fields())), st.text(max_size=450) | st.text(st.characters(codec="ascii"), max_size=24))
@example(("enrol", "by"), "\ud800")
def test_what_is_made_a_command_reads_as_itself(place: tuple[str, str], text: str) -> None:
    """Whatever people write, either it makes no command, or one whose bytes give the same command again."""
    try:
        command = of_act(changed(*place, text))
    except (FrameError, RecordError):
        return
    again = command_of(command.raw)
    assert (again.id, again.raw, again.message) == (command.id, command.raw, command.message)


def test_a_command_that_does_not_read_as_itself_is_set_aside_and_its_neighbours_are_posted() -> None:
    """Should such a command come to a poster, it alone is kept aside and the batch can be read again."""
    act = Enrol("T 3", "southern", "cd" * 32, 1, "Ann")
    bad = Command("site/table/T 3/1", encode(act), act)
    site, other = of_act(OpenSite("ef" * 32, "Ann")), of_act(RegisterLink("southern", "cd" * 32, "Ann"))
    decision = decide_all(LinkState("site"), [site, bad, other], {}, NOW_US)
    assert (list(decision.aside), "table: wanted a name" in decision.aside[1]) == ([1], True)
    assert decision.batch is not None
    stored = decode_body(decision.batch.body).commands
    assert [command_of(bytes(one.command)).id for one in stored] == [site.id, other.id]


def test_bytes_that_say_something_else_are_set_aside() -> None:
    """A command whose bytes are another act's is not posted under its own id."""
    floor = Floor()
    floor.play("T1 wagers 1: 3  accepted\nT1 record 1: 3=royal_flush  recorded")
    (hit,) = floor.state.hits
    act, other = MoveHit(str(hit), "verify", "Ann", 1), of_act(MoveHit(str(hit), "verify", "Bob", 1))
    decision = decide_all(floor.state, [Command(of_act(act).id, other.raw, act)], {}, floor.time_us + 1)
    assert (list(decision.aside), decision.batch) == ([0], None)
