"""One JSON Schema of kinds of values, as strict as those who read them."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema_of(name: str, kinds: Sequence[Any]) -> dict[str, Any]:
    """One schema, of any of these kinds: a whole one, with an id of its own."""
    refs, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    whole = dict(refs[0]) if len(refs) == 1 else {"anyOf": list(refs)}
    return {
        "$schema": DIALECT,
        "$id": f"urn:rules:{name}",
        **whole,
        "$defs": {each: _strict(part) for each, part in definitions.items()},
    }


def _strict(schema: Any) -> Any:
    """A schema as strict as the reader: no null for what is absent, no unknown field; patterns for any language."""
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: _strict(value) for name, value in schema.items() if not (name == "default" and value is None)}
    if strict.get("type") == "object" and "properties" in strict:
        strict["additionalProperties"] = False
    if isinstance(strict.get("pattern"), str):
        strict["pattern"] = strict["pattern"].replace(r"\Z", "$")
    if "anyOf" in strict:
        without_null = [each for each in strict["anyOf"] if each != {"type": "null"}]
        if len(without_null) == 1:
            del strict["anyOf"]
            strict |= without_null[0]
        else:
            strict["anyOf"] = without_null
    return strict
