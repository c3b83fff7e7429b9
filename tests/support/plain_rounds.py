"""Rounds that stand as plain dictionaries, read into the values of `rules` through the one JSON form."""

import json
from collections.abc import Mapping
from typing import Any

from rules.records import decode_record, to_round
from rules.rounds import Round


def as_round(one_round: Mapping[str, Any]) -> Round:
    """The same round as `rules` has it; raises `RecordError` for one that cannot have been."""
    return to_round(decode_record(json.dumps(one_round).encode()))
