"""Models of bodies that the service reads and writes without models, for the documentation alone.

`bodies.toml` has a table for each. A test compares real answers with them.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.access.report_rights import ReportRights
from credence.meanings import meaning

_KINDS: Final[Mapping[str, Any]] = {
    "text": str,
    "texts": list[str],
    "digits": Annotated[str, Meta(pattern="^[0-9]+$")],
    "number": int,
    "flag": bool,
    "object": dict[str, Any],
    "rights": tuple[ReportRights, ...],
}


def _models(tables: Mapping[str, Mapping[str, Any]]) -> Mapping[str, type[Struct]]:
    """Return name -> model; the members of one may be models of earlier tables."""
    known: dict[str, type[Struct]] = {}
    for name, said in tables.items():
        members = [_member(each, given, known) for each, given in said.items() if not each.startswith("_")]
        bases = (known[said["_also"]],) if "_also" in said else ()
        known[name] = msgspec.defstruct(name, members, bases=bases, namespace={"__doc__": said["_says"]}, kw_only=True)
    return known


def _member(name: str, said: Mapping[str, Any], known: Mapping[str, type[Struct]]) -> tuple[Any, ...]:
    kind = said["is"].rstrip("?+")
    model: Any = Literal[tuple(said["one_of"])] if "one_of" in said else _KINDS.get(kind) or known[kind]
    if said["is"].endswith("+"):
        model = Annotated[list[model], Meta(min_length=1)]
    text = meaning(said["says"], unit=said.get("unit", ""), example=said.get("example"))
    if said["is"].endswith("?"):
        return name, Annotated[model | UnsetType, text], UNSET
    return name, Annotated[model, text]


BODIES: Final = _models(tomllib.loads(files("credence.api.reference").joinpath("bodies.toml").read_text("utf-8")))
"""Name -> model."""
