"""How people type the members of a body: as an argument or option of a command, or in a field of a form."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.meanings import Input


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a body, as a person types it."""

    name: str
    kind: Any
    """The type behind annotations, UNSET and None: str, int, bool, list or a Literal."""
    default: Any
    """The default value; UNSET for a member that is required or has none."""
    is_required: bool
    least: int | None
    most: int | None
    example: object
    input: Input

    @property
    def is_typed(self) -> bool:
        """Whether people type it; a struct has operations of its own."""
        return not (isinstance(self.kind, type) and issubclass(self.kind, Struct))

    @property
    def label(self) -> str:
        """What a form calls it."""
        return self.input.label or plain_name(self.name)


_SPELT = {"uri": "URI", "uris": "URIs", "id": "ID", "pkce": "PKCE", "dpop": "DPoP"}


def plain_name(member: str) -> str:
    """Return the name of a member in words, such as "Redirect URIs"; client_id is a word of OAuth."""
    if member == "client_id":
        return member
    words = " ".join(_SPELT.get(each, each) for each in member.split("_"))
    return words[:1].upper() + words[1:]


@lru_cache
def members_of(model: type[Struct]) -> tuple[Member, ...]:
    """Return the members of a body that people type, in order."""
    hints = get_type_hints(model, include_extras=True)
    return tuple(_member(each, hints[each.name]) for each in msgspec.structs.fields(model))


def input_of(hint: Any) -> Input:
    """Return how a member with this annotation is typed; by default its help is its meaning."""
    _, notes = _behind(hint)
    given = next((each for each in notes if isinstance(each, Input)), Input())
    meanings = (each.description for each in notes if isinstance(each, Meta) and each.description)
    return given if given.help else replace(given, help=next(meanings, ""))


def _member(field: msgspec.structs.FieldInfo, hint: Any) -> Member:
    kind, notes = _behind(hint)
    metas = [each for each in notes if isinstance(each, Meta)]
    bounds = {
        name: next((getattr(each, name) for each in metas if getattr(each, name) is not None), None)
        for name in ("ge", "le")
    }
    default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return Member(
        field.name,
        kind,
        UNSET if default is msgspec.NODEFAULT else default,
        field.required,
        bounds["ge"],
        bounds["le"],
        next((each.examples[0] for each in metas if each.examples), None),
        input_of(hint),
    )


def _behind(hint: Any) -> tuple[Any, list[Any]]:
    """Return the type behind annotations, None and UNSET, with all annotations."""
    notes: list[Any] = []
    while True:
        if get_origin(hint) is Annotated:
            hint, *more = get_args(hint)
            notes += more
        elif get_origin(hint) in (Union, UnionType):
            (hint,) = [each for each in get_args(hint) if each not in (NoneType, UnsetType)]
        elif get_origin(hint) in (list, tuple):
            return list, notes
        else:
            return hint, notes


def choices_of(member: Member) -> tuple[str, ...]:
    """Return the values of a member that is one of a few; empty for any other."""
    return get_args(member.kind) if get_origin(member.kind) is Literal else ()


def body_of(typed: type[Struct], values: Mapping[str, Any]) -> Any:
    """Return the body of what a person has typed: the struct itself, or what its method `body` returns.

    Raises msgspec.ValidationError for a value that does not fit.
    """
    made = msgspec.convert(values, typed, strict=False)
    return made.body() if hasattr(made, "body") else made


class Patch(Struct):
    """Some members of a body, as a person types them."""

    def body(self) -> dict[str, Any]:
        """Return the members that are given."""
        return dict(msgspec.to_builtins(self))


def patch_of(body: type[Struct], base: type[Struct] = Patch) -> type[Struct]:
    """Return what a person types to change some members of a body: each may be left out, and those given are the patch."""
    members = [
        (
            name,
            Annotated[hint | UnsetType, replace(input_of(hint), default="unchanged", argument=False)],
            msgspec.field(default=UNSET),
        )
        for name, hint in get_type_hints(body, include_extras=True).items()
        if not input_of(hint).fixed
    ]
    names = {"__doc__": base.__doc__}
    return msgspec.defstruct(f"Typed{body.__name__}", members, bases=(base,), namespace=names, kw_only=True)
