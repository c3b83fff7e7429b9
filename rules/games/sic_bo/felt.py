"""What lies on a Sic Bo layout from before the tumbler runs until wagers are paid, and what each move does there."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from rules.games.sic_bo.layout import AREAS, Area, Dice, Wager, dice_fault, winning_areas
from rules.games.sic_bo.loss_limits import wager_over
from rules.games.sic_bo.rounds import NoResult, Placed, Round, Seat, dice_text
from rules.games.sic_bo.sign import Limits, wager_refused
from rules.games.sic_bo.streaks import Runs, streak_refused
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
        )


def place(felt: Felt, move: Move) -> Felt:
    """Place a bet, or add to one, by the sign and within the player's Loss Limit (SIC 3.4, 4.1, 9.3)."""
    area = _area(move, "SIC 3.4")
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
    area = _area(move, "SIC 6.1")
    if area.side is None:
        raise MoveRefused(move, "SIC 5.1", 'bets are placed after the call of "place your bets"')
    number = _number(felt, move, "SIC 6.1")
    if any((each.seat, each.wager) == (number, area.wager) for each in felt.still_open):
        raise MoveRefused(move, "SIC 6.2", f"the wager of seat {number} on this streak remains in play")
    if any(bet.wager == area.wager for bet in felt.player(number).wagers):
        raise MoveRefused(move, "SIC 6.7", f"the wager of seat {number} on this streak is placed, of one amount")
    refused = streak_refused(area.side, felt.runs, final_call=felt.final_call)
    if refused is not None:
        raise MoveRefused(move, refused.rule, refused.reason)
    return _placed(felt, move, area, "SIC 6.1")


def _placed(felt: Felt, move: Move, area: Area, rule: str) -> Felt:
    number, cents = _number(felt, move, rule), cents_of(move, rule)
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


def take_back(felt: Felt, move: Move) -> Felt:
    """Take what a player placed on an area off the layout (SIC 3.11, 9.16).

    Never a Super Streak wager once the round of play has commenced, unless it is refused (SIC 6.2).
    """
    refuses = move.name == "refuse_wager"
    rule = "SIC 9.16" if refuses else "SIC 3.11"
    area, number = _area(move, rule), _number(felt, move, rule)
    player = felt.player(number)
    left = tuple([bet for bet in player.wagers if bet.wager != area.wager])
    if left == player.wagers:
        raise MoveRefused(move, rule, f"seat {number} has placed nothing on {area.wager}")
    if area.side is not None and felt.tumbles and not refuses:
        raise MoveRefused(move, "SIC 6.2", "a Super Streak wager remains in play until its streak ends")
    return felt.with_player(replace(player, wagers=left))


def declare(felt: Felt, move: Move) -> Felt:
    """Take the declaration of chips bought or brought by a player with a Loss Limit (SIC 9.2.1, 9.2.2)."""
    number, cents = _number(felt, move, "SIC 9.2.1"), cents_of(move, "SIC 9.2.1")
    player = felt.player(number)
    if player.loss_limit is None:
        raise MoveRefused(move, "SIC 9.2.1", f"seat {number} has no Loss Limit to declare chips for")
    return felt.with_player(replace(player, loss_limit=player.loss_limit.declaring(cents)))


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


def find_unpressed(felt: Felt, move: Move) -> Felt:
    """Announce "no result" because "no more bets" was not pressed (SIC 8.4)."""
    if felt.pressed or not felt.touch_screen:
        raise MoveRefused(move, "SIC 8.4", "it was pressed" if felt.pressed else "the table has no touch screen")
    return call_no_result("button_not_pressed")(felt, move)


def uncover(felt: Felt, move: Move) -> Felt:
    """Uncover the tumbler (SIC 5.2)."""
    if felt.touch_screen and not felt.pressed:
        raise MoveRefused(move, "SIC 8.4", '"no more bets" was not pressed: the result would be none')
    return felt


def announce(felt: Felt, move: Move) -> Felt:
    """Announce the dice, from the lowest number to the highest (SIC 5.3)."""
    return replace(felt, dice=_called(move, "SIC 5.3"))


def enter(felt: Felt, move: Move) -> Felt:
    """Enter the announced numbers at the terminal (SIC 5.4)."""
    dice = _called(move, "SIC 5.4")
    if dice != felt.dice:
        raise MoveRefused(
            move, "SIC 5.4", f"{dice_text(dice)} are not the winning numbers {dice_text(felt.dice or ())}"
        )
    return felt


def light_wrongly(felt: Felt, move: Move) -> Felt:
    """Note an area that is dark and wins, or lit and does not; without an area that none is lit (SIC 8.7)."""
    if felt.dice is None:
        raise MoveRefused(move, "SIC 8.7", "no result is known")
    winning = winning_areas(felt.dice, felt.settings, felt.limits.offered)
    if move.area is None:
        return replace(felt, lit=())
    area = _area(move, "SIC 8.7")
    if area.side is not None or not felt.limits.offers(area):
        raise MoveRefused(move, "SIC 8.7", f"area: {area.wager}: none that a result illuminates")
    wrong = {area.wager} ^ set(winning if felt.lit is None else felt.lit)
    lit = tuple([each.wager for each in AREAS.values() if each.wager in wrong])
    if lit == winning:
        raise MoveRefused(move, "SIC 8.7", "the areas lit would be the winning ones")
    return replace(felt, lit=lit)


def call_no_result(cause: NoResult) -> Callable[[Felt, Move], Felt]:
    """The act that announces "no result" for a cause (SIC 8.6), or invalidates the outcome (9.9)."""

    def call(felt: Felt, move: Move) -> Felt:  # noqa: ARG001 - the form of every act
        return replace(felt, dice=None, lit=None, no_result=cause)

    return call


def void_player(felt: Felt, move: Move) -> Felt:
    """Find a player's wagers invalid (SIC 8.14.2), or declare them void for a prohibited device (9.8.1)."""
    invalid = move.name == "find_invalid"
    rule = "SIC 8.14.2" if invalid else "SIC 9.8.1"
    number = _number(felt, move, rule)
    player = felt.player(number)
    if not player.wagers and not felt.at_risk_cents(number):
        raise MoveRefused(move, rule, f"seat {number} has no wager")
    if player.void_for is not None:
        raise MoveRefused(move, rule, f"the wagers of seat {number} are void already")
    return felt.with_player(replace(player, void_for="invalid" if invalid else "prohibited_device"))


def _called(move: Move, rule: str) -> Dice:
    dice = tuple(move.cards or ())
    reason = dice_fault(dice)
    if reason is not None:
        raise MoveRefused(move, rule, f"cards: {reason}")
    if list(dice) != sorted(dice):
        raise MoveRefused(move, rule, "the numbers are called from the lowest to the highest")
    first, second, third = dice
    return first, second, third


def _number(felt: Felt, move: Move, rule: str) -> int:
    number = seat_of(move, rule)
    if not 1 <= number <= felt.places:
        raise MoveRefused(move, "SIC 3.15", f"seat: {number}: the table takes players 1 to {felt.places}")
    return number


def _area(move: Move, rule: str) -> Area:
    area = AREAS.get(move.area or "")
    if area is None:
        raise MoveRefused(move, rule, f"area: {move.area}: no area of the layout")
    return area
