"""The lines of a floor in which people act on a round that is over, or whose journal is lost: void, correct, type in.

T1 amend 1: 2 rule=14.8          void_recorded
T1 correct 1: 3=flush late       corrected
recover T1/1/1/3/main cents=500  recovered
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from jackpot.core.amendments import (
    CorrectRecorded,
    DecideOrder,
    Forfeited,
    RecordTyped,
    Recovered,
    VoidOpen,
    VoidRecorded,
)
from jackpot.core.commands import Act
from jackpot.core.hits import undecided
from jackpot.core.ports import Reply
from jackpot.core.state import LinkState
from jackpot.ledger.past_rounds import PastRounds
from jackpot.wire.ids import parse_hit
from rules.terms import Terms, fingerprint
from tests.support.hands import record_line


class AmendedFloor:
    """What people do to rounds after their record, and instead of one; a floor brings the rest."""

    state: LinkState
    terms: Terms
    past: PastRounds

    def act(self, act: Act) -> Reply:
        """Let a person act."""
        raise AssertionError(act)

    def at(self, words: Sequence[str]) -> dict[str, Any]:
        """The place of a round."""
        raise AssertionError(words)

    def _became(self, reply: Reply) -> str:
        raise AssertionError(reply)

    def _amend(self, words: list[str]) -> str:
        """Void a recorded round, or the seats named: `T1 amend 1: 2 rule=14.8`, by Ann with Bob because of the film."""
        given, at = options(words), self.at(words)
        past = self.past.of((at["table"], at["journal"], at["round"]))
        act = VoidRecorded(
            **{**at, "revision": int(given.get("revision", 2))},
            rule=f"CSP {given.get('rule', '14.4')}",
            by=given.get("by", "Ann").strip("-"),
            second=given.get("with", "Bob").strip("-"),
            reason=given.get("reason", "film").strip("-"),
            past=past,
            seats=tuple(int(word) for word in words[3:] if word.isdigit()),
            forfeits=self._forfeits(words),
        )
        return self._became(self.act(act))

    def _correct(self, words: list[str]) -> str:
        """Correct a record: `T1 correct 1: 3=flush 4 late`, by Ann with Bob because of the film, or `manager=Max`."""
        given, at = options(words), self.at(words)
        at["revision"] = int(given.get("revision", 2))
        held = self.past.held((at["table"], at["journal"], at["round"]))
        own = self._terms_at(held.past.commit)
        raw = record_line(at, _said(words), held.past.seats, own, fingerprint(own))
        act = CorrectRecorded(
            **at,
            corrects=int(given.get("corrects", held.recorded)),
            by=given.get("by", "Ann").strip("-"),
            reason=given.get("reason", "film").strip("-"),
            record=msgspec.Raw(raw),
            past=held.past,
            second=given.get("with", "Bob").strip("-"),
            manager=given.get("manager", ""),
        )
        return self._became(self.act(act))

    def _terms_at(self, commit: int) -> Terms:
        found = [each for each in self.state.older.values() if each.since <= commit]
        return max(found, key=lambda each: each.since).terms if found else self.terms

    def _type(self, words: list[str]) -> str:
        """Type in the record of an open round: `T1 type 1: 3=flush manager=Max`, by Ann with Bob."""
        given, at = options(words), self.at(words)
        opened = self.state.rounds.get((at["table"], at["journal"], at["round"]))
        own = self.state.older[opened.terms].terms if opened else self.terms
        raw = record_line(at, _said(words), opened.accepted if opened else frozenset(), own, fingerprint(own))
        del at["revision"]
        at |= {"by": given.get("by", "Ann").strip("-"), "second": given.get("with", "Bob").strip("-")}
        at |= {"reason": given.get("reason", "paper").strip("-"), "manager": given.get("manager", "")}
        return self._became(self.act(RecordTyped(**at, record=msgspec.Raw(raw))))

    def _forfeits(self, words: list[str]) -> tuple[Forfeited, ...]:
        seats = options(words).get("forfeit", "")
        director, why = options(words).get("director", "Sue").strip("-"), options(words).get("why", "fraud").strip("-")
        return tuple(Forfeited(int(seat), director, why) for seat in seats.split(",") if seat)

    def _invalidate(self, words: list[str]) -> str:
        """Void an open round with wagers forfeited: `T1 invalidate 1: forfeit=3,4`, as Sue directed for fraud."""
        given, at = options(words), self.at(words)
        at["revision"] = int(given.get("revision", 2))
        at |= {"by": given.get("by", "Ann").strip("-"), "second": given.get("with", "Bob").strip("-")}
        rule, reason = f"CSP {given.get('rule', '16.6')}", given.get("reason", "film").strip("-")
        return self._became(self.act(VoidOpen(**at, rule=rule, reason=reason, forfeits=self._forfeits(words))))

    def _recover(self, words: list[str]) -> str:
        """So much of an overpayment came back: `recover T1/1/1/3/main cents=500 part=1`."""
        given = options(words)
        owed = self.past.held(parse_hit(words[1])[:3]).owed_cents.get(words[1], 0)
        act = Recovered(
            hit=words[1],
            part=int(given.get("part", 1)),
            cents=int(given["cents"]),
            by=given.get("by", "Ann").strip("-"),
            second=given.get("with", "Bob").strip("-"),
            reason=given.get("reason", "letter").strip("-"),
            owed_cents=int(given.get("owed", owed)),
        )
        return self._became(self.act(act))

    def _decide(self, words: list[str]) -> str:
        """Say which order holds: `decide T1/1/1/3/main order=wagers`, of the last dispute of it that is undecided."""
        given, hit = options(words), self.state.hits[parse_hit(words[1])]
        since = max(undecided(hit), default=0)
        last = [key for key, one in self.state.hits.items() if since in one.awarded_in] or [hit.key]
        act = DecideOrder(
            hit=words[1],
            order="wagers" if given.get("order") == "wagers" else "commit",
            by=given.get("by", "Ann").strip("-"),
            second=given.get("with", "Bob").strip("-"),
            reason=given.get("reason", "films").strip("-"),
            nth=len(hit.acts),
            table=last[0].table,
            journal=last[0].journal,
            round=last[0].round,
            wagers_commit=int(given.get("wagers_commit", self.past.of(last[0][:3]).commit)),
            manager=given.get("manager", ""),
        )
        return self._became(self.act(act))


def options(words: Sequence[str]) -> dict[str, str]:
    """The words of a line that name something: `journal=2`, or a bare `alive`."""
    found = {
        name: value for name, _, value in (word.partition("=") for word in words[1:] if "/" not in word.split("=")[0])
    }
    return {name: value for name, value in found.items() if value or name in {"alive", "late", "noword"}}


_PEOPLE = ("by=", "with=", "manager=", "reason=", "revision=", "corrects=", "journal=", "month=")


def _said(words: Sequence[str]) -> list[str]:
    """The words of a line that its record says, without those of the people who typed it."""
    return [word for word in words[3:] if not word.startswith(_PEOPLE)]
