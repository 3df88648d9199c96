"""The part of the memory store that is about monitoring."""

from collections import Counter
from collections.abc import Sequence

from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Full
from credence.store.monitoring import (
    EventFilter,
    NewEvent,
    NumberedEvent,
    Outcome,
    Portfolio,
    WatchedCompany,
    policies_of,
)
from credence.store.webhooks import deliveries_of
from tests.memory_alerts import MemoryAlerts
from tests.memory_webhooks import MemoryWebhooks


class MemoryMonitoring(MemoryWebhooks, MemoryAlerts):
    """Keeps the promises of the contract about monitoring."""

    def __init__(self) -> None:
        self._portfolios: dict[str, Portfolio] = {}
        self._readers: dict[str, set[str]] = {}
        self._watched: dict[tuple[str, str], WatchedCompany] = {}
        self._states: dict[str, bytes | None] = {}
        self._wishes = Counter[str]()
        self._events: list[NewEvent] = []
        self._shared: dict[str, tuple[int, bytes]] = {}
        self._webhooks, self._attempts, self._alerts = {}, {}, {}
        self._answers: dict[bytes, tuple[Milliseconds, bytes]] = {}

    @override
    async def portfolio(self, identity: str) -> Portfolio | None:
        return self._portfolios.get(identity)

    @override
    async def portfolios_of(self, client_id: str, after: str, limit: int) -> list[Portfolio]:
        found = [each for key, each in sorted(self._portfolios.items()) if client_id in self._readers[key]]
        return [each for each in found if each.id > after][:limit]

    @override
    async def portfolios(self) -> list[Portfolio]:
        return [each for _, each in sorted(self._portfolios.items())]

    @override
    async def save_portfolio(self, portfolio: Portfolio, most: int | None = None) -> None:
        kept = self._portfolios.get(portfolio.id)
        if (kept.version if kept else 0) != portfolio.version - 1:
            raise Conflict(portfolio.id)
        usable = {each.id for each in await self.portfolios_of(portfolio.owner, "", len(self._portfolios))}
        if most is not None and len(usable | {portfolio.id}) > most:
            raise Full(portfolio.owner)
        self._portfolios[portfolio.id] = portfolio
        self._readers[portfolio.id] = {portfolio.owner, *portfolio.shared_with}
        if policies_of(portfolio) - policies_of(kept):
            self._wishes.update(company for each, company in self._watched if each == portfolio.id)

    @override
    async def delete_portfolio(self, portfolio: Portfolio) -> None:
        kept = self._portfolios.get(portfolio.id)
        if kept is None or kept.version != portfolio.version:
            raise Conflict(portfolio.id)
        del self._portfolios[portfolio.id]
        self._readers[portfolio.id] = {portfolio.owner}
        await self.unwatch(portfolio.id, [company for each, company in self._watched if each == portfolio.id])

    @override
    async def watch(self, portfolio: str, companies: Sequence[WatchedCompany], most: int) -> list[Outcome]:
        if portfolio not in self._portfolios:
            raise Conflict(portfolio)
        outcomes: list[Outcome] = []
        for each in companies:
            key = portfolio, each.company
            kept = self._watched.get(key)
            if kept is None and await self.count_watched(portfolio) >= most:
                outcomes.append("full")
                continue
            outcomes.append("added" if kept is None else "unchanged" if kept == each else "changed")
            self._watched[key] = each
            self._states.setdefault(each.company, None)
            if kept is None and policies_of(self._portfolios[portfolio]):
                self._wishes[each.company] += 1
        return outcomes

    @override
    async def exchange_watched(
        self, portfolio: str, company: str, before: WatchedCompany | None, after: WatchedCompany | None, most: int
    ) -> None:
        if await self.watched_company(portfolio, company) != before:
            raise Conflict(company)
        if after is None:
            await self.unwatch(portfolio, [company])
        elif await self.watch(portfolio, [after], most) == ["full"]:
            raise Full(portfolio)

    @override
    async def unwatch(self, portfolio: str, companies: Sequence[str]) -> int:
        gone = [key for key in ((portfolio, each) for each in set(companies)) if key in self._watched]
        for key in gone:
            del self._watched[key]
        left = {company for _, company in self._watched}
        self._states = {company: state for company, state in self._states.items() if company in left}
        return len(gone)

    @override
    async def watched(self, portfolio: str, after: str, limit: int) -> list[WatchedCompany]:
        found = sorted(company for each, company in self._watched if each == portfolio and company > after)
        return [self._watched[portfolio, company] for company in found[:limit]]

    @override
    async def watched_company(self, portfolio: str, company: str) -> WatchedCompany | None:
        return self._watched.get((portfolio, company))

    @override
    async def count_watched(self, portfolio: str) -> int:
        return sum(each == portfolio for each, _ in self._watched)

    @override
    async def observations(self, after: str, limit: int) -> list[tuple[str, bytes]]:
        found = sorted((company, state) for company, state in self._states.items() if state is not None)
        return [each for each in found if each[0] > after][:limit]

    @override
    async def states(self, companies: Sequence[str]) -> dict[str, bytes]:
        return {each: state for each in companies if (state := self._states.get(each)) is not None}

    @override
    async def unobserved(self, limit: int) -> list[tuple[str, int]]:
        found = sorted(company for company, state in self._states.items() if state is None)
        return [(each, self._wishes[each]) for each in found[:limit]]

    @override
    async def incomplete(self, limit: int) -> list[tuple[str, int]]:
        found = sorted(self._wishes.items())
        return [each for each in found if each[1] and self._states.get(each[0]) is not None][:limit]

    @override
    async def complete(
        self, mark: int, companies: Sequence[tuple[str, int]], states: Sequence[tuple[str, bytes]]
    ) -> None:
        await self.record(mark, states, [])
        for company, wishes in companies:
            if self._wishes[company] == wishes:
                del self._wishes[company]

    @override
    async def watchers(self, companies: Sequence[str]) -> list[tuple[str, str]]:
        return sorted((company, portfolio) for portfolio, company in self._watched if company in companies)

    @override
    async def record(self, mark: int, states: Sequence[tuple[str, bytes]], events: Sequence[NewEvent]) -> int:
        if self._shared.get("comparison", (0, b""))[0] != mark:
            raise Conflict("comparison")
        self._states |= {company: state for company, state in states if company in self._states}
        before = len(self._events)
        for each in events:
            if all(each.key != known.key for known in self._events):
                self._events.append(each)
        new = list(enumerate(self._events[before:], start=before + 1))
        webhooks = await self.webhooks()
        subscribers = [
            (name, each) for name, readers in self._readers.items() for each in webhooks if each.owner in readers
        ]
        await self.add_deliveries(deliveries_of(new, subscribers))
        return len(new)

    @override
    async def events(self, client_id: str, after: int, limit: int, only: EventFilter) -> list[NumberedEvent]:
        found = [
            NumberedEvent(number, each.portfolio, each.rule, each.company, each.document)
            for number, each in enumerate(self._events, start=1)
            if number > after
            and client_id in self._readers.get(each.portfolio, set())
            and only.portfolio in {"", each.portfolio}
            and only.rule in {"", each.rule}
            and only.company in {"", each.company}
        ]
        return found[:limit]

    @override
    async def newest_events(self, portfolio: str, companies: Sequence[str]) -> dict[str, NumberedEvent]:
        found = (
            NumberedEvent(number, each.portfolio, each.rule, each.company, each.document)
            for number, each in enumerate(self._events, start=1)
            if each.portfolio == portfolio and each.company in companies
        )
        return {each.company: each for each in found}

    @override
    async def last_event(self) -> int:
        return len(self._events)

    @override
    async def shared_value(self, name: str) -> tuple[int, bytes] | None:
        return self._shared.get(name)

    @override
    async def save_shared_value(self, name: str, version: int, document: bytes) -> None:
        if self._shared.get(name, (0, b""))[0] != version - 1:
            raise Conflict(name)
        self._shared[name] = (version, document)

    @override
    async def reserve_answer(self, key: bytes, document: bytes, now: Milliseconds, until: Milliseconds) -> bytes | None:
        kept = self._answers.get(key)
        if kept is not None and kept[0] > now:
            return kept[1]
        self._answers[key] = (until, document)
        return None

    @override
    async def kept_answer(self, key: bytes, now: Milliseconds) -> bytes | None:
        until, document = self._answers.get(key, (0, b""))
        return document if until > now else None

    @override
    async def keep_answer(self, key: bytes, document: bytes, until: Milliseconds) -> None:
        self._answers[key] = (until, document)
