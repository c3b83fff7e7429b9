"""Players made of numbers: the same in every run, as many kinds as a casino has, and prizes for a visitor."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from jackpot.wire.settings import TableSettings
from rules.cards import DECK
from rules.games.caribbean_stud import prize_of
from rules.hands import five_card_value
from rules.records import decode_record
from tablelink.core.dealing import Dealing
from tablelink.core.inputs import Deal
from tablelink.core.rounds import RoundUnderWay
from tablelink.errors import TableError
from tablelink.replay import recorded_table
from tablelink.scripted import Plan
from tablelink.simulation import BLOCK, Simulation, simulated_table
from tests.support.tables import APPROVED, felt, records


def simulation(
    seed: int = 7, table: str = "T1", *, stack: bool = True, approved: TableSettings = APPROVED
) -> Simulation:
    """A table's rounds."""
    return Simulation(seed, table, approved, 100, stack_deck=stack)


def winners(plan: Plan) -> list[tuple[int, str]]:
    """The seats of a plan with a coin and a hand that wins a prize."""
    found: list[tuple[int, str]] = []
    for seat in plan.seats:
        assert seat.hand is not None
        prize = prize_of(five_card_value(seat.hand))
        if prize is not None and seat.placed.plays_jackpot:
            found.append((seat.placed.seat, prize))
    return found


def test_the_same_seed_gives_the_same_rounds() -> None:
    """In whatever order they are asked for, and whatever was asked before."""
    there, back = simulation(), simulation()
    forwards = [there.plan_of(number) for number in range(1, 4 * BLOCK)]
    backwards = [back.plan_of(number) for number in reversed(range(1, 4 * BLOCK))]
    assert forwards == backwards[::-1]


def test_these_very_rounds() -> None:
    """Seed 7 means the same on every machine and in every release: two demonstrations can be compared."""
    plan = simulation(stack=False).plan_of(1)
    assert [(s.placed.seat, s.placed.ante_cents, s.placed.jackpot_cents, s.decision) for s in plan.seats] == PINNED
    assert plan.dealer == PINNED_DEALER


def test_other_seeds_and_tables_play_other_rounds() -> None:
    """Tables of one demonstration do not see each other's cards."""
    plans = {simulation(seed, table).plan_of(1).dealer for seed in (1, 2) for table in ("T1", "T2")}
    assert len(plans) == 4


def test_a_round_begun_with_another_seed_is_not_gone_on_with() -> None:
    """A restart with another seed ends with a clear error at once; it never deals to seats that did not wager."""
    wagered = tuple(seat.placed for seat in simulation(7).plan_of(1).seats)
    begun = Dealing(journal=1, round=RoundUnderWay(1, "2026-11", 1, wagered, None))
    other = simulated_table(8, "T1", APPROVED, 100)
    with pytest.raises(TableError, match="Round 1 was begun with other wagers"):
        asyncio.run(other.respond(Deal(1, tuple(seat.seat for seat in wagered)), begun))


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_every_round_is_one_deck_and_legal_wagers(device: str) -> None:
    """No card twice, antes on the sign's steps, bets twice the ante, the jackpot's one amount."""
    approved = TableSettings(limits=APPROVED.limits, device="shoe" if device == "shoe" else "shuffler")
    rounds = simulation(approved=approved)
    for number in range(1, 3 * BLOCK):
        plan = rounds.plan_of(number)
        cards = [card for hand in (plan.dealer, *(seat.hand for seat in plan.seats)) for card in hand or ()]
        assert len(set(cards)) == len(cards) == 5 * (len(plan.seats) + 1)
        assert set(cards) <= set(DECK)
        for seat in plan.seats:
            assert 500 <= seat.placed.ante_cents <= 50_000
            assert seat.placed.ante_cents % 500 == 0
            assert seat.placed.jackpot_cents in {0, 100}
            assert seat.bet_cents in {None, 2 * seat.placed.ante_cents}


def test_there_are_players_of_every_kind() -> None:
    """Some fold, are absent, concede, play without the jackpot; antes differ; seats stand empty."""
    both = [simulation(table=table) for table in ("T1", "T2")]
    plans = [rounds.plan_of(number) for rounds in both for number in range(1, 251)]
    seats = [seat for plan in plans for seat in plan.seats]
    decisions = Counter(seat.decision for seat in seats)
    assert min(decisions[kind] for kind in ("bet", "fold", "absent", "concede")) > 5
    coins = sum(seat.placed.plays_jackpot for seat in seats)
    assert len(seats) // 3 < coins < len(seats)
    assert len({seat.placed.ante_cents for seat in seats}) > 4
    assert len({len(plan.seats) for plan in plans}) > 3


@pytest.mark.parametrize("seed", range(5))
def test_a_visitor_sees_every_prize(seed: int) -> None:
    """In 250 rounds of 4 tables: royals, straight flushes, two winners at one table, and every bonus, many times."""
    prizes: Counter[str] = Counter()
    together = 0
    for table in ("T1", "T2", "T3", "T4"):
        rounds = simulation(seed, table)
        for number in range(1, 251):
            won = winners(rounds.plan_of(number))
            prizes.update(prize for _seat, prize in won)
            together += len(won) > 1
    assert prizes["royal_flush"] >= 4
    assert prizes["straight_flush"] >= 16
    assert min(prizes[bonus] for bonus in ("four_of_a_kind", "full_house", "flush")) >= 16
    assert together >= 12


