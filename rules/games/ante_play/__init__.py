"""What Three Card and Four Card Poker share: an ante, a play wager placed after looking, a side wager on one's hand.

``book`` says what tells the two books apart; ``rounds`` and ``settling`` are a whole round, ``felt``, ``deciding``,
``irregular``, ``options`` and ``playing`` a table move by move.
"""

from rules.games.ante_play.book import Book, Clauses, Decision, HandFault, Sign, VoidCause
from rules.games.ante_play.felt import Felt
from rules.games.ante_play.playing import next_round
from rules.games.ante_play.rounds import Round, Seat

__all__ = ["Book", "Clauses", "Decision", "Felt", "HandFault", "Round", "Seat", "Sign", "VoidCause", "next_round"]
