"""What `python -m rules settle` answers to one round, without running the command."""

import json
from typing import Any

import msgspec

from rules.readback import settle_any, settle_record
from rules.records import FORMS, RoundRecord, decode_any, game_of
from rules.records.answers import answer


def answer_to(line: dict[str, Any]) -> dict[str, Any]:
    """The answer to a round that has no meter, as JSON has it; raises `RecordError` for one that cannot be settled."""
    record = decode_any(json.dumps(line).encode())
    round_, settlement = settle_record(record) if isinstance(record, RoundRecord) else settle_any(record)
    shown = answer(record, round_, settlement, FORMS[game_of(record)].shown(round_, settlement))
    shown |= {"notes": settlement.notes, "rulings": dict(settlement.rulings)}
    found: dict[str, Any] = json.loads(msgspec.json.encode(shown))
    return found
