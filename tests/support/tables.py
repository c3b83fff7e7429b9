"""Tables to test with: a felt of the demonstration's terms, and rounds played on it without any edge."""

import asyncio
from dataclasses import replace
from typing import Literal

from jackpot.wire.codec import encode
from jackpot.wire.messages import RecordAnswer, SeatAnswer, Shown, WagersAnswer
from jackpot.wire.settings import TableSettings
from rules.records import LimitsRecord
from tablelink.core.dealing import Dealing, prompt, step
from tablelink.core.felt import Felt, lay_felt
from tablelink.core.inputs import (
    DEVICE_PROMPTS,
    Answered,
    AwaitAnswer,
    AwaitPayout,
    Granted,
    HitsNow,
    Input,
    NoMoreBets,
    Post,
)
from tablelink.device import Device, DevicePrompt
from tests.support.terms import demo_terms

SHOWN = Shown(1, 7, 1, 5_000_000)
APPROVED = TableSettings(
    least_round_s=0,
    limits=LimitsRecord(ante_min_cents=500, ante_max_cents=50_000, ante_unit_cents=500, jackpot_cents=100),
)


def felt(
    table: str = "T1", *, capture: Literal["full", "claims"] = "full", device: Literal["shoe", "shuffler"] = "shoe"
) -> Felt:
    """A table's felt."""
    approved = TableSettings(least_round_s=0, limits=APPROVED.limits, capture=capture, device=device)
    return lay_felt(table, demo_terms(), approved)


def granted() -> Dealing:
    """A table that was welcomed for the first time."""
    return Dealing(journal=1, month="2026-11")


GRANTED = Granted(1, "2026-11", 0)


def green(*seats: int, red: tuple[int, ...] = ()) -> str:
    """The server's answer to wagers: these seats accepted, those refused."""
    answers = [SeatAnswer(seat, accepted=True) for seat in seats]
    answers += [SeatAnswer(seat, accepted=False, refusal="no_ante", rule="CSP 11.1") for seat in red]
    return encode(WagersAnswer(sorted(answers, key=lambda answer: answer.seat))).decode()


RECORDED = encode(RecordAnswer([])).decode()


async def played_steps(device: Device, on: Felt, rounds: int) -> list[tuple[Input, Dealing, tuple[Post, ...]]]:
    """Play so many rounds with a server that accepts everything: each input, the table after it, its messages."""
    dealing, done = Dealing(), 0
    steps: list[tuple[Input, Dealing, tuple[Post, ...]]] = []

    def take(given: Input) -> None:
        nonlocal dealing
        dealing, posts = step(dealing, given, on)
        steps.append((given, dealing, posts))

    take(GRANTED)
    while done < rounds:
        wanted = prompt(dealing, on)
        if isinstance(wanted, AwaitAnswer):
            under_way = dealing.round
            assert under_way is not None
            take(Answered(wanted.id, green(*(seat.seat for seat in under_way.seats if seat.plays_jackpot))))
            continue
        if isinstance(wanted, AwaitPayout):
            assert dealing.last is not None
            take(Answered(dealing.last.id, RECORDED))
            continue
        assert isinstance(wanted, DEVICE_PROMPTS)
        given = await _responded(device, wanted, dealing)
        take(given)
        done += any(post.ends_round for post in steps[-1][2])
    return steps


async def _responded(device: Device, wanted: DevicePrompt, dealing: Dealing) -> Input:
    given = await device.respond(wanted, dealing)
    return replace(given, shown=SHOWN) if isinstance(given, NoMoreBets) else given


def play(device: Device, on: Felt, rounds: int) -> list[tuple[Input, Dealing, tuple[Post, ...]]]:
    """The same, to its end."""
    return asyncio.run(played_steps(device, on, rounds))


def records(device: Device, on: Felt, rounds: int) -> list[bytes]:
    """The records of so many rounds."""
    return [post.body for _given, _after, posts in play(device, on, rounds) for post in posts if "/record/" in post.id]


__all__ = ["APPROVED", "GRANTED", "RECORDED", "SHOWN", "HitsNow", "felt", "granted", "green", "play", "records"]
