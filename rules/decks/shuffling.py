"""How cards are shuffled so that every order is equally likely (CSP 4.1, TCP 4.1, FCP 4.1, WAR 4.1).

Where the numbers come from is an argument: at a table the operating system, in a simulation a seed. Knows no source of
its own, and takes none at its word: a number outside what was asked for is refused, never bent to fit.
"""

from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeVar

C = TypeVar("C")
"""Whatever is shuffled."""

MOST_DRAWS: Final = 256
"""A fair source has fewer than half of its draws thrown away, so so many in a row come once in 2**256 times."""

_BYTE: Final = 256


class ChanceError(RuntimeError):
    """A random source that cannot be right; no card was moved by it."""


class Chance(Protocol):
    """A random source: whole numbers, each one below a bound equally likely and independent of those before."""

    def below(self, bound: int) -> int:
        """A number from 0 up to and without ``bound``, which is at least 1."""


class ByteChance:
    """Numbers from a source of random bytes, such as the operating system's.

    Always throws a draw away that would make small numbers likelier than large ones.
    """

    def __init__(self, source: Callable[[int], bytes]) -> None:
        """``source`` gives that many independent random bytes, each value of a byte equally likely."""
        self._source = source

    def below(self, bound: int) -> int:
        """A number from 0 up to and without ``bound``.

        Raises ``ValueError`` for a bound below 1, ``ChanceError`` for a source that gives the wrong number of bytes or
        only numbers that are thrown away.

        >>> ByteChance(lambda size: bytes([7] * size)).below(5)
        2
        """
        if bound < 1:
            raise ValueError(f"bound: {bound}: there is no number below it")
        size = max(1, ((bound - 1).bit_length() + 7) // 8)
        numbers = _BYTE**size
        fair = numbers - numbers % bound
        for _ in range(MOST_DRAWS):
            drawn = self._source(size)
            if len(drawn) != size:
                raise ChanceError(f"a random source gave {len(drawn)} bytes where {size} were asked for")
            number = int.from_bytes(drawn, "big")
            if number < fair:
                return number % bound
        raise ChanceError(f"a random source gave {MOST_DRAWS} numbers in a row that are not below {fair}")


def shuffled(cards: Iterable[C], chance: Chance) -> tuple[C, ...]:
    """The cards in an order of which each is equally likely (CSP 4.1, TCP 4.1, FCP 4.1, WAR 4.1).

    Always the same cards. Asks for one number a card but the last: the place that the last card not placed yet changes
    with. Raises ``ChanceError`` where the source gives a number it was not asked for.

    >>> class Last:
    ...     def below(self, bound):
    ...         return bound - 1
    >>> shuffled("abc", Last())
    ('a', 'b', 'c')
    """
    stack = list(cards)
    for last in range(len(stack) - 1, 0, -1):
        place = chance.below(last + 1)
        if not 0 <= place <= last:
            raise ChanceError(f"a random source gave {place} where a number below {last + 1} was asked for")
        stack[last], stack[place] = stack[place], stack[last]
    return tuple(stack)
