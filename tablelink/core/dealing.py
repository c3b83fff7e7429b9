"""How does a round of Caribbean Stud go at this table, step by step, and what does the table say to the server?

`step(dealing, input, felt)` gives the table after the input and the messages that follow from it. Whoever calls it
writes both into the spool and acts only then; so a table is rebuilt after a fall of power by taking its inputs again,
and lamps, prompts and statements are read off the state (`prompt`, `lamps`). One open round at a time; the next is
blocked by the table's own reading of the cards, not by an answer (CSP 9.5).

Knows no clock, no disk and no network; never values a hand before its decision (CSP 16.7).
"""

from dataclasses import dataclass, replace

from jackpot.wire.codec import FrameError, decode_answer
from jackpot.wire.messages import HitNow, RecordAnswer, RoundNow, WagersAnswer
from rules.games.caribbean_stud import legal_decisions, qualifying
from rules.irregularities.voiding import FORFEITS, void_fault
from rules.rounds import Decision, RoundError
from tablelink.core import reports
from tablelink.core.felt import Felt
from tablelink.core.inputs import (
    Amended,
    Answered,
    AwaitAnswer,
    AwaitJournal,
    AwaitPayout,
    Conceded,
    Deal,
    DealerTurned,
    Dealt,
    Decide,
    Decided,
    GoOn,
    Granted,
    HandsTurned,
    HitsNow,
    Input,
    JackpotBack,
    Lamp,
    MonthTurned,
    NoMoreBets,
    PlaceWagers,
    Post,
    Prompt,
    Sealed,
    TurnDealer,
    TurnHands,
    Voided,
    WithoutJackpot,
)
from tablelink.core.rounds import Ended, RoundUnderWay


