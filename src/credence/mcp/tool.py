"""What a tool is: its name, what it takes and returns, the scopes it needs, and what it may read."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.mcp.sizes import fitting
from credence.monitoring.feed import Feed
from credence.policy.installed import InstalledPolicies
from credence.report.cache import ReportCache
from credence.report.search.threads import Searches
from credence.store.contract import Store


class NotAnswered(Exception):
    """A call cannot be answered. The text says to the model what to do; it is made inert before it is sent."""


class Watching(NamedTuple):
    """Where portfolios and events are, and whose they are."""

    store: Store
    feed: Feed
    client_id: str


class Sources(NamedTuple):
    """What the tools read, and the time of the call."""

    reports: ReportCache
    searches: Searches
    policies: InstalledPolicies
    now: Milliseconds
    watching: Watching | None = None
    """None where there is no application, as on the same machine: the tools of monitoring are not offered then."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `call` raises Refused for what it cannot answer."""

    name: str
    title: str
    description: str
    takes: type[msgspec.Struct]
    returns: type[msgspec.Struct]
    scopes: tuple[str, ...]
    call: Callable[[Sources, Any], Awaitable[msgspec.Struct]]
    watches: bool = False
    """Whether it needs the portfolios of an application."""
    changes: bool = False
    """Whether it changes something, and does not only read."""

    async def answer(self, sources: Sources, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the members of the result, every text made inert, at most `MAX_CHARACTERS` of JSON.

        Raises msgspec.ValidationError for other arguments than `takes` has, Refused for what cannot be answered.
        """
        result = await self.call(sources, msgspec.convert(_with_numbers_as_text(arguments), self.takes))
        return fitting(result)


def _with_numbers_as_text(arguments: Any) -> Any:
    """Return the arguments with company numbers as text.

    A client that reads what a person types as JSON sends the digits of a company number as a number; the official
    inspector does.
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
