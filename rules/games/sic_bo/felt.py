"""What lies on a Sic Bo layout from before the tumbler runs until wagers are paid, and what each move does there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from rules.games.sic_bo.colour_checks import Rack
from rules.games.sic_bo.layout import AREAS, Area, Dice, Wager, dice_fault
from rules.games.sic_bo.loss_limits import wager_over
from rules.games.sic_bo.rounds import NoResult, Placed, Round, Seat, dice_text
from rules.games.sic_bo.sign import Limits, wager_refused
from rules.games.sic_bo.streaks import Runs, streak_refused
from rules.limits import LARGEST_WAGER_CENTS, Refused
from rules.play import Move, MoveRefused, cents_of, seat_of
from rules.rounds import OpenWager
from rules.settings import SicBoSettings

TUMBLES: Final = 3
"""How often the dice tumble at least (SIC 5.1)."""

_PLAIN_WORDS: Final = SicBoSettings()
_NO_SIGN: Final = Limits()
_NEW_DAY: Final = Runs()


@dataclass(frozen=True, slots=True)
class Felt:
    """What lies on the layout, and what the table plays by."""

    settings: SicBoSettings = _PLAIN_WORDS
    limits: Limits = _NO_SIGN
    places: int = 9
    """How many players may play at the table (SIC 3.15)."""
    touch_screen: bool = False
    """Whether the dealer presses "no more bets" on a console (SIC 5.2)."""
    players: tuple[Seat, ...] = ()
    """The players with a wager, a Loss Limit or a sign of their own, by seat."""
    still_open: tuple[OpenWager, ...] = ()
    runs: Runs = _NEW_DAY
    tumbles: int = 0
    pressed: bool = False
    dice: Dice | None = None
    no_result: NoResult | None = None
    lit: tuple[Wager, ...] | None = None
    final_call: bool = False
    display: Dice | None = None
    """The numbers on the winning number display, where they are not those of the dice (SIC 8.9)."""
    closed: Mapping[int, Refused] = field(default_factory=lambda: MappingProxyType({}))
    """Why a player may not wager this round, as the table says: no valid card of his own, excluded (SIC 9.1, 9.8)."""
    resting: tuple[int, ...] = ()
    """The players restricted from wagering until a new Loss Limit period (SIC 9.4)."""
    rack: Rack | None = None
    """The table's colour checks, where it has a set (SIC 3.5)."""

    def player(self, number: int) -> Seat:
        """The player at a seat, with or without a wager there."""
        return next((each for each in self.players if each.seat == number), Seat(number))

    def with_player(self, player: Seat) -> "Felt":
        """The felt with one player changed, added, or gone where nothing is known of him any more."""
        others = [each for each in self.players if each.seat != player.seat]
        if player != Seat(player.seat):
            others.append(player)
        return replace(self, players=tuple(sorted(others, key=lambda each: each.seat)))

    def at_risk_cents(self, number: int) -> int:
        """What a player has at risk in streak wagers of earlier rounds."""
        return sum(wager.stake_cents for wager in self.still_open if wager.seat == number)

    def _voids_streak(self, player: Seat) -> bool:
        """Whether a player without a bet this round has a streak wager in play that is void."""
        return player.void_for is not None and self.at_risk_cents(player.seat) > 0

    def round(self) -> Round:
        """The round as it will be settled."""
        return Round(
            dice=self.dice,
            seats=tuple([each for each in self.players if each.wagers or self._voids_streak(each)]),
            still_open=self.still_open,
            runs=self.runs,
            no_result=self.no_result,
            lit=self.lit,
            display=self.display if self.dice is not None else None,
        )


def place(felt: Felt, move: Move) -> Felt:
    """Place a bet, or add to one, by the sign and within the player's Loss Limit (SIC 3.4, 4.1, 9.3)."""
    area = area_named(move, "SIC 3.4")
    if area.side is not None:
        raise MoveRefused(move, "SIC 6.1", "a Super Streak wager is placed before the round of play commences")
    return _placed(felt, move, area, "SIC 3.4")


def call_bet(felt: Felt, move: Move) -> Felt:
    """Place a bet for a player who declares it orally and gives the chips with it (SIC 3.12)."""
    if move.cents is None:
        raise MoveRefused(move, "SIC 3.12", "no chips came with it")
    return place(felt, move)


