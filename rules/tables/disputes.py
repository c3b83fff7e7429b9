"""Disputes and complaints about the game: who decides them, in which order, and who is told what (CSP 16.13, 16.14).

A dispute is decided by a supervisor of the game, reviewed by a casino supervisor if that is asked for, and then final.
Does not know whether a decision is right, nor a dispute about a promotion (``rules.promotions``).
"""

from dataclasses import replace
from typing import Literal

from rules.tables.signs import advance
from rules.tables.table import ActRefused, Dispute, Due, Entry, L, Step, Table, named

Role = Literal["game", "casino"]
"""Whose supervisor decides: the game's (gaming, or games, supervisor), or the casino's."""


def raise_dispute(table: Table[L], name: str, person: str, about: str, at_us: int) -> Step[L]:
    """Write a dispute or complaint down and refer it to a supervisor of the game (CSP 16.13), the table closed or not.

    Raises ``ActRefused`` without a name, a person or what it is about, and for a name that another dispute has.
    """
    step = advance(table, at_us)
    row = table.provisions
    named(row.dispute, name=name, person=person, about=about)
    if any(each.name == name for each in table.disputes):
        raise ActRefused(row.dispute, f"dispute: {name}: there is one of that name")
    told = Due(row.decides, row.dispute, f"decides dispute {name}, raised by {person}: {about}")
    entry = Entry("dispute", at_us, row.dispute, person, f"{name}: {about}")
    raised = replace(step.table, disputes=(*step.table.disputes, Dispute(name, person, at_us)))
    return Step(raised, (*step.told, told), (entry,))


def decide_dispute(
    table: Table[L],
    name: str,
    role: Role,
    person: str,
    decision: str,
    reason: str,
    at_us: int,
    *,
    absent: bool = False,
) -> Step[L]:
    """Decide a dispute in the first instance (CSP 16.13); who raised it is told the decision.

    Always a supervisor of the game; in Sic Bo a casino supervisor where that one is ``absent`` (SIC 9.17). Raises
    ``ActRefused`` for anybody else, without a name, decision or reason, and for a dispute that is decided already.
    """
    step = advance(table, at_us)
    row = table.provisions
    dispute = _dispute(table, name)
    if dispute.decided_by:
        raise ActRefused(row.dispute, f"dispute: {name}: {dispute.decided_by} decided it already")
    # CSP 16.13, TCP 14.13, FCP 14.12, WAR 13.11, SIC 9.17: in the first instance the game's supervisor.
    if role != ("casino" if absent and row.absent else "game"):
        raise ActRefused(row.dispute, f"{role}: in the first instance it is for a {_first(table, absent=absent)}")
    if absent and not row.absent:
        raise ActRefused(row.dispute, f"absent: no rule of this book decides without a {row.decides}")
    named(row.dispute, person=person, decision=decision, reason=reason)
    told = Due(dispute.person, row.dispute, f"dispute {name} is decided: {decision}; a review may be asked for")
    entry = Entry("dispute_decided", at_us, row.dispute, person, f"{name}: {decision}: {reason}", dispute.person)
    return Step(_with(step.table, replace(dispute, decided_by=person)), (*step.told, told), (entry,))


def ask_review(table: Table[L], name: str, person: str, at_us: int) -> Step[L]:
    """Ask for a review of a decision; a casino supervisor is told (CSP 16.13).

    Raises ``ActRefused`` before there is a decision, without a name, a second time, and once the review is made.
    """
    step = advance(table, at_us)
    row = table.provisions
    dispute = _decided(table, name)
    _not_over(table, dispute)
    named(row.dispute, person=person)
    if dispute.asked_us is not None:
        raise ActRefused(row.dispute, f"dispute: {name}: a review was asked for already")
    told = Due("casino supervisor", row.dispute, f"reviews dispute {name}, decided by {dispute.decided_by}")
    entry = Entry("review_asked", at_us, row.dispute, person, name, dispute.person)
    return Step(_with(step.table, replace(dispute, asked_us=at_us)), (*step.told, told), (entry,))


def review_dispute(
    table: Table[L], name: str, role: Role, person: str, decision: str, reason: str, at_us: int
) -> Step[L]:
    """Review a decision as a casino supervisor, which makes it final (CSP 16.13, 16.14).

    Never one's own. Raises ``ActRefused`` before a review is asked for, for anybody else, without a name, decision or
    reason, and a second time.
    """
    step = advance(table, at_us)
    row = table.provisions
    dispute = _decided(table, name)
    _not_over(table, dispute)
    if dispute.asked_us is None:
        raise ActRefused(row.dispute, f"dispute: {name}: nobody asked for a review")
    if role != "casino":
        raise ActRefused(row.dispute, f"{role}: it is for a casino supervisor to review")
    named(row.dispute, person=person, decision=decision, reason=reason)
    if person == dispute.decided_by:
        raise ActRefused(row.dispute, f"person: {person}: decided it, and does not review it")
    told = Due(dispute.person, row.final, f"dispute {name} is decided finally: {decision}")
    entry = Entry("dispute_reviewed", at_us, row.dispute, person, f"{name}: {decision}: {reason}", dispute.person)
    return Step(_with(step.table, replace(dispute, reviewed=True)), (*step.told, told), (entry,))


def advise(table: Table[L], name: str, dissatisfied: str, person: str, at_us: int) -> Step[L]:
    """Advise whoever is not satisfied with a decision of the right to lodge a complaint (CSP 16.14).

    Always any person, not only who raised it, whether or not a review was asked for. Raises ``ActRefused`` before
    there is a decision, and without who is advised or by whom.
    """
    step = advance(table, at_us)
    row = table.provisions
    dispute = _dispute(table, name)
    # CSP 16.14, TCP 14.14, FCP 14.13, WAR 13.12, SIC 9.18: the notice that is due to who is not satisfied.
    words = (
        "has the right to lodge a complaint with an inspector (Gaming and Liquor Administration Act 2007, section 33)"
    )
    if not dispute.decided_by:
        raise ActRefused(row.final, f"dispute: {name}: nothing is decided yet")
    named(row.final, dissatisfied=dissatisfied, person=person)
    entry = Entry("advised", at_us, row.final, person, f"{name}: {words}", dissatisfied)
    return Step(step.table, (*step.told, Due(dissatisfied, row.final, words)), (entry,))


def _first(table: Table[L], *, absent: bool) -> str:
    """Who decides first."""
    return "casino supervisor" if absent and table.provisions.absent else table.provisions.decides


def _dispute(table: Table[L], name: str) -> Dispute:
    """A dispute by its name; raises ``ActRefused`` where none has it."""
    for each in table.disputes:
        if each.name == name:
            return each
    raise ActRefused(table.provisions.dispute, f"dispute: {name}: nobody raised it")


def _decided(table: Table[L], name: str) -> Dispute:
    """A dispute that was decided; raises ``ActRefused`` where it was not."""
    dispute = _dispute(table, name)
    if not dispute.decided_by:
        raise ActRefused(table.provisions.dispute, f"dispute: {name}: nothing is decided yet")
    return dispute


def _not_over(table: Table[L], dispute: Dispute) -> None:
    """Raise ``ActRefused`` where the review is made: the decision is final (CSP 16.14)."""
    if dispute.reviewed:
        raise ActRefused(table.provisions.final, f"dispute: {dispute.name}: the decision is final")


def _with(table: Table[L], dispute: Dispute) -> Table[L]:
    """The table with a dispute in its new state, in its place."""
    changed = [dispute if each.name == dispute.name else each for each in table.disputes]
    return replace(table, disputes=tuple(changed))
