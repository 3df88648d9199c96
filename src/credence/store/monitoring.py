"""What a store holds for monitoring, and what every implementation of it must do (`contract.py` has the rest)."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from credence.clock import Milliseconds

KEPT_MS = 366 * 86_400_000
"""How long an event stays in the feed: a year, and the day of a leap year."""

Outcome = Literal["added", "changed", "unchanged", "full"]
"""The result of adding one company to a portfolio; `full`: the portfolio already has its maximum number of companies."""


class RuleSetting(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule of a portfolio with its parameters (`monitoring/rules.py`); None means that the parameter is not used."""

    rule: str
    by: int | None = None
    below: int | None = None
    kinds: tuple[str, ...] = ()
    """The values that fire the rule, such as bands or statuses (`monitoring/rules.py`); empty for all."""
    policy: str = ""
    """The name of an installed policy, for the rule `decision` alone."""


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
    """Return the names of the policies that the rules of a portfolio use; empty for None."""
    return frozenset(each.policy for each in portfolio.rules if each.policy) if portfolio else frozenset()


class WatchedCompany(msgspec.Struct, frozen=True, omit_defaults=True):
    """One company of a portfolio. Everything but the number is the owner's own data and is returned unchanged."""

    company: str
    reference: str = ""
    exposure: int | None = None
    """The exposure in whole units of `currency`."""
    currency: str = ""
    note: str = ""


class NewEvent(msgspec.Struct, frozen=True):
    """An event without its number. Two events with equal keys are stored once."""

    key: bytes
    portfolio: str
    rule: str
    company: str
    until: Milliseconds
    """When the event is deleted: `KEPT_MS` after it was made."""
    document: bytes


class NumberedEvent(NamedTuple):
    """An event of the feed."""

    number: int
    portfolio: str
    rule: str
    company: str
    document: bytes


class EventFilter(msgspec.Struct, frozen=True):
    """The conditions on events in a list; an empty text is no condition."""

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

    async def save_portfolio(self, portfolio: Portfolio, most: int | None = None) -> None:
        """Optimistic write: store if the stored version is `portfolio.version - 1` (or absent and the version is 1).

        Raises Conflict; Full if its owner could use more than `most` portfolios then, its own and those shared with it.
        """

    async def delete_portfolio(self, portfolio: Portfolio) -> None:
        """Delete the portfolio and its companies if the stored version is this one; raises Conflict otherwise.

        The owner may still read its events.
        """

    async def watch(self, portfolio: str, companies: Sequence[WatchedCompany], most: int) -> list[Outcome]:
        """Add companies to a portfolio, or replace their entries, and return the result for each, in their order.

        Raises Conflict if the portfolio does not exist. It never has more than `most` companies.
        """

    async def exchange_watched(
        self, portfolio: str, company: str, before: WatchedCompany | None, after: WatchedCompany | None, most: int
    ) -> None:
        """Replace the entry of a company in a portfolio if it is still `before`; None means that there is no entry.

        Raises Conflict if it is not `before`, Full if the portfolio would have more than `most` companies.
        """

    async def unwatch(self, portfolio: str, companies: Sequence[str]) -> int:
        """Remove companies from a portfolio and return how many were removed. Only companies of portfolios are observed."""

    async def watched(self, portfolio: str, after: str, limit: int) -> list[WatchedCompany]:
        """Return the companies of a portfolio with numbers above `after`, in order."""

    async def watched_company(self, portfolio: str, company: str) -> WatchedCompany | None:
        """Return one company of a portfolio."""

    async def count_watched(self, portfolio: str) -> int:
        """Return how many companies a portfolio has."""

    async def observations(self, after: str, limit: int) -> list[tuple[str, bytes]]:
        """Return the number and state of each observed company with a number above `after`, in order."""

    async def states(self, companies: Sequence[str]) -> dict[str, bytes]:
        """Return company number -> last observation, encoded; a company that was not observed yet is absent."""

    async def unobserved(self, limit: int) -> list[tuple[str, int]]:
        """Return watched companies without a state, in order, each with its `wishes` (see `incomplete`)."""

    async def incomplete(self, limit: int) -> list[tuple[str, int]]:
        """Return observed companies whose state lacks the decisions of a policy, in order, each with its `wishes`.

        `wishes` counts how often a portfolio with a rule about a policy has requested these decisions: when it began to
        watch the company, or got such a rule. It is 0 once they are stored.
        """

    async def complete(
        self, mark: int, companies: Sequence[tuple[str, int]], states: Sequence[tuple[str, bytes]]
    ) -> None:
        """Store the states of these companies, given with the `wishes` that were read, and reset their `wishes` to 0.

        A company whose `wishes` has grown meanwhile stays incomplete. Raises Conflict as `record` does.
        """

    async def watchers(self, companies: Sequence[str]) -> list[tuple[str, str]]:
        """Return a pair of company and portfolio for each portfolio that watches one of these companies, in order."""

    async def record(self, mark: int, states: Sequence[tuple[str, bytes]], events: Sequence[NewEvent]) -> int:
        """Store the states of companies that are still watched, and number the events that are new (D31); return how many.

        All or none; the numbers follow each other without gaps, in the order of the commits. The deliveries to webhooks
        that want the events are stored with them. Raises Conflict unless the shared value `comparison` has the version
        `mark`, so a comparison that started from older data changes nothing.
        """

    async def events(self, client_id: str, after: int, limit: int, only: EventFilter) -> list[NumberedEvent]:
        """Return the events of portfolios that an application may read with numbers above `after`, in order."""

    async def newest_events(self, portfolio: str, companies: Sequence[str]) -> dict[str, NumberedEvent]:
        """Return company -> its event with the highest number in a portfolio; companies without an event are left out."""

    async def last_event(self) -> int:
        """Return the highest number of an event; 0 before the first."""

    async def shared_value(self, name: str) -> tuple[int, bytes] | None:
        """Return the version and the document of a shared value; None if it does not exist."""

    async def save_shared_value(self, name: str, version: int, document: bytes) -> None:
        """Optimistic write: store if the stored version is `version - 1` (or absent and the version is 1); else Conflict."""

    async def reserve_answer(self, key: bytes, document: bytes, now: Milliseconds, until: Milliseconds) -> bytes | None:
        """Store the document under an unused or expired key and return None; otherwise return what is stored."""

    async def kept_answer(self, key: bytes, now: Milliseconds) -> bytes | None:
        """Return what is stored under a key that has not expired."""

    async def keep_answer(self, key: bytes, document: bytes, until: Milliseconds) -> None:
        """Store the document in place of what is under the key."""
