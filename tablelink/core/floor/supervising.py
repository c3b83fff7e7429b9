"""What supervisors decide at a hosted table that people drive, and the statement of its rounds."""

from dataclasses import replace
from typing import Any, Final

from rules.directions import Forfeit
from rules.games.sic_bo import Felt as DiceFelt
from rules.games.sic_bo import LossLimit
from rules.games.sic_bo.colour_checks import Rack
from rules.irregularities.collusion import Direction
from rules.play import Position
from rules.records import RecordError
from rules.records.forms import PaymentErrorRecord
from rules.rounds import RoundError
from rules.tables import (
    MEASURES,
    ActRefused,
    Due,
    Entry,
    advise,
    ask_review,
    coming,
    decide_dispute,
    direct,
    end_round,
    find_device,
    find_employee,
    find_ineligible,
    raise_dispute,
    refuse_wager,
    review_dispute,
)
from rules.tables.table import named
from tablelink.core.floor.effects import (
    Changed,
    area_of,
    cleared,
    in_play,
    one_of,
    only,
    player_of,
    staked_cents,
    stepped,
)
from tablelink.core.floor.given import Act, NotUnderstood
from tablelink.core.floor.reports import (
    check_reason,
    invalidated_rule,
    notified,
    paid_rule,
    with_fields,
    with_invalid,
    with_moment,
    with_payment,
    with_reports,
)
from tablelink.core.floor.seating import without_directions
from tablelink.core.floor.value import Floor, Reports, record_fields
from tablelink.core.hosting import Hosted, HostingError, UnderWay, ended
from tablelink.core.moves import TOLD

STOPPED: Final = "inspector_notified"
"""Where a Sic Bo table stands whose fault is not rectified (SIC 8.8)."""
_FLAGS: Final = ("on_duty", "only_possessed")


def end_round_(floor: Floor, act: Act, at_us: int) -> Changed:
    """State the round that is over, once, as ``python -m rules settle`` answers its record, and go to the next.

    Raises ``ActRefused`` while it is not over.
    """
    del act
    rule, told = f"{floor.around.book} 1.1", TOLD[floor.game]
    if not floor.over:
        raise ActRefused(rule, f"the round of play has not ended: the table is at {floor.at.state.replace('_', ' ')}")
    schedules, number = floor.terms.schedules, floor.number
    try:
        settlement = told.settlement_of(floor.at, schedules, floor.forfeits)
        record = told.record_of(floor.at, settlement, table=floor.name, round=number, **record_fields(floor))
        if floor.game == "sic_bo":  # Play goes on only where a fault was rectified (SIC 8.8).
            record = with_fields(record, stopped=False)
        record = with_reports(record, floor.reports, floor.forfeits)
        _, statement = ended(Hosted(floor.game, floor.last, UnderWay(number, record, (), floor.at)))
    except (RoundError, HostingError, RecordError) as error:
        raise ActRefused(rule, str(error)) from None
    around = floor.around if floor.around.state != "open" else replace(floor.around, state="in_round")
    step = end_round(around, in_play(floor), at_us)
    after = replace(floor, around=step.table, last=number, before=None)
    told_too = (*step.told, *notified(statement.said.get("notices", ()), floor.reports))
    return Changed(_next(after, floor.at), told_too, step.written, statement, record)


def _next(floor: Floor, at: Position[Any]) -> Floor:
    """The table before its next round; one at which play was stopped stays so until that is rectified (SIC 8.8)."""
    if at.state == STOPPED:
        return replace(floor, stated=True, reports=Reports())
    coming = TOLD[floor.game].next_of(at, floor.left, floor.terms.schedules, floor.forfeits)
    felt = without_directions(coming.felt, floor.left)
    return replace(
        floor, at=Position(coming.state, felt), stated=False, left=frozenset(), forfeits=(), reports=Reports()
    )


