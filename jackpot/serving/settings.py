"""How does a program read its settings? In layers, each later one winning: file, environment, command line.

The same for the server and for a table's agent; each names its own settings, its prefix and what is secret.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec

__all__ = ["SettingFault", "read_settings", "setting_sentence"]

SHOWN = 40

T = TypeVar("T", bound=msgspec.Struct)


class SettingFault(ValueError):
    """A setting that cannot be used: its name, its value, where it was set, and why."""

    def __init__(self, field: str, value: object, source: str, reason: str) -> None:
        """Keep the four parts; the program that asked makes its own error of them."""
        super().__init__(field)
        self.parts = (field, value, source, reason)


def setting_sentence(field: str, value: object, source: str, reason: str, secrets: Sequence[str]) -> str:
    """Return a fault as one sentence; the value of a secret setting is never in it. `source` may be empty.

    >>> setting_sentence("listen", "x", "", "no address", ())
    "listen 'x': no address"
    """
    text = str(value) if isinstance(value, Path) else str(value)[:SHOWN]  # half a path names no file
    shown = "" if field in secrets else f" {text!r}"
    return f"{field}{shown}{f' (from {source})' if source else ''}: {reason}"


def read_settings(
    form: type[T],
    file: Path | None,
    environment: Mapping[str, str],
    flags: Mapping[str, object],
    *,
    prefix: str,
    secrets: Sequence[str],
) -> T:
    """Read the settings of a form; flags that are None were not given.

    The file may also be named by `{prefix}CONFIG`. A secret may stand in a file of its own, `NAME_file`: then it
    is in no environment and no process list. Raises SettingFault.
    """
    named = environment.get(f"{prefix}CONFIG")
    file = file or (Path(named) if named else None)
    known = {field.name: field.type for field in msgspec.structs.fields(form)}
    names = (*known, *(f"{secret}_file" for secret in secrets))
    in_environment = {name: environment[key] for name in names if (key := f"{prefix}{name.upper()}") in environment}
    given: dict[str, tuple[object, str]] = {}
    layers: tuple[tuple[str, Mapping[str, object]], ...] = (
        (str(file), _from_file(file)),
        ("the environment", in_environment),
        ("the command line", {name: value for name, value in flags.items() if value is not None}),
    )
    for source, settings in layers:
        for name, value in settings.items():
            plain, found = _secret_from_file(name, value, source, secrets)
            given[plain] = found, source
    values: dict[str, Any] = {}
    for name, (value, source) in given.items():
        if name not in known:
            raise SettingFault(name, value, source, f"no such setting; known are {', '.join(known)}")
        try:
            values[name] = msgspec.convert(value, known[name], strict=not isinstance(value, str), dec_hook=_decoded)
        except (msgspec.ValidationError, ValueError) as error:
            wanted = get_args(getattr(known[name], "__value__", known[name])) if isinstance(value, str) else ()
            words = (
                f"wanted {', '.join(wanted)}" if wanted and all(isinstance(one, str) for one in wanted) else str(error)
            )
            raise SettingFault(name, value, source, words) from None
    return form(**values)


def _from_file(file: Path | None) -> Mapping[str, object]:
    if file is None:
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingFault("config", file, "the command line", error.strerror or str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingFault("config", file, "the command line", f"not TOML: {error}") from None


def _secret_from_file(name: str, value: object, source: str, secrets: Sequence[str]) -> tuple[str, object]:
    plain = name.removesuffix("_file")
    if plain == name or plain not in secrets:
        return name, value
    path = Path(str(value))
    try:
        return plain, path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise SettingFault(name, path, source, str(reason)) from None


def _decoded(kind: type, value: object) -> object:
    if kind is Path and isinstance(value, str):
        return Path(value).expanduser()
    if isinstance(value, kind):
        return value
    raise ValueError(f"not a {kind.__name__.lower()}")
