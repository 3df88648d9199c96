"""What a store holds for monitoring, and what every implementation of it must do (`contract.py` has the rest)."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from credence.clock import Milliseconds

KEPT_MS = 366 * 86_400_000
"""How long an event stays in the feed: a year, and the day of a leap year."""

Outcome = Literal["added", "changed", "unchanged", "full"]
"""What became of a company that was to be watched; `full`: the portfolio has its greatest number already."""


class RuleSetting(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule of a portfolio with its parameters (`monitoring/rules.py`); None means that the parameter does not count."""

    rule: str
    by: int | None = None
    below: int | None = None
    kinds: tuple[str, ...] = ()
    """Only these kinds of what the rule is about; empty for all."""
    policy: str = ""
    """The name of an installed policy, for the one rule that is about decisions."""


class Portfolio(msgspec.Struct, frozen=True):
    """A list of companies that an application watches, and the rules that make events."""

    id: str
    owner: str
    """The client_id of the application that made it."""
    name: str
    created_at: Milliseconds
    version: int = 1
    reference: str = ""
    rules: tuple[RuleSetting, ...] = ()
    shared_with: tuple[str, ...] = ()
    """Further applications of the same owner that may use it; only the operator sets them."""


def policies_of(portfolio: Portfolio | None) -> frozenset[str]:
    """Return the names of the policies that the rules of a portfolio are about; none of None."""
    return frozenset(each.policy for each in portfolio.rules if each.policy) if portfolio else frozenset()


class WatchedCompany(msgspec.Struct, frozen=True, omit_defaults=True):
    """One company of a portfolio. All but the number is the owner's own and is given back as it came."""

    company: str
    reference: str = ""
    exposure: int | None = None
    """In whole units of `currency`."""
    currency: str = ""
    note: str = ""


class NewEvent(msgspec.Struct, frozen=True):
    """An event that has no number yet. Equal keys are one event."""

    key: bytes
    portfolio: str
    rule: str
    company: str
    until: Milliseconds
    """When it is deleted: `KEPT_MS` after it was made."""
    document: bytes


class NumberedEvent(NamedTuple):
    """An event of the feed."""

    number: int
    portfolio: str
    rule: str
    company: str
    document: bytes


class EventFilter(msgspec.Struct, frozen=True):
    """Which events a reader wants; an empty text is every one."""

    portfolio: str = ""
    rule: str = ""
    company: str = ""


class MonitoringStore(Protocol):
    """The part of the store that is about monitoring. Lists of companies have at most a thousand per call."""

    async def portfolio(self, identity: str) -> Portfolio | None:
        """Return the portfolio with this id."""

    async def portfolios_of(self, client_id: str, after: str, limit: int) -> list[Portfolio]:
        """Return the portfolios that an application may use, with ids above `after`, ordered by id."""

    async def portfolios(self) -> list[Portfolio]:
        """Return all portfolios, ordered by id."""

    async def save_portfolio(self, portfolio: Portfolio) -> None:
        """Optimistic write: store if the stored version is `portfolio.version - 1` (or absent and the version is 1).

        Raises Conflict.
        """

    async def delete_portfolio(self, portfolio: Portfolio) -> None:
        """Delete the portfolio and its companies if the stored version is this one; raises Conflict otherwise.

        The owner may still read its events.
        """

    async def watch(self, portfolio: str, companies: Sequence[WatchedCompany], most: int) -> list[Outcome]:
        """Add companies to a portfolio, or replace what it says of them, and return what became of each in their order.

        Raises Conflict if the portfolio does not exist. It never has more than `most` companies.
        """

    async def exchange_watched(
        self, portfolio: str, company: str, before: WatchedCompany | None, after: WatchedCompany | None, most: int
    ) -> None:
        """Replace what a portfolio says of a company, if it still says `before`; None is a company that it does not have.

        Raises Conflict otherwise, Full if the portfolio would have more than `most` companies.
        """

    async def unwatch(self, portfolio: str, companies: Sequence[str]) -> int:
        """Remove companies from a portfolio and return how many it had; those in no other are no longer observed."""

    async def watched(self, portfolio: str, after: str, limit: int) -> list[WatchedCompany]:
        """Return the companies of a portfolio with numbers above `after`, in order."""

    async def watched_company(self, portfolio: str, company: str) -> WatchedCompany | None:
        """Return one company of a portfolio."""

    async def count_watched(self, portfolio: str) -> int:
        """Return how many companies a portfolio has."""

    async def observations(self, after: str, limit: int) -> list[tuple[str, bytes]]:
        """Return number and state of the observed companies above `after`, in order."""

    async def states(self, companies: Sequence[str]) -> dict[str, bytes]:
        """Return the states of those of these companies that are observed."""

    async def unobserved(self, limit: int) -> list[tuple[str, int]]:
        """Return watched companies without a state, in order, each with its count of wishes."""

    async def incomplete(self, limit: int) -> list[tuple[str, int]]:
        """Return observed companies whose state lacks the decisions of a policy, in order, each with its count of wishes.

        They are those that a portfolio with a rule about a policy began to watch, or that it had when it got such a rule.
        """

    async def complete(
        self, mark: int, companies: Sequence[tuple[str, int]], states: Sequence[tuple[str, bytes]]
    ) -> None:
        """Store the states of these companies and take them as complete, except those with another count of wishes by now.

        Raises Conflict as `record` does.
        """

    async def watchers(self, companies: Sequence[str]) -> list[tuple[str, str]]:
        """Return company and portfolio for each portfolio with one of these companies, in order."""

    async def record(self, mark: int, states: Sequence[tuple[str, bytes]], events: Sequence[NewEvent]) -> int:
        """Store the states of companies that are still watched, and number the events that are new (D31); return how many.

        All or none; the numbers follow each other without gaps, in the order of the commits. The deliveries to webhooks
        that want the events are stored with them. Raises Conflict unless the shared value `comparison` has the version
        `mark`.
        """

    async def events(self, client_id: str, after: int, limit: int, only: EventFilter) -> list[NumberedEvent]:
        """Return the events of portfolios that an application may read with numbers above `after`, in order."""

    async def newest_events(self, portfolio: str, companies: Sequence[str]) -> dict[str, NumberedEvent]:
        """Return the event with the highest number of those of these companies that have one in a portfolio."""

    async def last_event(self) -> int:
        """Return the highest number of an event; 0 before the first."""

    async def shared_value(self, name: str) -> tuple[int, bytes] | None:
        """Return version and document of a shared value."""

    async def save_shared_value(self, name: str, version: int, document: bytes) -> None:
        """Optimistic write: store if the stored version is `version - 1` (or absent and the version is 1); else Conflict."""

    async def reserve_answer(self, key: bytes, document: bytes, now: Milliseconds, until: Milliseconds) -> bytes | None:
        """Store the document under an unused or expired key and return None; otherwise return what is stored."""

    async def kept_answer(self, key: bytes, now: Milliseconds) -> bytes | None:
        """Return what is stored under a key that has not expired."""

    async def keep_answer(self, key: bytes, document: bytes, until: Milliseconds) -> None:
        """Store the document in place of what is under the key."""