class NotNowError(ValueError):
    """An input that cannot be where the round stands; nothing has changed. Says what the table waits for."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """A table between two inputs."""

    journal: int = 0
    month: str = ""
    next_round: int = 1
    round: RoundUnderWay | None = None
    last: Ended | None = None
    hits: tuple[HitNow, ...] = ()
    without: WithoutJackpot | None = None
    """The approval by which play goes on without the jackpot, while it stands (CSP 14.15)."""


def step(dealing: Dealing, given: Input, felt: Felt) -> tuple[Dealing, tuple[Post, ...]]:
    """Take one input: the table after it, and the messages that go to the spool with it.

    **Always** the same for the same inputs. **Never** changes anything for an input that cannot be now: raises
    NotNowError.
    """
    match given:
        case Granted():
            return _granted(dealing, given), ()
        case MonthTurned(month):
            return replace(dealing, month=month), ()
        case HitsNow(hits):
            return replace(dealing, hits=hits), ()
        case WithoutJackpot():
            return _without_jackpot(dealing, given, felt), ()
        case JackpotBack():
            return replace(dealing, without=None), ()
        case Answered():
            return _answered(dealing, given), ()
        case NoMoreBets():
            return _no_more_bets(dealing, given, felt)
        case Voided():
            return _voided(dealing, given, felt)
        case Amended():
            return _amended(dealing, given, felt)
        case GoOn(reason):
            return _go_on(dealing, reason, felt)
    under_way = _under_way(dealing)
    match given:
        case Dealt(sealed):
            after = _dealt(under_way, sealed, felt)
        case Decided():
            after = _decided(under_way, given)
        case DealerTurned():
            if not isinstance(prompt(dealing, felt), TurnDealer):
                raise _not_now(dealing, felt, "the dealer's hand is turned after the last decision (CSP 9.1)")
            after = replace(under_way, dealer_turned=True)
        case Conceded(seat):
            after = _conceded(under_way, seat)
        case _:
            return _recorded(dealing, under_way, given, felt)
    return replace(dealing, round=after), ()


def step_now(dealing: Dealing, given: Input, felt: Felt) -> tuple[Dealing, tuple[Post, ...]]:
    """As `step`, of what comes now: NotNowError too for a void by no rule for it; spools of before may hold such."""
    after = step(dealing, given, felt)
    if isinstance(given, Voided) and (fault := void_fault(given.rule, given.seats)):
        raise NotNowError(fault)
    return after


def prompt(dealing: Dealing, felt: Felt) -> Prompt:
    """What the table waits for."""
    under_way = dealing.round
    if under_way is None:
        if not dealing.journal:
            return AwaitJournal()
        return AwaitPayout(dealing.hits) if awaits_payout(dealing) else PlaceWagers(dealing.next_round)
    if under_way.waits_for_answer:
        return AwaitAnswer(under_way.number, under_way.wagers_id)
    if not under_way.dealt:
        return Deal(under_way.number, tuple(seat.seat for seat in under_way.in_play))
    if felt.approved.capture == "full":
        for seat in under_way.in_play:
            if under_way.decision_of(seat.seat) is None:
                return Decide(under_way.number, seat.seat, seat.ante_cents)
    if not under_way.dealer_turned:
        return TurnDealer(under_way.number)
    return TurnHands(under_way.number, tuple(sorted(under_way.accepted - under_way.voided)))


def awaits_payout(dealing: Dealing) -> bool:
    """Whether the next round is blocked (CSP 9.5): a hit is open, or a winner the table read is not yet answered."""
    last = dealing.last
    return bool(dealing.hits) or (last is not None and bool(last.winners) and not last.answered)


def lamps(dealing: Dealing) -> dict[int, Lamp]:
    """The lamp of each seat of the round under way.

    **Never** green but by the server's answer, and only where that came before a withdrawal (CSP 11.2).
    """
    under_way = dealing.round
    if under_way is None:
        return {}
    shown: dict[int, Lamp] = {}
    for seat in under_way.seats:
        if seat.seat in under_way.accepted - under_way.voided:
            shown[seat.seat] = "accepted"
        elif seat.plays_jackpot and under_way.waits_for_answer and seat.seat not in under_way.voided:
            shown[seat.seat] = "placed"
        else:
            shown[seat.seat] = "dark"
    return shown


def forgotten(dealing: Dealing, told: RoundNow) -> str:
    """Say what the server holds of the round under way that this table has forgotten, in words; empty where it is one.

    All that the server was told by the table, one that has lost nothing has done before. Asked once what people did at
    the server is taken (`Amended`); before version 4 that is not told, and reads as if it were lost.
    """
    under_way = dealing.round
    if under_way is None or told.journal != dealing.journal or told.round < under_way.number:
        return ""
    if told.round > under_way.number:
        return f"round {told.round} was played after round {under_way.number}, which goes on here"
    if told.state in {"voided", "recorded"} or (told.state == "withdrawn" and not under_way.withdrawn):
        return f"round {told.round} is {told.state}, and goes on here"
    out = sorted(under_way.accepted - under_way.voided - frozenset(told.seats))
    return f"seats {', '.join(map(str, out))} are out of round {told.round}, and in play here" if out else ""


def _not_now(dealing: Dealing, felt: Felt, why: str) -> NotNowError:
    return NotNowError(f"{why}; the table waits for {type(prompt(dealing, felt)).__name__}")


def _under_way(dealing: Dealing) -> RoundUnderWay:
    if dealing.round is None:
        raise NotNowError("no round is under way")
    if dealing.round.waits_for_answer:
        raise NotNowError("the wagers wait for their answer, or for the dealer to go on without it")
    return dealing.round


def _granted(dealing: Dealing, given: Granted) -> Dealing:
    if given.journal == dealing.journal:
        return replace(dealing, month=given.month)
    if dealing.round is not None:
        raise NotNowError("another journal is granted while a round is under way")
    # A new life of the spool: its rounds begin above what the server has seen of that journal, and nothing old matters.
    return Dealing(given.journal, given.month, given.highest_round + 1, without=dealing.without)


def _without_jackpot(dealing: Dealing, given: WithoutJackpot, felt: Felt) -> Dealing:
    if felt.approved.without_jackpot == "stop":
        raise NotNowError("this table is approved with a hard stop: no game while the jackpot is lost")
    if not given.by.strip() or not given.inspector.strip():
        raise NotNowError("who approves, and which inspector was notified, are named (CSP 14.15)")
    if _person(given.by) == _person(given.inspector):
        raise NotNowError("the inspector who was notified is another person than who approves (CSP 14.15)")
    if dealing.without is not None:
        raise NotNowError(f"play goes on without the jackpot already, approved by {dealing.without.by}")
    return replace(dealing, without=given)


def _person(name: str) -> str:
    return " ".join(name.casefold().split())


def _no_more_bets(dealing: Dealing, given: NoMoreBets, felt: Felt) -> tuple[Dealing, tuple[Post, ...]]:
    if not isinstance(prompt(dealing, felt), PlaceWagers):
        raise _not_now(dealing, felt, "wagers are placed before a round (CSP 5.3)")
    seats = tuple(sorted(given.seats, key=lambda seat: seat.seat))
    if not any(seat.ante_cents > 0 for seat in seats):
        raise NotNowError("a round of play has at least one ante (CSP 5.3.1)")
    if len({seat.seat for seat in seats}) != len(seats):
        raise NotNowError("only one wager is accepted on one area (CSP 5.9)")
    under_way = RoundUnderWay(
        dealing.journal, dealing.month, dealing.next_round, seats, given.shown, closed=given.closed
    )
    posts: tuple[Post, ...] = ()
    if not given.closed and given.shown is not None and any(seat.plays_jackpot for seat in seats):
        posts = (reports.wagers(under_way, felt, given.shown),)
        under_way = replace(under_way, wagers_id=posts[0].id)
    return replace(dealing, round=under_way, next_round=dealing.next_round + 1), posts


def _answered(dealing: Dealing, given: Answered) -> Dealing:
    under_way, last = dealing.round, dealing.last
    if under_way is not None and given.id == under_way.wagers_id:
        # The first of answer and withdrawal in the spool decides: after a withdrawal the answer is evidence only.
        return dealing if not under_way.waits_for_answer else replace(dealing, round=_lit(under_way, given.answer))
    if last is not None and given.id == last.id and not last.answered:
        return replace(dealing, last=_stated(last, given.answer))
    return dealing


def _lit(under_way: RoundUnderWay, raw: str) -> RoundUnderWay:
    answer = decode_answer(raw.encode())
    if not isinstance(answer, WagersAnswer):
        code = getattr(answer, "code", "refused")
        everyone = tuple((seat.seat, code) for seat in under_way.seats if seat.plays_jackpot)
        return replace(under_way, answered=True, refused=everyone)
    placed = {seat.seat for seat in under_way.seats if seat.plays_jackpot}
    accepted = frozenset(seat.seat for seat in answer.seats if seat.accepted and seat.seat in placed)
    refused = tuple((seat.seat, str(seat.refusal)) for seat in answer.seats if not seat.accepted)
    return replace(under_way, answered=True, accepted=accepted, refused=refused)


def _stated(last: Ended, raw: str) -> Ended:
    answer = decode_answer(raw.encode())
    if isinstance(answer, RecordAnswer):
        return replace(last, answered=True, awards=tuple(answer.awards), disputed=answer.disputed)
    return replace(last, answered=True, refusal=getattr(answer, "code", ""))


def _go_on(dealing: Dealing, reason: str, felt: Felt) -> tuple[Dealing, tuple[Post, ...]]:
    under_way = dealing.round
    if under_way is None or not under_way.waits_for_answer:
        raise _not_now(dealing, felt, "there are no wagers waiting for an answer")
    post = reports.withdraw(under_way, felt, reason)
    return replace(dealing, round=replace(under_way, withdrawn=reason)), (post,)


def _dealt(under_way: RoundUnderWay, sealed: Sealed | None, felt: Felt) -> RoundUnderWay:
    if under_way.dealt:
        raise NotNowError("the cards of this round are dealt already (CSP 5.7)")
    wanted = 5 * (len(under_way.dealt_seats) + 1)
    seen = 0 if sealed is None else len(sealed.cards)
    if felt.approved.capture == "full" and seen != wanted:
        raise NotNowError(f"the shoe read {seen} cards where {wanted} are dealt (CSP 14.2, 14.8)")
    return replace(under_way, dealt=True, sealed=sealed if felt.approved.capture == "full" else None)


def _decided(under_way: RoundUnderWay, given: Decided) -> RoundUnderWay:
    if not under_way.dealt or under_way.dealer_turned:
        raise NotNowError("players decide after the deal and before the dealer's hand is turned (CSP 8.1)")
    if given.seat not in {seat.seat for seat in under_way.in_play}:
        raise NotNowError(f"seat {given.seat} has no hand in this round")
    if under_way.decision_of(given.seat) is not None or given.decision not in _LEGAL:
        raise NotNowError(f"seat {given.seat} cannot {given.decision}: legal are {', '.join(_LEGAL)}, once (CSP 8.4)")
    if (given.decision == "bet") != (given.bet_cents is not None):
        raise NotNowError(f"seat {given.seat}: a bet has an amount, and nothing else has one (CSP 8.5)")
    return replace(under_way, decisions=(*under_way.decisions, given))


_LEGAL = legal_decisions(None, dealer_exposed=False)


def _conceded(under_way: RoundUnderWay, seat: int) -> RoundUnderWay:
    made = under_way.decision_of(seat)
    before: Decision | None = None if made is None else made.decision
    if not under_way.dealer_turned or "concede" not in legal_decisions(before, dealer_exposed=True):
        raise NotNowError(f"seat {seat} cannot concede: only who has bet, once the dealer's hand is turned (CSP 9.7)")
    bet_cents = None if made is None else made.bet_cents
    return replace(under_way, decisions=(*under_way.decisions, Decided(seat, "concede", bet_cents)))


def _recorded(
    dealing: Dealing, under_way: RoundUnderWay, given: HandsTurned, felt: Felt
) -> tuple[Dealing, tuple[Post, ...]]:
    claims, as_claims = given.claims, felt.approved.capture == "claims"
    if not isinstance(prompt(dealing, felt), TurnHands):
        raise _not_now(dealing, felt, "hands are turned after the dealer's (CSP 9.4)")
    if as_claims and not given.declared_by:
        raise NotNowError("somebody must say by name that no other hand qualifies")
    if claims and not as_claims:
        raise NotNowError("a device read the cards: no hand is claimed by word")
    if {claim.seat for claim in claims} - {seat.seat for seat in under_way.in_play}:
        raise NotNowError("a hand is claimed at a seat that has none in this round")
    try:
        played = reports.played_round(under_way, claims, felt)
    except RoundError as error:
        raise NotNowError(f"{error}: the round is void where the cards are so (CSP 14.9)") from error
    winners = qualifying(played, felt.terms)
    post = reports.record(under_way, played, winners, given.declared_by, felt)
    ended = Ended(under_way.number, post.id, under_way.accepted - under_way.voided, winners)
    return replace(dealing, round=None, last=ended), (*reports.void_hands(under_way, felt), post)


def _voided(dealing: Dealing, given: Voided, felt: Felt) -> tuple[Dealing, tuple[Post, ...]]:
    under_way = dealing.round
    if under_way is None:
        raise NotNowError("no round is under way: a recorded round is voided by two people at the server")
    if not given.rule or not given.by:
        raise NotNowError("a void names its rule and who asked for it")
    playing = {seat.seat for seat in under_way.in_play}
    if given.seats and not (under_way.dealt and set(given.seats) <= playing):
        raise NotNowError("seats are voided once they have cards (CSP 14.8), and once only")
    seats = () if set(given.seats) == playing else given.seats  # With no seat left it is the whole round that is void.
    post = reports.void(under_way, given, seats, felt)
    if seats:
        after = replace(under_way, voided=under_way.voided | set(seats), voids=(*under_way.voids, given))
        return _out(dealing, after, post, felt)
    told = reports.void_hands(under_way, felt)
    return replace(dealing, round=None, last=Ended(under_way.number, post.id)), (*told, post)


def _amended(dealing: Dealing, given: Amended, felt: Felt) -> tuple[Dealing, tuple[Post, ...]]:
    """Take what two people did at the server, and write a void of theirs down in their own words.

    The ledger has it under that id, and answers with its receipt: so it is handed in after the ledger went back. What
    is no word of a table (a forfeited wager, a record) people do again. Where no seat is left the round is open there
    still: its void is the table's own word. **Always** tells the hands that were dealt: a prize may be among them.
    **Never** writes down a second void of the same seats: after the ledger went back people may have said it anew, in
    other words, and the id is taken.
    """
    under_way = dealing.round
    if under_way is None or (under_way.journal, under_way.number) != (given.journal, given.round):
        raise NotNowError("it is not the round under way that people did this to")
    before, under_way = under_way.amended, replace(under_way, amended=(*under_way.amended, given))
    if given.act == "record" or given.rule == FORFEITS:
        last = Ended(under_way.number, "", answered=True, amended=under_way.amended)
        told = (*reports.void_hands(under_way, felt), reports.hands_of_ended(under_way, given, felt))
        return replace(dealing, round=None, last=last), told
    if any(sorted(each.seats) == sorted(given.seats) for each in before):
        return replace(dealing, round=under_way), ()
    post = reports.void_of_people(under_way, given, felt)
    seats = given.seats or tuple(sorted(under_way.accepted - under_way.voided))
    said = Voided(given.rule, f"{given.by}, {given.second}", seats)
    out = frozenset(seat.seat for seat in under_way.in_play if seat.seat in seats)
    voids = (*under_way.voids, said) if out else under_way.voids  # Hands that its own void tells are told once.
    if not given.seats or len(out) == len(under_way.in_play):
        ends = reports.void(under_way, said, (), felt) if given.seats else post
        told = reports.void_hands(replace(under_way, voids=voids), felt)
        last = Ended(under_way.number, ends.id, amended=under_way.amended)
        return replace(dealing, round=None, last=last), (post, *told, ends) if given.seats else (ends, *told)
    not_dealt = under_way.not_dealt if under_way.dealt else under_way.not_dealt | out
    after = replace(under_way, voided=under_way.voided | out, voids=voids, not_dealt=not_dealt)
    return _out(dealing, after, post, felt)


def _out(dealing: Dealing, after: RoundUnderWay, post: Post, felt: Felt) -> tuple[Dealing, tuple[Post, ...]]:
    """Let a round go on without the seats that a word takes out; once nobody decides their hands are told at once."""
    if not after.dealer_turned:
        return replace(dealing, round=after), (post,)
    told = reports.void_hands(after, felt)
    return replace(dealing, round=replace(after, told=after.told | after.voided)), (post, *told)


def unreadable(raw: str) -> str:
    """Why an answer cannot be read, or nothing: asked before it becomes an input, so that a step never fails for it."""
    try:
        decode_answer(raw.encode())
    except FrameError as error:
        return str(error)
    return ""
