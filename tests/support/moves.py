"""A game's moves as its test writes them down, and a machine held against them: one row a legal move, one a refusal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pytest

from rules.cards import parse_cards
from rules.play import Move, MoveRefused, Play, Position


def rows_of(table: str) -> list[list[str]]:
    """The cells of a text table, a line a row."""
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


@dataclass(frozen=True)
class MoveTable:
    """The moves of one book.

    ``rows`` are state, move, rule, and where it leads: the next state and, after a slash, the one at the last.
    ``refused`` has, a line a move, the rule that says when it has its place, and after a semicolon the states in which
    another does; the word BEGUN there stands for the states in ``begun``.
    """

    book: str
    rows: Sequence[Sequence[str]]
    refused: str
    begun: str = ""

    @cached_property
    def states(self) -> list[str]:
        """Every state that a move leaves or leads to."""
        return sorted({state for row in self.rows for state in (row[0], *row[3].split(" / "))})

    @cached_property
    def moves(self) -> list[str]:
        """Every move."""
        return [row[0] for row in rows_of(self.refused)]

    def refusing_rule(self, state: str, move: str) -> str:
        """The rule by which a move is refused in a state that has no row for it."""
        rule, *others = next(row[1] for row in rows_of(self.refused) if row[0] == move).split(";")
        for other in others:
            states, _, its_rule = other.partition(":")
            if state in states.replace("BEGUN", self.begun).split():
                return f"{self.book} {its_rule.strip()}"
        return f"{self.book} {rule.strip()}"

    def has(self, play: Play[Any]) -> None:
        """Fail unless the machine has these moves, each leading where its row says, by its rule, and no other."""
        assert {(arrow.state, arrow.move) for arrow in play.arrows} == {(row[0], row[1]) for row in self.rows}
        assert len(play.arrows) == len(self.rows)
        for state, move, rule, leads_to in self.rows:
            arrow = play.arrow(state, move)
            assert arrow is not None
            to, _, at_last = leads_to.partition(" / ")
            found = (arrow.rule, arrow.to, arrow.at_last)
            assert found == (f"{self.book} {rule}", to, at_last or None), (state, move)
        assert sorted(play.states) == self.states
        assert sorted(play.places) == sorted(self.moves)

    def has_no_other(self, play: Play[Any], at: Position[Any]) -> None:
        """Fail unless each move without a row in this state is refused, by the rule that says when it has its place."""
        legal = {row[1] for row in self.rows if row[0] == at.state}
        for name in self.moves:
            if name not in legal:
                with pytest.raises(MoveRefused) as caught:
                    play.step(at, Move(name, 1))
                assert caught.value.rule == self.refusing_rule(at.state, name), (at.state, name)
        with pytest.raises(MoveRefused, match="no move"):
            play.step(at, Move("dance"))


def refuses(play: Play[Any], book: str, line: str, staged: Callable[[str], Position[Any]]) -> None:
    """Fail unless a move is refused by its rule and for its reason, and leaves the table as it was.

    ``line`` reads: where | move seat area cents cards | rule | reason; what is a dash is not said. ``staged`` gives the
    table at a named place.
    """
    where, what, rule, reason = rows_of(line)[0]
    name, seat, area, cents, *cards = what.split()
    move = Move(
        name,
        None if seat == "-" else int(seat),
        None if area == "-" else area,
        None if cents == "-" else int(cents),
        parse_cards(" ".join(cards)) if cards else None,
    )
    at = staged(where)
    before = replace(at)
    with pytest.raises(MoveRefused, match=reason) as caught:
        play.step(at, move)
    assert caught.value.rule == f"{book} {rule}"
    assert at == before
