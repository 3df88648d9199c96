"""The definition of a tool: its name, arguments, result and scopes, and the data that it reads."""

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

import msgspec
from msgspec.structs import replace

from credence.clock import Milliseconds
from credence.mcp.sizes import fitting, pages_of
from credence.monitoring.feed import Feed
from credence.operations.acting import Acting
from credence.operations.operation import Operation
from credence.operations.perform import read
from credence.operations.reading import Reading
from credence.policy.installed import InstalledPolicies
from credence.report.cache import ReportCache
from credence.report.search.threads import Searches
from credence.store.contract import Store

T = TypeVar("T", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)


class NotAnswered(Exception):
    """A call cannot be answered. The text says what the model should do instead; it is made inert before it is sent."""


class Watching(NamedTuple):
    """The application that calls, and the feed of the events about its portfolios."""

    by: Acting
    feed: Feed

    @property
    def store(self) -> Store:
        """The store."""
        return self.by.means.store

    @property
    def client_id(self) -> str:
        """The client_id of the application."""
        return self.by.owns or ""


class Sources(NamedTuple):
    """The data sources of the tools, and the time of the call."""

    reports: ReportCache
    searches: Searches
    policies: InstalledPolicies
    now: Milliseconds
    watching: Watching | None = None
    """None if there is no application, as on the same machine: the tools of monitoring are not offered then."""
    only: Collection[str] = ()
    """The companies whose risk a search may show, if the rights of the token name any; empty for every company."""


@dataclass(frozen=True, slots=True)
class Tool(Generic[T, R]):
    """One tool. `call` raises Refused for a request that it cannot answer."""

    name: str
    title: str
    description: str
    takes: type[T]
    returns: type[R]
    scopes: tuple[str, ...]
    call: Callable[[Sources, T], Awaitable[R]]
    watches: bool = False
    """Whether the tool needs the portfolios of an application."""
    changes: bool = False
    """Whether the tool changes something, and does not only read."""
    of: Reading | Operation | None = None
    """The declaration that it is another face of."""

    async def answer(self, sources: Sources, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the members of the result, every text made inert, at most `MAX_CHARACTERS` of JSON.

        Raises msgspec.ValidationError for arguments that `takes` does not allow, Refused for a request that cannot be
        answered.
        """
        result = await self.call(sources, msgspec.convert(with_numbers_as_text(arguments), self.takes))
        return fitting(result)


def tool(
    title: str,
    *scopes: str,
    watches: bool = False,
    changes: bool = False,
    of: Reading | Operation | None = None,
) -> Callable[[Callable[[Sources, T], Awaitable[R]]], Tool[T, R]]:
    """Declare a function as a tool: name, description, arguments and result of the tool are those of the function."""

    def declared(call: Callable[[Sources, T], Awaitable[R]]) -> Tool[T, R]:
        _sources, takes, returns = get_type_hints(call).values()
        text = " ".join(inspect.cleandoc(call.__doc__ or "").split())
        return Tool(call.__name__, title, text, takes, returns, scopes, call, watches, changes, of)

    return declared


def watching_of(sources: Sources) -> Watching:
    """Return the application that calls."""
    if sources.watching is None:
        raise LookupError("the tool needs an application")
    return sources.watching


async def shown(
    sources: Sources, reading: Reading, most: int, key: str = "", query: Callable[[int], Any] = lambda _size: None
) -> Any:
    """Return what a reading shows the application that calls: at most `most` rows, and as many as an answer has room for.

    `query` returns the query for a page of a size. Raises Refused as the reading does.
    """
    by = watching_of(sources).by
    answer = await read(reading, by, key, query(most))
    rows = getattr(answer, reading.rows)
    fits = len(next(pages_of(rows, most), ()))
    if fits < len(rows) and hasattr(answer, "next_page_token"):
        return await read(reading, by, key, query(fits))
    return replace(answer, **{reading.rows: rows[:fits]})


def with_numbers_as_text(arguments: Any) -> Any:
    """Return the arguments with company numbers as text.

    Some clients parse what a person types as JSON, so a company number of digits arrives as a number; the official
    inspector is one.
    """
    if not isinstance(arguments, dict):
        return arguments
    texts = dict(arguments)
    if "number" in texts:
        texts["number"] = _text(texts["number"])
    if isinstance(texts.get("numbers"), list):
        texts["numbers"] = [_text(each) for each in texts["numbers"]]
    return texts


def _text(value: object) -> object:
    return str(value) if type(value) is int and 0 <= value < 10**8 else value
