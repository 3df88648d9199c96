"""The declaration of a reading: one value from which command, route and description follow, as from an operation (D41)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

from msgspec import Struct

from credence.operations.acting import Access, Acting
from credence.operations.operation import PLACE, Noun, struct_of, text_of
from credence.operations.pages import Page, first_of
from credence.refusals.refusal import Refusal

Read = Callable[[Acting, Any, Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One thing that people and programs read: a command and a route."""

    name: str
    """The command; empty for what only the API has, because a command prints it with more."""
    on: Noun[Any]
    """The object that is read, or of which a list has some."""
    lists: bool = False
    """Whether it is a list of these objects."""
    api: str = ""
    """The path below that of the object."""
    access: Access
    title: str
    text: str
    """What it shows, in sentences."""
    read: Read
    """Returns the answer, given who reads, the object (None for a list), and the query."""
    id: str
    answers: Any
    """The model of the answer."""
    query: type[Struct] | None = None
    """The parameters that the caller may give."""
    typed: type[Struct] | None = None
    """What a person types instead of the query, on the command line; its `body` returns the query."""
    has_pages: bool = False
    """Whether the answer is a page of a list: the function takes the page instead of a query."""
    rows: str = ""
    """The member of the answer whose rows the command prints; empty for an answer that is one object."""
    columns: tuple[str, ...] = ()
    """The members that the command prints of each row, as `name` or `name:path.to.member`; empty for all."""
    most: int | None = None
    """How many rows the command prints at most."""
    tables: tuple[str, ...] = ()
    """The members of an answer that is one object which the command prints as tables below it."""
    remarks: Callable[[Any], Sequence[str]] | None = None
    """Returns what the command says of an answer besides its rows; its JSON is then the whole answer."""
    goes_on: Callable[[Any, Mapping[str, Any]], Struct | None] = lambda _query, _answer: None
    """Returns the query for the rest, if the time for one search ended it; given the query and the answer in JSON."""
    is_route: bool = True
    """Whether it is a route; False for a part of what another reading shows, which has one."""
    there_only: str = ""
    """Why the command needs a running server (`--at`)."""
    no_tool: str = ""
    """Why agents have no tool for it."""
    unreadable: str = ""
    """The reason code if a file of the node cannot be read."""
    refuses: tuple[Refusal, ...] = ()
    """What it refuses besides a parameter that it does not have."""

    @property
    def is_command(self) -> bool:
        """Whether it is a command."""
        return bool(self.name)

    @property
    def is_whole_list(self) -> bool:
        """Whether it is a list without parameters that applications read: as their other lists, it refuses any."""
        return self.lists and self.query is None and not self.has_pages and not self.on.is_managed

    @property
    def places(self) -> list[str]:
        """The members of the query of a list that are in its path."""
        return PLACE.findall(self.api) if self.lists else []

    @property
    def path(self) -> str:
        """The path in its API, with its parameters in braces."""
        return "/".join(filter(None, (self.on.collection if self.lists else self.on.path, self.api)))


def reading(name: str, **given: Any) -> Callable[[Read], Reading]:
    """Declare a function as a reading. The parameters are those of `Reading`; its docstring says what it shows."""

    def declared(read: Read) -> Reading:
        hints = get_type_hints(read)
        parameters = hints.get("query", hints.get("page"))
        derived = {
            "id": read.__name__,
            "query": struct_of(parameters),
            "typed": struct_of(parameters),
            "has_pages": parameters is Page,
            "answers": hints["return"],
        }
        return Reading(name=name, read=read, text=text_of(read), **{**derived, **given})

    return declared


def showing(noun: Noun[Any], name: str, **given: Any) -> Reading:
    """Return the reading of one object, as every face shows it."""

    async def read(by: Acting, found: Any, _query: None) -> Any:
        return await noun.state(by, found)

    return Reading(name=name, on=noun, read=read, answers=get_type_hints(noun.state)["return"], **given)


def listing(noun: Noun[Any], name: str, answers: type[Struct], **given: Any) -> Reading:
    """Return the reading of a list of documents in pages: of those of an owner, or for operators of all."""

    async def read(by: Acting, _found: None, page: Page) -> Any:
        store, kept = by.means.store, noun.kept
        if kept is None:
            raise TypeError(f"a {noun.name} is no document")
        limits = (page.after, page.size + 1)
        found = await (store.page(kept, *limits) if by.owns is None else store.owned(kept, by.owns, *limits))
        entries, following = first_of(found, noun.key_of, page)
        return answers([await noun.state(by, each) for each in entries], following)

    rows = answers.__struct_fields__[0]
    return Reading(name=name, on=noun, lists=True, read=read, answers=answers, has_pages=True, rows=rows, **given)