def go_on(floor: Floor) -> Floor:
    """The table at which play goes on after a fault was rectified, once the round has its statement (SIC 8.8)."""
    return _next(floor, floor.at) if floor.stated and floor.at.state != STOPPED else floor


def refuse(floor: Floor, act: Act, at_us: int) -> Changed:
    """Refuse a wager on grounds that are written down; it is taken off the layout."""
    area, wager = area_of(act), act.words[0] if act.words else ""
    row = floor.around.provisions
    cents = 0 if row.refuse is None else staked_cents(floor, area, wager)
    return stepped(floor, refuse_wager(floor.around, area, wager, cents, act.person, act.reason, at_us))


def direct_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Direct what a supervisor may against collusion."""
    kind: Any = one_of(act, 0, "play_first", "apart", "english_only")
    try:
        direction = Direction(floor.around.book, kind, frozenset(act.words[1:]), act.person, act.reason)
    except ValueError as error:
        raise ActRefused(floor.around.book, str(error)) from None
    changed = stepped(floor, direct(floor.around, direction, at_us))
    return _parted(changed, direction.rule, at_us) if kind == "apart" else changed


def _parted(changed: Changed, rule: str, at_us: int) -> Changed:
    """Take off what lies of who came later, of players kept apart (CSP 14.13.2, TCP 12.11.2, FCP 12.12.2).

    Once the first card is out no wager is withdrawn (CSP 5.7, TCP 5.5, FCP 5.4): people are told from when it holds.
    """
    floor = changed.floor
    closed = coming(floor.around, floor.port, at_us).closed
    areas = tuple([area for area in sorted(in_play(floor)) if area in closed and closed[area].rule == rule])
    words = "the wagers of box {} go back: kept apart"
    if floor.begun:
        words = "box {} plays this round out: kept apart from the next round on"
    told = [Due("dealer", rule, words.format(area)) for area in areas]
    after = floor if floor.begun else cleared(floor, areas)
    return replace(changed, floor=after, told=(*changed.told, *told))


def device(floor: Floor, act: Act, at_us: int) -> Changed:
    """Do what a supervisor decides about a prohibited device; who is put out takes the wagers off before a round."""
    said = only(act, *MEASURES, *_FLAGS)
    measures: Any = [each for each in MEASURES if each in said]
    step = find_device(
        floor.around,
        act.player,
        measures,
        act.person,
        act.reason,
        at_us,
        on_duty="on_duty" in said,
        only_possessed="only_possessed" in said,
    )
    return _put_out(
        floor, act, stepped(floor, step), going=bool({"out_of_game", "out_of_casino", "void_wagers"} & said)
    )


def ineligible(floor: Floor, act: Act, at_us: int) -> Changed:
    """Put out who is found to be a minor, or excluded."""
    cause: Any = one_of(act, 0, "minor", "excluded")
    step = find_ineligible(floor.around, act.player, cause, act.person, act.reason, at_us)
    changed = _put_out(floor, act, stepped(floor, step), going=True)
    invalid = tuple([each.seat for each in step.moves if each.name == "find_invalid" and each.seat is not None])
    if not invalid:
        return changed
    reports = with_moment(with_invalid(floor.reports, invalid, act.player, act.reason), at_us)
    return replace(changed, floor=replace(changed.floor, reports=reports))


def _put_out(floor: Floor, act: Act, changed: Changed, *, going: bool) -> Changed:
    """Take the wagers of a player off the layout, where the round of play has not begun."""
    who = player_of(floor.around, act.player)
    if who is None or floor.begun or floor.stated or not going:
        return changed
    return replace(changed, floor=cleared(changed.floor, who.areas))


def employee(floor: Floor, act: Act, at_us: int) -> Changed:
    """Note what a manager decides about an employee's wager.

    Always tells how a rejected one that lies on the felt goes unpaid: the round is settled by what is found in it.
    """
    decision: Any = one_of(act, 0, "rejected", "paid")
    changed = stepped(floor, find_employee(floor.around, act.player, decision, act.person, act.reason, at_us))
    who = player_of(floor.around, act.player)
    if decision == "paid" or who is None or who.box not in in_play(floor):
        return changed
    rule = floor.around.provisions.employee or floor.around.book
    said = f"find_invalid {who.box} because WHY" if floor.begun else f"take_back {who.box}"
    return replace(changed, told=(*changed.told, Due("dealer", rule, f"does not pay box {who.box}: {said}")))


def forfeit(floor: Floor, act: Act, at_us: int) -> Changed:
    """Direct that a player's wagers be forfeited, where the outcome is invalidated: somebody's word, with a reason."""
    area = area_of(act)
    felt = floor.at.felt
    faults = getattr(felt, "faults", None)
    cause = felt.no_result if isinstance(felt, DiceFelt) else faults.void_by if faults is not None else felt.void_by
    rule = invalidated_rule(floor.around.book)
    named(rule, person=act.person, reason=act.reason)
    check_reason(act.reason)
    if cause != "invalidated" or floor.stated:
        raise ActRefused(rule, "no outcome was invalidated: invalidate")
    if area not in in_play(floor) or any(each.seat == area for each in floor.forfeits):
        raise ActRefused(rule, f"area: {area}: no wager lies there to be forfeited")
    entry = Entry("forfeit", at_us, rule, act.person, act.reason, floor.player_at(area), area)
    return Changed(replace(floor, forfeits=(*floor.forfeits, Forfeit(area, act.person, act.reason))), (), (entry,))


_ANSWERS: Final = ("rectified", "attempted", "brought_to_nicc")


def payment_error(floor: Floor, act: Act, at_us: int) -> Changed:
    """Report a payment that was not what the round comes to, before it is stated (CSP 14.16, TCP 12.13, SIC 8.10).

    Raises ``ActRefused`` where nothing of the round is paid yet, or that is no error in it.
    """
    error = error_of(act)
    after = replace(floor, reports=with_payment(floor.reports, error, at_us))
    end_round_(after, Act(name="end_round"), at_us)  # Whatever could not be stated is refused here.
    return Changed(after, (), (error_entry(floor, act, error, at_us),))


def error_entry(floor: Floor, act: Act, error: PaymentErrorRecord, at_us: int) -> Entry:
    """What is written down of a payment error; raises ``ActRefused`` without a name."""
    rule = paid_rule(floor.around.book)
    named(rule, person=act.person)
    words = " ".join([f"paid in round {act.label}" if act.label else "paid", *act.words[1:]])
    player = "" if act.label else floor.player_at(error.seat)
    return Entry("payment_error", at_us, rule, act.person, words, player, error.seat, error.wager, error.paid_cents)


def error_of(act: Act) -> PaymentErrorRecord:
    """The payment error that an act reports; raises ``NotUnderstood``."""
    wager, flags = (act.words[0] if act.words else ""), act.words[1:]
    for word in flags:
        if word not in {*_ANSWERS, "suspected", "identified"}:
            raise NotUnderstood("words", word, f"not one of {', '.join((*_ANSWERS, 'suspected', 'identified'))}")
    if set(act.sign) - {"owed"} or act.cents is None or act.cents < 0 or (act.sign.get("owed") or 0) < 0:
        raise NotUnderstood("amount", ", ".join(act.sign), "what was paid, and owed=AMOUNT where nothing else says it")
    answer: Any = next((each for each in _ANSWERS if each in flags), None)
    return PaymentErrorRecord(
        seat=area_of(act),
        wager=wager,
        paid_cents=act.cents,
        owed_cents=act.sign.get("owed"),
        suspected="suspected" in flags or None,
        patron_identified="identified" in flags or None,
        answer=answer,
    )


def loss_limit(floor: Floor, act: Act, at_us: int) -> Changed:
    """Take what the card system says of a player's Loss Limit, before the player wagers (SIC 9.2)."""
    area, felt = area_of(act), _dice(floor, "SIC 9.2")
    if act.cents is None or act.cents < 0:
        raise NotUnderstood("cents", str(act.cents), "no amount of a Loss Limit")
    player = felt.player(area)
    if not 1 <= area <= felt.places:
        raise ActRefused("SIC 3.15", f"area: {area}: the table takes players 1 to {felt.places}")
    if player.wagers:
        raise ActRefused("SIC 9.2", f"area: {area}: bets lie there: find_loss_limit says what was found")
    felt = felt.with_player(replace(player, loss_limit=LossLimit(act.cents)))
    entry = Entry(
        "loss_limit", at_us, "SIC 9.2", floor.dealer, "as the card says", floor.player_at(area), area, "", act.cents
    )
    return Changed(replace(floor, at=replace(floor.at, felt=felt)), (), (entry,))


