"""How a table of each game comes to its round move by move: where it stands before, and the moves a round was made of.

The way back from a whole round (``rules.records``) to a game's machine (``rules.play``). Knows no file and no spool.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tablelink.core.moves.ante_play import FOUR_CARD, THREE_CARD
from tablelink.core.moves.caribbean_stud import CARIBBEAN_STUD
from tablelink.core.moves.casino_war import CASINO_WAR
from tablelink.core.moves.sic_bo import SIC_BO
from tablelink.core.moves.told import Told

TOLD: Final[Mapping[str, Told]] = MappingProxyType(
    {
        "caribbean_stud": CARIBBEAN_STUD,
        "three_card_poker": THREE_CARD,
        "four_card_poker": FOUR_CARD,
        "casino_war": CASINO_WAR,
        "sic_bo": SIC_BO,
    }
)
"""Every game that a table can host, by its name."""
