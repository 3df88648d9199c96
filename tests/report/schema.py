"""The field tables of the report schema as data, and a walk that holds a JSON document against them.

`report-schema.json` is the list of field tables of the shared report schema, reduced to names and types: every line
"- **Model**: name type, name type ..." that the four roots lead to became one object. `s` string, `i` integer, `n`
number, `[X]` array of X, any other word a model, `!` never null.
"""

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

MODELS: dict[str, dict[str, str]] = msgspec.json.decode((Path(__file__).parent / "report-schema.json").read_bytes())

OUR_OWN = {"Assessment"}
"""The one member that is ours (D21)."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def faults(document: Any, model: str, path: str = "") -> Iterator[str]:
    """Yield what is wrong with a document, as places and never as values: they may be somebody's address."""
    if not isinstance(document, dict):
        yield f"{path}: not an object"
        return
    members = MODELS[model]
    for name, value in document.items():
        if name in OUR_OWN and not path:
            continue
        if name not in members:
            yield f"{path}.{name}: no such member of {model}"
            continue
        yield from _value_faults(value, members[name], f"{path}.{name}")
    yield from (f"{path}.{name}: required" for name, kind in members.items() if "!" in kind and name not in document)


def _value_faults(value: Any, kind: str, path: str) -> Iterator[str]:
    kind = kind.removesuffix("!")
    if kind.startswith("["):
        if not isinstance(value, list):
            yield f"{path}: not an array"
            return
        for n, each in enumerate(value):
            yield from _value_faults(each, kind[1:-1], f"{path}[{n}]")
    elif kind in MODELS:
        yield from faults(value, kind, path)
    elif not _is(value, kind):
        yield f"{path}: {type(value).__name__}, not {kind}"
    elif kind == "s" and _names_a_date(path) and not _is_date(value):
        yield f"{path}: not a date"


def _is(value: Any, kind: str) -> bool:
    match kind:
        case "s":
            return isinstance(value, str)
        case "b":
            return isinstance(value, bool)
        case "i":
            return isinstance(value, int) and not isinstance(value, bool)
        case "n":
            return isinstance(value, int | float) and not isinstance(value, bool)
    raise AssertionError(f"unknown kind {kind}")


def _names_a_date(path: str) -> bool:
    name = path.rsplit(".", 1)[-1]
    return "Date" in name and not name.endswith("Flag")


def _is_date(text: str) -> bool:
    try:
        return bool(_DATE.fullmatch(text)) and bool(dt.date.fromisoformat(text))
    except ValueError:
        return False