def colours(floor: Floor, act: Act, at_us: int) -> Changed:
    """Put the table's own set of colour checks on it, while none of the last one is issued (SIC 3.5)."""
    felt = _dice(floor, "SIC 3.5")
    named("SIC 3.5", person=act.person)
    if not act.words:
        raise NotUnderstood("words", "", "missing: the colours of the set")
    if felt.rack is not None and felt.rack.issued:
        raise ActRefused("SIC 3.5", "colour checks of the set are issued")
    rack = Rack(floor.name, tuple(dict.fromkeys(act.words)))
    entry = Entry("colours", at_us, "SIC 3.5", act.person, ", ".join(rack.colours))
    return Changed(replace(floor, at=replace(floor.at, felt=replace(felt, rack=rack))), (), (entry,))


def _dice(floor: Floor, rule: str) -> DiceFelt:
    """The felt of a Sic Bo table before its bets are called off; raises ``ActRefused`` by a rule for any other."""
    felt = floor.at.felt
    if not isinstance(felt, DiceFelt):
        raise ActRefused(floor.around.book, f"no rule of this book; it is {rule}")
    if floor.at.state not in {"dice_covered", "wagers_open"} or floor.around.state == "closed":
        raise ActRefused(rule, f"not while the table is at: {floor.at.state.replace('_', ' ')}")
    return felt


