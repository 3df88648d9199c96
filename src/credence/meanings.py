"""The meaning of each member of an answer, next to its type, for OpenAPI, JSON Schema and `/docs`; and how people type it.

`tests/web/test_every_member_is_explained.py` requires a meaning for every member.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

_WORDS = "words"


def meaning(text: str, *, unit: str = "", values: Mapping[str, str] | None = None, example: object = None) -> Meta:
    """Return the annotation of a member.

    `text` is one sentence or more. `values` maps every code to its description. `example` is for a member that is in no
    example body; for the others the value in the example body is shown.
    """
    codes = f" {', '.join(f'`{code}` {words}' for code, words in values.items())}." if values else ""
    extra: dict[str, object] = {}
    if unit:
        extra["x-unit"] = unit
    if values:
        extra["enum"] = list(values)
    return Meta(
        description=f"{text}{codes}{f' Unit: {unit}.' if unit else ''}",
        examples=None if example is None else [example],
        extra_json_schema=extra or None,
        extra={_WORDS: values} if values else None,
    )


@dataclass(frozen=True, slots=True)
class Input:
    """The annotation of a member: what is different from its name and its meaning."""

    help: str = ""
    """What the command says of it; by default its meaning."""
    flag: str = ""
    """The option, such as `--keep-old`, or a pair such as `--on/--off`."""
    argument: bool = False
    """Whether the command takes it without the name of an option."""
    default: str = ""
    """What the help of the command says of leaving it out, if that is not the default value."""
    label: str = ""
    """What the form calls it."""
    hint: str | None = None
    """What the form says of it; by default what the command says, unless that is its label."""
    choices: Sequence[tuple[str, str]] = ()
    """Values and texts to choose from in a form."""
    file: bool = False
    """Whether the command takes the path of a JSON file that contains it."""
    secret: bool = False
    """Whether it is typed without being shown, or read from standard input; never sent to another deployment."""
    piped: bool = False
    """Whether the command reads it from standard input for a hyphen."""
    in_form: bool = True
    """Whether the form has a field for it."""
    rare: bool = False
    """Whether the form has it among the folded fields, which few people need."""
    lines: bool = False
    """Whether each element of the list is a line of its own in a form; otherwise a space separates them."""
    fixed: bool = False
    """Whether it never changes once the object is made."""


def words_of(model: type[Struct], steps: Iterable[str]) -> Mapping[str, str]:
    """Return code -> words of the member of a model that the steps of a JSON pointer lead to; empty without codes."""
    hint: Any = model
    for step in steps:
        hint = next((found for kind in _alternatives(hint) if (found := _behind(kind, step)) is not None), None)
    metas = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Meta)]
    return next((each.extra[_WORDS] for each in metas if each.extra), {})


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """Return the types behind an annotation and a union."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return (hint,) if isinstance(hint, type) or get_origin(hint) is tuple else get_args(hint)


def _behind(kind: Any, step: str) -> Any:
    """Return the annotation of a member of a struct, or of an element of a list."""
    if get_origin(kind) is tuple:
        return get_args(kind)[0] if step.isdecimal() else None
    return _members(kind).get(step) if isinstance(kind, type) and issubclass(kind, Struct) else None


@lru_cache
def _members(model: type[Struct]) -> Mapping[str, Any]:
    return get_type_hints(model, include_extras=True)


YES_NO = {"Y": "yes", "N": "no"}
"""The codes of flags."""

CURRENCY = "units of the currency"
PER_CENT = "per cent"
MONTHS = "whole months"
