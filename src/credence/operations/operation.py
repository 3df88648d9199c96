"""The declaration of an operation: one value from which every face is made (D41).

Command (here and with `--at`), route of its API with its description, form of console and portal, and audit line
follow from it. `perform.py` runs one.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, get_type_hints

from msgspec import Struct

from credence import paths
from credence.operations.acting import Access, Acting
from credence.operations.audit_changes import Changes
from credence.operations.inputs import patch_of
from credence.store.collections import Collection
from credence.store.statements import Step

R = TypeVar("R")

_VERSIONED = frozenset({"PUT", "PATCH", "DELETE"})

PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun(Generic[R]):
    """What operations are about: how it is found, shown, kept and protected."""

    name: str
    """Its name in messages and, unless `member` is another, its member in the audit line."""
    path: str
    """Its path below `base`. The last part in braces is the key, which commands take as their argument."""
    base: str = paths.MANAGEMENT
    """The API that has it: that of operators, or one in which applications act on what is theirs."""
    help: str = ""
    """The key, as commands and documents explain it."""
    example: str = ""
    """A key, for documents."""
    choices: tuple[str, ...] = ()
    """Every key, if there are few."""
    kept: Collection[Any] | None = None
    """The documents of the store that it is one of, by its key; None: see `find` and `save`."""
    find: Callable[[Acting, str], Awaitable[R | None]] | None = None
    """Returns the object with a key, if that is more than to read its document."""
    save: Callable[[Acting, R | None, R], Awaitable[None]] | None = None
    """Saves a new or changed object that is no document, given what is there; raises Conflict."""
    prepare: Callable[[Acting, R], Awaitable[None]] | None = None
    """What is done before a document is written, such as to publish keys that it needs."""
    state: Callable[[Acting, R], Awaitable[Struct]]
    """Returns the object as every face shows it."""
    identity: Callable[[R], str] | None = None
    """Returns the key of an object that is no document."""
    require_reach: Callable[[Acting, R | None, R | None], None] = lambda _by, _found, _wanted: None
    """Raises Refused if the caller may not touch the object as it is, or make it what it would be; None for an act that
    changes something else of it, such as its sessions. Raises OperatorError for an object that cannot be saved."""
    body_of: Callable[[R], Struct] | None = None
    """Returns what operators choose of the object, which a merge patch changes."""
    within: "Noun[Any] | None" = None
    """What it belongs to, such as an application: a command that makes one names it, and its key is the owner."""
    is_found_by_owner: bool = False
    """Whether `find` looks only among what the owner has: each command names the owner too."""
    owners: Callable[[R], Container[str]] = lambda _found: ()
    """Returns who owns the object: the login name of a developer, or the client_id of an application."""
    most: int | None = None
    """How many of them one owner has at most."""
    member: str = ""
    """Its member in the audit line, if that is not its name."""
    also_named: Callable[[R], Mapping[str, str]] = lambda _found: {}
    """Returns further members of the audit line that identify the object."""
    untagged: tuple[str, ...] = ()
    """Members of the state that change by themselves; the entity tag does not cover them."""
    needs_store: bool = True
    """Whether it is in the store; False for what is in a file."""
    reasons: str = "manage"
    """The first part of the reason codes for an unknown object, a concurrent change, and too many objects."""

    @property
    def key(self) -> str:
        """The name of its key; empty for what is made and not found again."""
        return next(reversed(PLACE.findall(self.path)), "")

    @property
    def collection(self) -> str:
        """The path at which one is made."""
        return self.path.rpartition("/{")[0] or self.path

    @property
    def is_managed(self) -> bool:
        """Whether the management API has it, which only operators use."""
        return self.base == paths.MANAGEMENT

    def key_of(self, found: R) -> str:
        """Return the key of an object."""
        if self.identity is not None:
            return self.identity(found)
        return str(getattr(found, self.kept.key)) if self.kept is not None else ""


def as_it_is(model: type[R]) -> Callable[[Acting, R], Awaitable[R]]:
    """Return the `state` of objects of this model that every face shows as they are."""

    async def state(_by: Acting, found: R) -> R:
        return found

    state.__annotations__["return"] = model
    return state


@dataclass(frozen=True, slots=True)
class Change(Generic[R]):
    """What an operation would make of its object."""

    after: R | None
    """The object; None deletes it."""
    once: Mapping[str, str] = field(default_factory=dict)
    """Member of the state -> secret that only the answer to this act has."""
    also: Sequence[Step] = ()
    """What is stored in the same transaction. An act with such steps is never one that changes nothing."""
    effect: Callable[[], Awaitable[object]] | None = None
    """What is done besides saving the object. A struct that it returns is the answer instead of the state of the object.
    An act with an effect is never one that changes nothing."""
    effects: Changes = field(default_factory=dict)
    """What the audit line says of the effect."""
    unchanged: Struct | None = None
    """The answer of an act that has nothing to do, if that is not the state of the object."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Further members of the audit line, which identify what else the act is about."""
    said: str = ""
    """The result in a sentence, for a person."""