def dispute(floor: Floor, act: Act, at_us: int) -> Changed:
    """Write a dispute down and refer it to a supervisor."""
    return stepped(floor, raise_dispute(floor.around, act.label, act.person, act.text, at_us))


def decide(floor: Floor, act: Act, at_us: int) -> Changed:
    """Decide a dispute in the first instance."""
    role: Any = one_of(act, 0, "game", "casino")
    absent = act.text == "absent" or act.text.startswith("absent ")
    words = act.text.removeprefix("absent").strip() if absent else act.text
    step = decide_dispute(floor.around, act.label, role, act.person, words, act.reason, at_us, absent=absent)
    return stepped(floor, step)


def ask_for_review(floor: Floor, act: Act, at_us: int) -> Changed:
    """Ask for a review of a decision."""
    return stepped(floor, ask_review(floor.around, act.label, act.person, at_us))


def review(floor: Floor, act: Act, at_us: int) -> Changed:
    """Review a decision, which makes it final."""
    role: Any = one_of(act, 0, "game", "casino")
    return stepped(floor, review_dispute(floor.around, act.label, role, act.person, act.text, act.reason, at_us))


def advise_(floor: Floor, act: Act, at_us: int) -> Changed:
    """Advise whoever is not satisfied of the right to lodge a complaint."""
    return stepped(floor, advise(floor.around, act.label, act.player, act.person, at_us))


def dealer(floor: Floor, act: Act, at_us: int) -> Changed:
    """Note who deals from now on; a round in progress goes on."""
    rule = f"{floor.around.book} 1.1"
    named(rule, person=act.player)
    entry = Entry("dealer", at_us, rule, act.player, "deals")
    return Changed(replace(floor, dealer=act.player), (), (entry,))