def place_streak(felt: Felt, move: Move) -> Felt:
    """Place a Super Streak wager, where no streak of its pair is in progress (SIC 6.1, 6.2, 6.6, 6.7)."""
    area = area_named(move, "SIC 6.1")
    if area.side is None:
        raise MoveRefused(move, "SIC 5.1", 'bets are placed after the call of "place your bets"')
    number = number_of(felt, move, "SIC 6.1")
    if any((each.seat, each.wager) == (number, area.wager) for each in felt.still_open):
        raise MoveRefused(move, "SIC 6.2", f"the wager of seat {number} on this streak remains in play")
    if any(bet.wager == area.wager for bet in felt.player(number).wagers):
        raise MoveRefused(move, "SIC 6.7", f"the wager of seat {number} on this streak is placed, of one amount")
    refused = streak_refused(area.side, felt.runs, final_call=felt.final_call)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    return _placed(felt, move, area, "SIC 6.1")


def _placed(felt: Felt, move: Move, area: Area, rule: str) -> Felt:
    number, cents = number_of(felt, move, rule), cents_of(move, rule)
    refused = may_not_wager(felt, number)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    player = felt.player(number)
    lying = [bet for bet in player.wagers if bet.wager == area.wager]
    if any(bet.tender != move.tender for bet in lying):
        raise MoveRefused(move, "SIC 3.4", f"bets of seat {number} on one area have one tender")
    total = cents + sum(bet.cents for bet in lying)
    refused = wager_refused(area.wager, total, felt.limits, player.own_min_cents, player.own_max_cents)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    most = felt.limits.player_max_cents
    if most is not None and player.placed_cents + cents > most:
        raise MoveRefused(move, "SIC 4.1", f"seat {number} would have more than {most} cents on the layout")
    if player.loss_limit is not None:
        refused = wager_over(player.loss_limit, cents, player.placed_cents, felt.at_risk_cents(number))
        if refused is not None:
            raise MoveRefused(move, refused.rule, refused.reason)
    return felt.with_player(replace(player, wagers=(*player.wagers, Placed(area.wager, cents, move.tender))))


def may_not_wager(felt: Felt, number: int) -> Refused | None:
    """Why a player may place no wager at all, if he may not (SIC 9.1, 9.4, 9.8.2)."""
    if number in felt.closed:
        return felt.closed[number]
    if number in felt.resting:
        return Refused("SIC 9.4", f"seat {number} takes a break until the new Loss Limit period")
    void_for = felt.player(number).void_for
    if void_for is None:
        return None
    rule = "SIC 9.1" if void_for == "invalid" else "SIC 9.8.2"
    return Refused(rule, f"the wagers of seat {number} are {void_for.replace('_', ' ')}")


def take_back(felt: Felt, move: Move) -> Felt:
    """Take what a player placed on an area off the layout (SIC 3.11, 9.16).

    Never a Super Streak wager once the round of play has commenced, unless it is refused (SIC 6.2).
    """
    refuses = move.name == "refuse_wager"
    rule = "SIC 9.16" if refuses else "SIC 3.11"
    area, number = area_named(move, rule), number_of(felt, move, rule)
    player = felt.player(number)
    left = tuple([bet for bet in player.wagers if bet.wager != area.wager])
    if left == player.wagers:
        raise MoveRefused(move, rule, f"seat {number} has placed nothing on {area.wager}")
    if area.side is not None and felt.tumbles and not refuses:
        raise MoveRefused(move, "SIC 6.2", "a Super Streak wager remains in play until its streak ends")
    return felt.with_player(replace(player, wagers=left))


def declare(felt: Felt, move: Move) -> Felt:
    """Take the declaration of chips bought or brought by a player with a Loss Limit (SIC 9.2.1, 9.2.2)."""
    number, cents = number_of(felt, move, "SIC 9.2.1"), cents_of(move, "SIC 9.2.1")
    player = felt.player(number)
    if player.loss_limit is None:
        raise MoveRefused(move, "SIC 9.2.1", f"seat {number} has no Loss Limit to declare chips for")
    return felt.with_player(replace(player, loss_limit=player.loss_limit.declaring(cents)))


def declare_remaining(felt: Felt, move: Move) -> Felt:
    """Take the declaration of the chips that remain when a player with a Loss Limit leaves the table (SIC 9.2.3).

    Never while a Super Streak wager of his remains in play (6.2) or a bet lies on the layout.
    """
    number = number_of(felt, move, "SIC 9.2.3")
    player = felt.player(number)
    if player.loss_limit is None:
        raise MoveRefused(move, "SIC 9.2.3", f"seat {number} has no Loss Limit to declare chips for")
    if player.wagers or felt.at_risk_cents(number):
        raise MoveRefused(move, "SIC 6.2", f"seat {number} has a wager in play")
    if move.cents is None or not 0 <= move.cents <= LARGEST_WAGER_CENTS:
        raise MoveRefused(move, "SIC 9.2.3", f"cents: {move.cents}: not from 0 to {LARGEST_WAGER_CENTS}")
    return replace(felt.with_player(Seat(number)), resting=tuple([each for each in felt.resting if each != number]))


