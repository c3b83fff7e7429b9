"""What does an export say of each round? One line a record, withdrawal, void or release, in commit order.

Written from the batches' bodies alone: whoever holds `ledger.jsonl` can write `rounds.jsonl` again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET

from jackpot.core.amending import RoundKey
from jackpot.core.amendments import CorrectRecorded, DecideOrder, RecordTyped, Recovered, VoidOpen, VoidRecorded
from jackpot.core.answers import (
    CorrectedAnswer,
    HitAnswer,
    OpenedAnswer,
    OrderAnswer,
    RecoveredAnswer,
    VoidRecordedAnswer,
    decode_stored,
)
from jackpot.core.chain import Body, BodyCommand
from jackpot.core.commands import Command, MoveHit, NewTerms, OpenLink, command_of, typed_record
from jackpot.core.hits import CLAIMED
from jackpot.wire.messages import (
    AwardLine,
    MeterAround,
    Moved,
    RecordAnswer,
    RefusedAnswer,
    Void,
    VoidAnswer,
    Wagers,
    WagersAnswer,
    Withdraw,
    WithdrawAnswer,
)
from jackpot.wire.refusals import Refusal
from rules.records import AwardRecord, MeterRecord, RoundRecord, encode_record
from rules.terms import fingerprint, parse_terms

_json = msgspec.json.Encoder()


@dataclass(slots=True)
class _Begun:
    """A round that has begun: the terms it is under, the commit of its accepted wagers, the seats still in play."""

    terms: str
    wagers_commit: int | None = None
    seats: set[int] = field(default_factory=set)


class RoundLines:
    """Writes the lines of a chain's bodies, taken one after the other from the first."""

    def __init__(self) -> None:
        """Begin before the first batch."""
        self._in_force = ""
        self._prices: dict[str, int] = {}
        self._begun: dict[RoundKey, _Begun] = {}
        self._highest: dict[tuple[str, int], int] = {}

    def take(self, body: Body) -> Iterator[bytes]:
        """The lines of a batch, without their ends."""
        for each in body.commands:
            command = command_of(bytes(each.command))
            answer = decode_stored(each.answer)
            match command.message, answer:
                case (OpenLink() | NewTerms()) as act, OpenedAnswer():
                    terms = parse_terms(bytes(act.terms))
                    self._in_force = fingerprint(terms)
                    self._prices[self._in_force] = terms.qualifying_wager_cents
                case Wagers(), WagersAnswer() | RefusedAnswer():
                    self._wagers(command, each.commit, answer)
                case (Withdraw() | Void()) as message, WithdrawAnswer() | VoidAnswer():
                    yield self._reversed(command, message, each.commit, answer)
                case RoundRecord() as record, RecordAnswer():
                    yield self._record(command, record, each.commit, answer)
                case RecordTyped() as act, RecordAnswer():
                    yield self._record(_of_round(command, act), typed_record(act), each.commit, answer)
                case (VoidOpen() | VoidRecorded()) as act, VoidRecordedAnswer():
                    self._begun.pop((act.table, act.journal, act.round), None)
                    yield _amended(body, each, act, answer, {"returned_seats": answer.seats})
                case CorrectRecorded() as act, CorrectedAnswer():
                    yield _amended(body, each, act, answer, {})
                case (DecideOrder() | Recovered()) as act, OrderAnswer() | RecoveredAnswer():
                    yield _amended(body, each, act, answer, {})
                case MoveHit() as act, HitAnswer():
                    yield from _released(body, each, act, answer)
                case _:
                    continue

    def _wagers(self, command: Command, commit: int, answer: WagersAnswer | RefusedAnswer) -> None:
        if isinstance(answer, RefusedAnswer):
            # Refused wagers open their round all the same, but for a journal nobody was granted.
            if answer.code != Refusal.NOT_ENROLLED.code and self._is_new(command):
                self._round(command)
            return
        accepted = {seat.seat for seat in answer.seats if seat.accepted}
        begun = self._round(command)
        begun.seats = accepted
        begun.wagers_commit = commit if accepted else None

    def _reversed(
        self, command: Command, message: Withdraw | Void, commit: int, answer: WithdrawAnswer | VoidAnswer
    ) -> bytes:
        begun = self._round(command)
        begun.seats -= set(message.seats) if isinstance(message, Void) and message.seats else begun.seats.copy()
        if isinstance(message, Void) and not message.seats:
            self._begun.pop(_key(command), None)
        said = msgspec.json.decode(_json.encode(message))
        return _line({**said, "commit": commit, "returned_seats": answer.seats, "moved": _moved(answer.moved)})

    def _record(self, command: Command, record: RoundRecord, commit: int, answer: RecordAnswer) -> bytes:
        begun = self._round(command)
        self._begun.pop(_key(command), None)
        price = self._prices[begun.terms]
        main = answer.meters[0]
        seats = tuple(
            msgspec.structs.replace(seat, jackpot_cents=price if seat.seat in begun.seats else None)
            for seat in record.seats
        )
        return encode_record(
            msgspec.structs.replace(
                record,
                seats=seats,
                terms=begun.terms,
                wagers_commit=begun.wagers_commit,
                commit=commit,
                meter_before_cents=main.before_cents,
                awards=tuple(_award(line) for line in answer.awards if line.state != CLAIMED),
                meter_after_cents=main.after_cents,
                meters=tuple(map(_meter, answer.meters)) if len(answer.meters) > 1 else None,
                meter_basis_cents=None if main.basis_cents is UNSET else main.basis_cents,
            )
        )

    def _is_new(self, command: Command) -> bool:
        return command.round > self._highest.get((command.table, command.journal), 0)

    def _round(self, command: Command) -> _Begun:
        """The round a command is of; one that is new is under the terms in force."""
        if self._is_new(command):
            self._highest[command.table, command.journal] = command.round
            self._begun[_key(command)] = _Begun(self._in_force)
        return self._begun.setdefault(_key(command), _Begun(self._in_force))


