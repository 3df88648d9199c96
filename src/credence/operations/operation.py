"""The declaration of an operation: one value from which every face is made (D41).

Command (here and with `--at`), route of the management API with its description, form of console and portal, and audit line
follow from it. `perform.py` runs one.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_type_hints

from msgspec import Struct

from credence.clock import Milliseconds
from credence.operations.acting import Access, Acting, Means
from credence.operations.audit_changes import Changes

R = TypeVar("R")

_VERSIONED = frozenset({"PUT", "PATCH", "DELETE"})

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Noun(Generic[R]):
    """What operations are about: how it is found, shown, kept and protected."""

    name: str
    """Its name in messages and, unless `member` is another, its member in the audit line."""
    path: str
    """Its path in the management API. The last part in braces is the key, which commands take as their argument."""
    help: str
    """The key, as commands and documents explain it."""
    find: Callable[[Means, str], Awaitable[R | None]]
    state: Callable[[R, Milliseconds], Struct]
    """Returns the object as every face shows it."""
    save: Callable[[Acting, R | None, R], Awaitable[None]]
    """Saves a new or changed object, given what is stored; raises Conflict."""
    key_of: Callable[[R], str]
    example: str = ""
    """A key, for documents."""
    require_reach: Callable[[Acting, R | None, R], None] = lambda _by, _found, _wanted: None
    """Raises Refused if the caller may not touch the object as it is, or make it what it would be."""
    check: Callable[[Means, R], None] = lambda _means, _wanted: None
    """Raises OperatorError for an object that cannot be saved, before the line is written."""
    owner: Callable[[R], str] = lambda _found: ""
    """Returns the login name of the developer who made the object."""
    also_named: Callable[[R], Mapping[str, str]] = lambda _found: {}
    """Returns further members of the audit line that identify the object."""
    untagged: tuple[str, ...] = ()
    """Members of the state that change by themselves; the entity tag does not cover them."""
    choices: tuple[str, ...] = ()
    """Every key, if there are few."""
    member: str = ""
    """Its member in the audit line, if that is not its name."""
    needs_store: bool = True
    """Whether it is in the store; False for what is in a file."""

    @property
    def key(self) -> str:
        """The name of its key."""
        return str(_PLACE.findall(self.path)[-1])

    @property
    def collection(self) -> str:
        """The path at which one is made."""
        return self.path.rpartition("/{")[0]


@dataclass(frozen=True, slots=True)
class Change(Generic[R]):
    """What an operation would make of its object."""

    after: R
    once: Mapping[str, str] = field(default_factory=dict)
    """Member of the state -> secret that only the answer to this act has."""
    effect: Callable[[], Awaitable[object]] | None = None
    """What is done besides saving the object. An act with an effect is never one that changes nothing."""
    effects: Changes = field(default_factory=dict)
    """What the audit line says of the effect."""
    said: str = ""
    """The result in a sentence, for a person."""


Act = Callable[[Acting, Any, Any], Awaitable[Change[Any]]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation on an object."""

    name: str
    """The command, such as `app rotate-secret`; also the act in the audit trail."""
    on: Noun[Any]
    api: tuple[str, str]
    """Method, and path below that of the object; a part in braces is a member of the body."""
    access: Access
    title: str
    """What it does, in a few words: heading of its form and of its description."""
    act: Act
    id: str
    """Its name in the OpenAPI document."""
    body: type[Struct] | None
    """What the caller says, besides the key."""
    typed: type[Struct] | None
    """What a person types instead of the body, on the command line and in a form; its `body` returns the body."""
    button: str
    once: tuple[str, ...]
    """Members of the state that only the answer to this act has."""
    makes: bool
    """Whether it makes an object; there is no key then."""
    dangerous: bool
    """Whether the button is marked, because what it does cannot be undone or hurts users."""
    confirm: str
    """The word that a person types in the form to confirm; empty for none."""
    offered: Callable[[Any], bool]
    """Returns whether a form makes sense for an object as it is."""
    shows_effect: bool
    """Whether the form has a button that shows what would be, without doing it."""
    is_versioned: bool
    """Whether the caller of the management API names the version that was read (If-Match)."""

    @property
    def text(self) -> str:
        """What it does, in sentences."""
        return inspect.cleandoc(self.act.__doc__ or "")

    @property
    def path(self) -> str:
        """The path in the management API, with its parameters in braces."""
        base = self.on.collection if self.makes else self.on.path
        return "/".join(filter(None, (base, self.api[1])))

    @property
    def places(self) -> Sequence[str]:
        """The members of the body that are in the path."""
        return _PLACE.findall(self.api[1])

    @property
    def slug(self) -> str:
        """Its name among the acts of a screen."""
        return self.name.replace(" ", "-")


Read = Callable[[Acting, Any, Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that operators read: a command and a route of the management API."""

    name: str
    """The command; empty for what only the management API has, because a command prints it with more."""
    on: Noun[Any] | None
    """The object that is read; None for what a deployment has."""
    api: str
    """The path below that of the object."""
    access: Access
    title: str
    read: Read
    """Returns the answer, given who reads, the object, and the query."""
    id: str
    query: type[Struct] | None
    rows: str
    """The member of the answer whose rows the command prints; empty for an answer that is one object."""
    columns: tuple[str, ...]
    """The members that the command prints of each row; empty for all."""

    @property
    def text(self) -> str:
        """What it shows, in sentences."""
        return inspect.cleandoc(self.read.__doc__ or "")

    @property
    def path(self) -> str:
        """The path in the management API, with its parameters in braces."""
        return "/".join(filter(None, (self.on.path if self.on else "", self.api)))


def reading(
    name: str,
    *,
    access: Access,
    title: str,
    on: Noun[Any] | None = None,
    api: str = "",
    id: str = "",  # noqa: A002 - the word of OpenAPI
    rows: str = "",
    columns: tuple[str, ...] = (),
) -> Callable[[Read], Reading]:
    """Declare a function as a reading. The parameters are those of `Reading`; its docstring says what it shows."""

    def declared(read: Read) -> Reading:
        query = get_type_hints(read).get("query")
        return Reading(
            name,
            on,
            api,
            access,
            title,
            read,
            id or read.__name__,
            query if isinstance(query, type) else None,
            rows,
            columns,
        )

    return declared


def operation(
    name: str,
    *,
    on: Noun[Any],
    api: tuple[str, str],
    access: Access,
    title: str,
    id: str = "",  # noqa: A002 - the word of OpenAPI
    typed: type[Struct] | None = None,
    button: str = "",
    once: tuple[str, ...] = (),
    makes: bool = False,
    dangerous: bool = False,
    confirm: str = "",
    offered: Callable[[Any], bool] = lambda _found: True,
    shows_effect: bool = False,
    is_versioned: bool | None = None,
) -> Callable[[Act], Operation]:
    """Declare a function as an operation. The parameters are those of `Operation`.

    The function takes who acts, the object (None for one that is made) and the body; it changes nothing itself. Its
    docstring is the help of the command and the text of form and document.
    """

    def declared(act: Act) -> Operation:
        body = get_type_hints(act).get("body")
        return Operation(
            name,
            on,
            api,
            access,
            title,
            act,
            id or act.__name__,
            body if isinstance(body, type) else None,
            typed or (body if isinstance(body, type) else None),
            button or title,
            once,
            makes,
            dangerous,
            confirm,
            offered,
            shows_effect,
            api[0] in _VERSIONED if is_versioned is None else is_versioned,
        )

    return declared
