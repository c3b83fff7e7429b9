"""Caribbean Stud rounds that are void, or have void or invalid hands, held against the second opinion."""

import json
import random
from collections import Counter
from typing import Any

from rules.games.caribbean_stud import Faults, settle
from rules.limits import Limits
from rules.readback import settle_record
from rules.records import RoundRecord, decode_any, faults_of
from rules.settings import Settings
from tests.oracle.caribbean_stud import settle as second_opinion
from tests.oracle.dealing import random_round
from tests.oracle.test_rounds_agree import random_limits, random_settings
from tests.support.plain_rounds import as_round
from tests.support.terms import with_rulings

ROUNDS = 4_000
CAUSES = ("misdeal", "foreign_card", "device_failed", "invalidated")
FAULTS = ("card_count", "prohibited_device", "invalid")


def gone_wrong(one_round: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same round with something wrong in it: the whole of it, or some hands."""
    if chance.random() < 0.4:
        cause = chance.choice(CAUSES)
        found = {**one_round, "void_by": cause}
        if cause == "invalidated" and chance.random() < 0.7:
            seat = chance.choice(one_round["seats"])["seat"]
            found["forfeits"] = [{"seat": seat, "person": "A. Lee", "reason": "marked cards"}]
        return found
    seats = [
        {**seat, "void_for": chance.choice(FAULTS)} if chance.random() < 0.5 else seat for seat in one_round["seats"]
    ]
    return {**one_round, "seats": seats}


def test_every_line_of_an_irregular_round_is_settled_alike(chance: random.Random) -> None:
    """Thousands of rounds with faults, any limits and rulings: the same outcome, winnings, stakes back and prizes."""
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        plain, limits = random_round(chance), random_limits(chance)
        settings = random_settings(chance) | {
            "invalid_losing": chance.choice(["kept", "returned"]),
            "refund_invalidated": chance.choice([True, False]),
        }
        back = chance.choice([True, False])
        one_round = gone_wrong(plain, chance)
        record = decode_any(json.dumps(one_round).encode())
        assert isinstance(record, RoundRecord)
        terms = with_rulings(void_returns_jackpot=back)
        faults = faults_of(record)
        theirs = settle(as_round(plain), Settings(**settings), Limits(**limits), terms=terms, faults=faults)
        given = {
            **one_round,
            "settings": {**settings, "void_returns_jackpot": back},
            "limits": {**limits, "jackpot_cents": terms.qualifying_wager_cents},
        }
        lines, winners = second_opinion(given)
        lines.sort(key=lambda line: line["seat"])
        names = ("seat", "wager", "stake_cents", "outcome", "paid_cents", "returned_cents")
        assert [{name: getattr(line, name) for name in names} for line in theirs.lines] == lines, json.dumps(given)
        assert [(winner.seat, winner.prize) for winner in theirs.qualifying] == sorted(winners), json.dumps(given)
        assert all(line.rules for line in theirs.lines), json.dumps(given)
        assert (faults == Faults()) == (one_round == plain)
        assert settle_record(record)[1] == settle(as_round(plain), faults=faults)
        kinds = {seat.get("void_for") for seat in one_round["seats"]} | {one_round.get("void_by")}
        met.update(str(kind) for kind in kinds)
        met.update(f"{line['wager']} {line['outcome']}" for line in lines)
        met["forfeited"] += "forfeits" in one_round
    expected = [*CAUSES, *FAULTS, "forfeited", "jackpot void", "jackpot lose", "ante void", "bet void", "bet returned"]
    assert {kind: met[kind] for kind in expected if met[kind] < 30} == {}, met