def _key(command: Command) -> RoundKey:
    return command.table, command.journal, command.round


def _award(line: AwardLine) -> AwardRecord:
    return msgspec.convert({name: getattr(line, name) for name in AwardRecord.__struct_fields__}, AwardRecord)


def _meter(around: MeterAround) -> MeterRecord:
    basis = None if around.basis_cents is UNSET else around.basis_cents
    return MeterRecord(around.pool, around.before_cents, around.after_cents, basis)


def _of_round(command: Command, act: RecordTyped) -> Command:
    return msgspec.structs.replace(command, journal=act.journal, round=act.round)


def _amended(
    body: Body, command: BodyCommand, act: msgspec.Struct, answer: msgspec.Struct, also: Mapping[str, Any]
) -> bytes:
    """What people amended: what they say, what was answered, and every entry of its commit by its cause."""
    said = msgspec.json.decode(_json.encode(act))
    entries = [
        {"account": entry.account, "microcents": entry.microcents, "cause": entry.cause}
        for entry in body.entries
        if entry.commit == command.commit
    ]
    told = msgspec.json.decode(_json.encode(answer))
    del told["kind"]
    if "returned_seats" in also:
        del told["seats"]
    return _line({**said, **told, "commit": command.commit, **also, "moved": entries})


def _released(body: Body, command: BodyCommand, act: MoveHit, answer: HitAnswer) -> Iterator[bytes]:
    moved = [
        {"account": entry.account, "microcents": entry.microcents}
        for entry in body.entries
        if entry.commit == command.commit and entry.cause == "release"
    ]
    if moved:
        line = {"kind": "release", "hit": act.hit, "commit": command.commit, "amount_cents": answer.amount_cents}
        yield _line({**line, "moved": moved})


def _moved(moved: list[Moved]) -> list[dict[str, str]]:
    return [{"account": one.account, "microcents": one.microcents} for one in moved]


def _line(fields: Mapping[str, Any]) -> bytes:
    return _json.encode(fields)