def restrict(felt: Felt, move: Move) -> Felt:
    """Keep a player from wagering until his Loss Limit is calculated for the new period, or let him again (SIC 9.4)."""
    number = number_of(felt, move, "SIC 9.4")
    if felt.player(number).loss_limit is None:
        raise MoveRefused(move, "SIC 9.4", f"seat {number} has no Loss Limit")
    if (number in felt.resting) == (move.name == "restrict"):
        reason = "restricted already" if move.name == "restrict" else "not restricted"
        raise MoveRefused(move, "SIC 9.4", f"seat {number} is {reason}")
    if move.name == "restrict":
        return replace(felt, resting=(*felt.resting, number))
    player = felt.player(number)
    fresh = None if player.loss_limit is None else replace(player.loss_limit, net_loss_cents=0)
    left = tuple([each for each in felt.resting if each != number])
    return replace(felt.with_player(replace(player, loss_limit=fresh)), resting=left)


def call_last(felt: Felt, move: Move) -> Felt:
    """Place the clock and call for Super Streak wagers for the last time (SIC 6.6)."""
    if felt.final_call or "super_streak" not in felt.limits.offered:
        reason = "the final call was made" if felt.final_call else "Super Streak is not offered at this table"
        raise MoveRefused(move, "SIC 6.6", reason)
    return replace(felt, final_call=True)


def close(felt: Felt, move: Move) -> Felt:
    """Close the table, where no streak wager remains in play (SIC 6.6, 9.13)."""
    if felt.still_open or any(each.wagers for each in felt.players):
        raise MoveRefused(move, "SIC 6.6", "wagers remain in play until a result has been determined")
    if "super_streak" in felt.limits.offered and not felt.final_call:
        raise MoveRefused(move, "SIC 6.6", "no final call for Super Streak wagers was made")
    return felt


def tumble(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
    """Let the dice tumble once (SIC 5.1)."""
    return replace(felt, tumbles=felt.tumbles + 1)


def open_bets(felt: Felt, move: Move) -> Felt:
    """Call "place your bets" when the dice have tumbled three times (SIC 5.1)."""
    if felt.tumbles < TUMBLES:
        raise MoveRefused(move, "SIC 5.1", f"the dice tumbled {felt.tumbles} of at least {TUMBLES} times")
    return felt


def press(felt: Felt, move: Move) -> Felt:
    """Press "no more bets" on the console (SIC 5.2)."""
    if felt.pressed or not felt.touch_screen:
        raise MoveRefused(move, "SIC 5.2", "it was pressed" if felt.pressed else "the table has no touch screen")
    return replace(felt, pressed=True)


def uncover(felt: Felt, move: Move) -> Felt:
    """Uncover the tumbler (SIC 5.2)."""
    if felt.touch_screen and not felt.pressed:
        raise MoveRefused(move, "SIC 8.4", '"no more bets" was not pressed: the result would be none')
    return felt


def announce(felt: Felt, move: Move) -> Felt:
    """Announce the dice, from the lowest number to the highest (SIC 5.3)."""
    return replace(felt, dice=called(move, "SIC 5.3"))


def enter(felt: Felt, move: Move) -> Felt:
    """Enter the announced numbers at the terminal (SIC 5.4)."""
    dice = called(move, "SIC 5.4")
    if dice != felt.dice:
        raise MoveRefused(
            move, "SIC 5.4", f"{dice_text(dice)} are not the winning numbers {dice_text(felt.dice or ())}"
        )
    return felt


def called(move: Move, rule: str) -> Dice:
    """The dice that a move calls, from the lowest to the highest (SIC 5.3); raises ``MoveRefused`` by a rule."""
    dice = tuple(move.cards or ())
    reason = dice_fault(dice)
    if reason is not None:
        raise MoveRefused(move, rule, f"cards: {reason}")
    if list(dice) != sorted(dice):
        raise MoveRefused(move, rule, "the numbers are called from the lowest to the highest")
    first, second, third = dice
    return first, second, third


def number_of(felt: Felt, move: Move, rule: str) -> int:
    """The player a move is made for; raises ``MoveRefused`` where the table takes no such player (SIC 3.15)."""
    number = seat_of(move, rule)
    if not 1 <= number <= felt.places:
        raise MoveRefused(move, "SIC 3.15", f"seat: {number}: the table takes players 1 to {felt.places}")
    return number


def area_named(move: Move, rule: str) -> Area:
    """The area a move names; raises ``MoveRefused`` by a rule where the layout has none of that name."""
    area = AREAS.get(move.area or "")
    if area is None:
        raise MoveRefused(move, rule, f"area: {move.area}: no area of the layout")
    return area
