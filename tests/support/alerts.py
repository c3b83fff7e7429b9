"""The rules of `deploy/prometheus`, read without a YAML library: they are written one field a line."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = [DEPLOY / "prometheus" / "rules" / name for name in ("recording.yml", "alerts.yml")]


def alerts() -> Sequence[dict[str, Any]]:
    """The alerts in their order: name, expression on one line, `for`, labels, annotations."""
    return [_fields(block) for block in _blocks(RULES[1], "alert")]


def recorded() -> dict[str, str]:
    """The recorded series, by name: their expressions."""
    return {found["record"]: found["expr"] for found in map(_fields, _blocks(RULES[0], "record"))}


def _blocks(file: Path, kind: str) -> Sequence[str]:
    text = "\n".join(
        line for line in file.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")
    )
    parts = re.split(rf"^      - (?={kind}:)", text, flags=re.MULTILINE)[1:]
    return [re.split(r"^  - name:", part, flags=re.MULTILINE)[0] for part in parts]


def _fields(block: str) -> dict[str, Any]:
    fields: dict[str, Any] = {"labels": {}, "annotations": {}}
    part = ""
    for line in block.splitlines():
        name, colon, value = line.strip().partition(": ")
        depth = len(line) - len(line.lstrip())
        if depth >= 10 and part == "annotations":
            fields[part][name] = json.loads(value) if value.startswith('"') else value
        elif depth >= 10:
            fields[part] = f"{fields[part]} {line.strip()}".strip()
        elif name == "labels":
            fields[name] = dict(each.split(": ") for each in value.strip("{}").split(", "))
        elif line.strip():
            part = name.removesuffix(":") if not colon else name
            if part != "annotations":
                fields[part] = "" if value == ">-" else value
    return fields
