"""The declaration of an operation: one value from which every face is made (D41).

Command (here and with `--at`), route of the management API with its description, form of console and portal, and audit line
follow from it. `perform.py` runs one.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

from msgspec import Struct

from credence.clock import Milliseconds
from credence.operations.acting import Access, Acting, Means
from credence.operations.audit_changes import Changes
from credence.operations.pages import Page

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
    require_reach: Callable[[Acting, R | None, R | None], None] = lambda _by, _found, _wanted: None
    """Raises Refused if the caller may not touch the object as it is, or make it what it would be; None for an act that
    changes something else of it, such as its sessions."""
    check: Callable[[Means, R], None] = lambda _means, _wanted: None
    """Raises OperatorError for an object that cannot be saved, before the line is written."""
    body_of: Callable[[R], Struct] | None = None
    """Returns what operators choose of the object, which a merge patch changes."""
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
        """The name of its key; empty for what is made and not found again."""
        return next(reversed(_PLACE.findall(self.path)), "")

    @property
    def collection(self) -> str:
        """The path at which one is made."""
        return self.path.rpartition("/{")[0] or self.path


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
    named: Mapping[str, str] = field(default_factory=dict)
    """Further members of the audit line, which identify what else the act is about."""
    said: str = ""
    """The result in a sentence, for a person."""


Act = Callable[[Acting, Any, Any], Awaitable[Change[Any]]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation on an object."""

    name: str
    """The command, such as `app rotate-secret`; also the act in the audit trail."""
    on: Noun[Any]
    api: tuple[str, str] | None
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
    once: tuple[str, ...] = ()
    """Members of the state that only the answer to this act has."""
    makes: bool = False
    """Whether it makes an object; there is no key then."""
    silent: bool = False
    """Whether the management API answers without content, because what the act was about has ended."""
    dangerous: bool = False
    """Whether the button is marked, because what it does cannot be undone or hurts users."""
    confirm: str = ""
    """The word that a person types in the form to confirm, `{key}` for the key; empty for none."""
    offered: Callable[[Any], bool] = lambda _found: True
    """Returns whether a form makes sense for an object as it is."""
    shows_effect: bool = False
    """Whether the form has a button that shows what would be, without doing it."""
    is_versioned: bool = False
    """Whether the caller of the management API names the version that was read (If-Match)."""
    or_makes: Callable[[str, Any], tuple["Operation", Any]] | None = None
    """Returns, of a PUT, the operation that makes an object with this key and body if none exists."""
    again: str = ""
    """The command that makes another secret if this one could not be printed; by default the same."""
    recorded_as: str = ""
    """The act in the audit trail, if that is not its name."""
    here_only: str = ""
    """Why only the command line of the machine has it."""

    @property
    def patches(self) -> bool:
        """Whether its body is a merge patch of what operators choose (RFC 7396)."""
        return self.api is not None and self.api[0] == "PATCH"

    @property
    def is_command(self) -> bool:
        """Whether it is a command; only the parts of what operators choose are, not its replacement as a whole."""
        is_whole = self.on.body_of is not None and self.typed is self.body
        return not (is_whole and self.api in (("PUT", ""), ("PATCH", "")))

    @property
    def is_route(self) -> bool:
        """Whether it is a route of the management API; for a part of what operators choose, the whole has one."""
        return self.api is not None and not self.recorded_as

    @property
    def answers_as_new(self) -> bool:
        """Whether the management API answers 201 (RFC 9110 §15.3.2): it makes an object, or a secret of one."""
        return bool(self.once) or (self.makes and bool(self.on.key))

    @property
    def path(self) -> str:
        """The path in the management API, with its parameters in braces."""
        base = self.on.collection if self.makes else self.on.path
        return "/".join(filter(None, (base, self.api[1] if self.api else "")))

    @property
    def places(self) -> Sequence[str]:
        """The members of the body that are in the path."""
        return _PLACE.findall(self.api[1]) if self.api else ()

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
    text: str
    """What it shows, in sentences."""
    read: Read
    """Returns the answer, given who reads, the object, and the query."""
    id: str
    query: type[Struct] | None
    """The parameters that the caller may give."""
    has_pages: bool
    """Whether the answer is a page of a list: the function takes the page instead of a query."""
    rows: str
    """The member of the answer whose rows the command prints; empty for an answer that is one object."""
    columns: tuple[str, ...]
    """The members that the command prints of each row; empty for all."""

    is_route: ClassVar[bool] = True

    @property
    def is_command(self) -> bool:
        """Whether it is a command."""
        return bool(self.name)

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
        query = get_type_hints(read).get("query", get_type_hints(read).get("page"))
        return Reading(
            name,
            on,
            api,
            access,
            title,
            _text(read),
            read,
            id or read.__name__,
            query if _is_struct(query) else None,
            query is Page,
            rows,
            columns,
        )

    return declared


def operation(
    name: str,
    *,
    on: Noun[Any],
    access: Access,
    title: str,
    api: tuple[str, str] | None = None,
    id: str = "",  # noqa: A002 - the word of OpenAPI
    typed: type[Struct] | None = None,
    button: str = "",
    is_versioned: bool | None = None,
    **more: Any,
) -> Callable[[Act], Operation]:
    """Declare a function as an operation. The parameters are those of `Operation`.

    The function takes who acts, the object (None for one that is made) and the body; it changes nothing itself. Its
    docstring is the help of the command and the text of form and document.
    """

    def declared(act: Act) -> Operation:
        hint = get_type_hints(act).get("body")
        body = hint if _is_struct(hint) else None
        versioned = api is not None and api[0] in _VERSIONED if is_versioned is None else is_versioned
        return Operation(
            name,
            on,
            api,
            access,
            title,
            _text(act),
            act,
            id or act.__name__,
            body,
            typed or body,
            button or title,
            is_versioned=versioned,
            **more,
        )

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
    given = {"button": title, "access": access or of.access, "recorded_as": of.name, "text": _text(typed), **more}
    return replace(of, name=name, typed=typed, title=title, api=("PATCH", ""), or_makes=None, **given)


def _text(declared: object) -> str:
    return inspect.cleandoc(declared.__doc__ or "")


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Struct)