def test_somebody_folds_a_hand_that_wins() -> None:
    """It wins all the same (11.4, `folded_hand_wins`): such rounds are in every longer run."""
    folded = 0
    for table in ("T1", "T2", "T3", "T4"):
        rounds = simulation(table=table)
        for number in range(1, 251):
            plan = rounds.plan_of(number)
            seats = dict(winners(plan))
            folded += sum(seat.decision in {"fold", "absent"} for seat in plan.seats if seat.placed.seat in seats)
    assert folded > 0


def test_stacking_chooses_the_order_of_the_deck_and_nothing_else() -> None:
    """The same players, antes and coins in every round; other cards only in the few rounds that are stacked."""
    plain, stacked = simulation(stack=False), simulation()
    other = 0
    for number in range(1, 251):
        before, after = plain.plan_of(number), stacked.plan_of(number)
        assert [seat.placed for seat in before.seats] == [seat.placed for seat in after.seats]
        other += before.dealer != after.dealer or [s.hand for s in before.seats] != [s.hand for s in after.seats]
    assert 20 <= other <= 40


def test_claims_find_the_same_prizes_at_the_same_seats() -> None:
    """What a shoe proves, players and dealer show: the captures agree on every winner."""
    full, claims = felt(), felt(capture="claims")
    found = []
    for on in (full, claims):
        device = simulated_table(7, "T1", on.approved, 100, stack_deck=True)
        read = [decode_record(body) for body in records(device, on, 250)]
        found.append([(r.round, tuple((c.seat, c.prize) for c in r.claims or ())) for r in read])
    assert found[0] == found[1]
    assert sum(bool(won) for _number, won in found[0]) >= 20


def test_claims_show_no_hand_but_the_winners() -> None:
    """A dealer cannot enter forty cards: the record holds the cards of claimed hands, and a name for the rest."""
    on = felt(capture="claims")
    for body in records(simulated_table(7, "T1", on.approved, 100, stack_deck=True), on, 50):
        record = decode_record(body, canonical=True)
        claimed = {claim.seat for claim in record.claims or ()}
        assert {seat.seat for seat in record.seats if seat.cards is not None} == claimed
        assert record.dealer is None
        assert (record.no_other_hand, record.declared_by) == (True, "dealer of T1")


def test_a_replayed_file_gives_the_same_records(tmp_path: Path) -> None:
    """Rounds read back from their records come out as the same records; lines of other kinds are passed over."""
    on = felt()
    written = records(simulated_table(7, "T1", on.approved, 100, stack_deck=True), on, 60)
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(b'{"kind":"withdraw","commit":3}\n' + b"\n".join(written) + b"\n\n")
    device = recorded_table(file, "T1", on.approved)
    assert device.last_round == 60
    assert records(device, on, 60) == written


def test_a_replay_names_the_line_that_is_wrong(tmp_path: Path) -> None:
    """A file with an unreadable line is not played at all."""
    on = felt()
    (good,) = records(simulated_table(7, "T1", on.approved, 100), on, 1)
    file = tmp_path / "rounds.jsonl"
    for bad, words in (
        (b"nonsense", "line 2"),
        (good.replace(b'"round":1', b'"round":"1"'), "line 2: round: "),
        (good.replace(b'"decision":', b'"x":'), "line 2.*unknown"),
    ):
        file.write_bytes(good + b"\n" + bad)
        with pytest.raises(TableError, match=words):
            recorded_table(file, "T1", on.approved)
    file.write_bytes(b"")
    with pytest.raises(TableError, match="no round"):
        recorded_table(file, "T1", on.approved)
    with pytest.raises(TableError, match="cannot be read"):
        recorded_table(tmp_path / "none", "T1", on.approved)


def test_claims_cannot_be_replayed_as_if_every_card_had_been_seen(tmp_path: Path) -> None:
    """A table that reads every card cannot deal rounds of which only some were seen."""
    on = felt(capture="claims")
    file = tmp_path / "rounds.jsonl"
    written = records(simulated_table(7, "T1", on.approved, 100, stack_deck=True), on, 20)
    file.write_bytes(b"\n".join(written))
    with pytest.raises(TableError, match="line 1: not every card"):
        recorded_table(file, "T1", felt().approved)
    again = records(recorded_table(file, "T1", on.approved), on, 20)
    assert [decode_record(b).claims for b in again] == [decode_record(b).claims for b in written]


def test_a_sign_without_limits_has_antes_all_the_same() -> None:
    """A table whose settings state no limits is played with plain amounts."""
    plan = Simulation(7, "T1", TableSettings(), 100).plan_of(1)
    assert all(seat.placed.ante_cents >= 1000 for seat in plan.seats)


PINNED = [(4, 1500, 0, "bet"), (5, 500, 100, "fold"), (6, 4500, 100, "fold"), (7, 4500, 0, "bet")]
PINNED_DEALER = (34, 19, 9, 36, 28)