Act = Callable[[Acting, Any, Any], Awaitable[Change[Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation on an object."""

    name: str
    """The command, such as `app rotate-secret`; also the act in the audit trail."""
    on: Noun[Any]
    api: tuple[str, str] | None = None
    """Method, and path below that of the object; a part in braces is a member of the body. None: see `here_only`."""
    access: Access
    title: str
    """What it does, in a few words: heading of its form and of its description."""
    text: str
    """What it does, in sentences."""
    act: Act
    id: str
    """Its name in the OpenAPI document."""
    body: type[Struct] | None
    """What the caller says, besides the key."""
    typed: type[Struct] | None
    """What a person types instead of the body, on the command line and in a form; its `body` returns the body."""
    button: str
    answers: type[Struct] | None = None
    """The model of the answer, if that is not the state of the object."""
    once: tuple[str, ...] = ()
    """Members of the answer that only the answer to this act has."""
    makes: bool = False
    """Whether it makes an object; the function gets what the object will belong to, if anything."""
    silent: bool = False
    """Whether the API answers without content, because what the act was about has ended."""
    later: bool = False
    """Whether the API answers 202 (RFC 9110 §15.3.3), because a running server has yet to do it."""
    dangerous: bool = False
    """Whether the button is marked, because what it does cannot be undone or hurts users."""
    confirm: str = ""
    """The word that a person types in the form to confirm, `{key}` for the key; empty for none."""
    offered: Callable[[Any], bool] = lambda _found: True
    """Returns whether a form makes sense for an object as it is."""
    shows_effect: bool = False
    """Whether the form has a button that shows what would be, without doing it."""
    is_versioned: bool = False
    """Whether the caller of the API names the version that was read (If-Match)."""
    or_makes: Callable[[str, Any], tuple["Operation", Any]] | None = None
    """Returns, of a PUT, the operation that makes an object with this key and body if none exists."""
    again: str = ""
    """The command that makes another secret if this one could not be printed; by default the same."""
    recorded_as: str = ""
    """The act in the audit trail, if that is not its name."""
    event: str = ""
    """The event in the audit trail if an application does it to what is its own."""
    here_only: str = ""
    """Why no API has it."""
    by_hand_at: str = ""
    """Method and path of its route, if that is written by hand: `api` is None then."""
    no_screen: str = ""
    """Why the workbench does not have it."""
    by_hand: bool = False
    """Whether its command is written by hand, because what it takes is no body of members."""
    site_only: str = ""
    """The one site that has it, if there is no command either."""

    @property
    def patches(self) -> bool:
        """Whether its body is a merge patch of what operators choose (RFC 7396)."""
        return self.method == "PATCH"

    @property
    def is_command(self) -> bool:
        """Whether it is a command; of what operators choose, only the parts are, not its replacement as a whole."""
        is_whole = self.on.body_of is not None and self.typed is self.body
        return not self.site_only and not (is_whole and self.api in (("PUT", ""), ("PATCH", "")))

    @property
    def is_route(self) -> bool:
        """Whether it is a route of its API; for a part of what operators choose, the whole has one."""
        return self.api is not None and not self.recorded_as

    @property
    def method(self) -> str:
        """The method of its route; empty for none."""
        return self.api[0] if self.api else ""

    @property
    def status(self) -> int:
        """The status of its answer: 201 if it makes an object, or a secret of one (RFC 9110 §15.3)."""
        if self.silent:
            return 204
        is_new = bool(self.once) or (self.makes and bool(self.on.key))
        return 201 if is_new else 202 if self.later else 200

    @property
    def path(self) -> str:
        """The path in its API, with its parameters in braces."""
        base = self.on.collection if self.makes else self.on.path
        return "/".join(filter(None, (base, self.api[1] if self.api else "")))

    @property
    def places(self) -> Sequence[str]:
        """The members of the body that are in the path."""
        return PLACE.findall(self.api[1]) if self.api else ()

    @property
    def slug(self) -> str:
        """Its name among the acts of a screen."""
        return self.name.replace(" ", "-")


def operation(name: str, **given: Any) -> Callable[[Act], Operation]:
    """Declare a function as an operation. The parameters are those of `Operation`.

    The function takes who acts, the object and the body; it changes nothing itself. Its docstring is the help of the
    command and the text of form and document.
    """

    def declared(act: Act) -> Operation:
        body, method = struct_of(get_type_hints(act).get("body")), (given.get("api") or ("",))[0]
        derived = {
            "id": act.__name__,
            "body": body,
            "typed": patch_of(body) if body is not None and method == "PATCH" else body,
            "button": given["title"],
            "is_versioned": method in _VERSIONED,
            "text": text_of(act),
        }
        return Operation(name=name, act=act, **{**derived, **given})

    return declared


def patching(replacing: Operation, *, title: str, text: str, id: str) -> Operation:  # noqa: A002 - the word of OpenAPI
    """Return the operation that changes an object by a merge patch, given the one that replaces what operators choose."""
    return replace(replacing, api=("PATCH", ""), title=title, text=text, id=id, or_makes=None)


def shorthand(
    of: Operation, name: str, typed: type[Struct], *, title: str, access: Access | None = None, **more: Any
) -> Operation:
    """Return a command and a form for a part of the changes that `of` makes by a merge patch.

    `typed` is what a person types: its `body` returns the patch, its docstring says what the command does.
    """
    given = {"button": title, "access": access or of.access, "recorded_as": of.name, "text": text_of(typed), **more}
    return replace(of, name=name, typed=typed, title=title, api=("PATCH", ""), or_makes=None, **given)


def text_of(declared: object) -> str:
    """Return the docstring of a function or class."""
    return inspect.cleandoc(declared.__doc__ or "")


def struct_of(hint: Any) -> type[Struct] | None:
    """Return the struct that an annotation is; None for another one."""
    return hint if isinstance(hint, type) and issubclass(hint, Struct) else None
