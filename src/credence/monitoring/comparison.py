"""Compares every watched company with its last observation and records the changes as events (D31).

A comparison runs after a data set was put into service, and once on each day, because scores and decisions change with the
day. One node claims it. Companies are processed in pieces; the states and events of a piece are written in one transaction
under the version of the claim. If the process is killed, another node continues after the lease; a piece that was recorded
shows no difference again, so no event is made twice. A node with older data than the last comparison does nothing. A source
that cannot be read, or of which a newer edition is being fetched, keeps its last values, and so do scores and decisions;
the other sources are compared.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple, Protocol

import msgspec

from credence.clock import Milliseconds, london_day, rfc3339
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.monitoring import observing
from credence.monitoring.comparing import changes, event_of, fired, merged
from credence.monitoring.conditions import conditions
from credence.monitoring.deciding import Wanted, completed, decides, wanted_of
from credence.monitoring.loaded import (
    Held,
    Loaded,
    Mark,
    ahead_of_clock,
    is_compared,
    is_older,
    of_sources,
    older_of_node,
    read_mark,
    save_mark,
    with_newest_of_node,
)
from credence.monitoring.observing import MODEL, POLICIES, Observation
from credence.monitoring.rules import RULES
from credence.monitoring.standing import with_bands
from credence.monitoring.transitions import ObservedChange
from credence.store.contract import Conflict, Store
from credence.store.portfolios import Portfolio
from credence.telemetry.log import error, event

LEASE_MS = 30_000
PATIENCE_MS = 600_000
"""How long a node whose policies or model differ from those of the last comparison leaves all to nodes that have them."""

PIECE_COMPANIES = 200
"""The number of companies in one transaction."""

BRAKE_SHARE = 0.02
BRAKE_COMPANIES = 25
"""The storm brake: a rule that fires for more than 2 % of the observed companies, and for more than 25, is held (threats
F11)."""


class Data(Protocol):
    """The credit data of this node. Its methods may take seconds and are called in a separate thread."""

    async def loaded(self) -> dict[str, Loaded]:
        """Return source -> what is loaded, without sources that cannot be read or of which a newer edition is published."""

    async def is_whole(self) -> bool:
        """Return whether every source but earlier scores can be read and is of the newest published edition."""

    async def of_node(self) -> dict[str, Loaded]:
        """Return the state of the policies, if one can be read, and of the model."""

    async def observe(self, companies: Sequence[str], wanted: Wanted, today: dt.date) -> list[Observation]:
        """Return the observation of each company, with the decisions of the policies that are wanted for it.

        Without scores and decisions unless the data is whole.
        """


class _Found(NamedTuple):
    company: str
    state: Observation
    changes: list[ObservedChange]


class Comparer:
    """Runs comparisons for one process. `holder` is a name that no other process has."""

    def __init__(self, store: Store, data: Data, clock: Callable[[], Milliseconds], holder: str) -> None:
        self._store = store
        self._data = data
        self._clock = clock
        self._holder = holder
        self._left_since: Milliseconds | None = None

    @property
    def leaves_to_others(self) -> bool:
        """Whether the last run found something to do and left it to nodes with the policies of the last comparison."""
        return self._left_since is not None

    async def run(self) -> int:
        """Observe new companies, and compare if other data is in service; return the number of events made."""
        version, mark = await read_mark(self._store)
        try:
            if await self._leaves_to_others(mark):
                return 0
            if version == 0:
                version = await save_mark(self._store, 0, Mark(await self._data.loaded(), london_day(self._clock())))
            if await self._data.is_whole():
                await self._observe_new(version)
                await self._tell_conditions(version)
            return await self._compare(*await read_mark(self._store))
        except Conflict:  # another process has taken the claim over, or the operator has changed it
            return 0

    async def _leaves_to_others(self, mark: Mark) -> bool:
        """Return whether nodes with the policies and model of the last comparison, or newer ones, shall do the work.

        The first decision of another version of a policy is no event, so that of older files would hide a change. Scores of
        an older model would change back and forth.
        """
        own = await self._data.of_node()
        older = older_of_node(own, mark.loaded)
        if older == [POLICIES] and not decides(await self._store.portfolios()):
            older = []
        if not older or not await self._has_work(mark):
            self._left_since = None
            return False
        if self._left_since is None:
            for name in older:
                here, there = own.get(name), mark.loaded[name]
                log_name = "monitoring_models_differ" if name == MODEL else "monitoring_policies_differ"
                error(log_name, here=here.version if here else "", compared=there.version)
            self._left_since = self._clock()
        return self._clock() - self._left_since < PATIENCE_MS

    async def _has_work(self, mark: Mark) -> bool:
        if not self._is_compared(mark, of_sources(await self._data.loaded())):
            return True
        return bool(await self._store.unobserved(1) or await self._store.incomplete(1))

    def _is_compared(self, mark: Mark, loaded: dict[str, Loaded]) -> bool:
        """Return whether a comparison of this data on this day has ended, and the operator wishes no other one."""
        if not mark.done or mark.released or mark.dropped or not is_compared(loaded, mark.loaded):
            return False
        today = london_day(self._clock())
        return mark.day is not None and today <= mark.day <= today + dt.timedelta(days=1)

    async def _observe_new(self, version: int) -> None:
        """Observe companies for the first time, and complete those for which a portfolio needs decisions of a policy."""
        while new := await self._store.unobserved(PIECE_COMPANIES):
            await self._look(version, new)
        while new := await self._store.incomplete(PIECE_COMPANIES):
            await self._look(version, new)

    async def _look(self, version: int, asked: Sequence[tuple[str, int]]) -> None:
        names = [company for company, _ in asked]
        wanted: Wanted = {}
        if any(wishes for _, wishes in asked):
            portfolios = {each.id: each for each in await self._store.portfolios()}
            wanted = wanted_of(await self._store.watchers(names), portfolios)
        old = await self._store.states(names)
        today = london_day(self._clock())
        found = zip(names, await self._data.observe(names, wanted, today), strict=True)
        states = [
            (name, completed(observing.decode(old[name]), state) if name in old else with_bands({}, state, today))
            for name, state in found
        ]
        pairs = [(name, observing.encode(state)) for name, state in states]
        await self._store.complete(version, asked, pairs)

    async def _tell_conditions(self, version: int) -> None:
        """Make events of what already holds against companies that were added to a portfolio."""
        while new := await self._store.newly_watched(PIECE_COMPANIES):
            portfolios = {each.id: [each] for each in await self._store.portfolios()}
            states = await self._store.states(sorted({company for _, company in new}))
            events = [
                event_of(company, watching, change, self._clock(), f"added {version}")
                for name, company in new
                for watching, change in fired(conditions(observing.decode(states[company])), portfolios.get(name, []))
            ]
            await self._store.record_added(version, new, events)

    async def _compare(self, version: int, mark: Mark) -> int:
        loaded, whole = await self._data.loaded(), await self._data.is_whole()
        loaded = with_newest_of_node(loaded, mark.loaded, takes_over=self._left_since is not None)
        ahead = ahead_of_clock(mark.loaded, self._clock())
        if is_older(of_sources(loaded), {name: each for name, each in mark.loaded.items() if name not in ahead}):
            return 0
        if self._is_compared(mark, loaded) and (mark.whole or not whole):
            return 0
        for name in ahead:
            error("monitoring_data_ahead_of_clock", source=name, loaded=rfc3339(mark.loaded[name].loaded_at))
        if not mark.done and mark.holder != self._holder and _is_leased(mark.until, self._clock()):
            return 0
        today = london_day(self._clock())
        days = {name: each.as_of for name, each in loaded.items()} | {POLICIES: today, MODEL: today}
        claim = msgspec.structs.replace(
            mark,
            loaded={**mark.loaded, **loaded},
            day=today,
            whole=whole,
            done=False,
            holder=self._holder,
            until=self._clock() + LEASE_MS,
        )
        version = await save_mark(self._store, version, claim)
        return await _Work(self._store, self._data, self._clock, claim, version, days).do()


def _is_leased(until: Milliseconds, now: Milliseconds) -> bool:
    """Return whether a lease goes on. One that is too long is of a clock that was ahead, and of no effect."""
    return now < until <= now + LEASE_MS + NODE_TOLERANCE_MS


class _Work:
    """One claimed comparison."""

    def __init__(
        self,
        store: Store,
        data: Data,
        clock: Callable[[], Milliseconds],
        claim: Mark,
        version: int,
        days: dict[str, dt.date | None],
    ) -> None:
        self._store, self._data, self._clock = store, data, clock
        self._claim, self._version, self._days = claim, version, days
        self._decides = False
        """Whether a portfolio has a rule about a policy."""

    async def do(self) -> int:
        portfolios = {each.id: each for each in await self._store.portfolios()}
        self._decides = decides(portfolios.values())
        observed, changed, counts = await self._count(portfolios)
        held = self._held(observed, counts)
        made = 0
        for start in range(0, len(changed), PIECE_COMPANIES):
            made += await self._record(changed[start : start + PIECE_COMPANIES], portfolios, held)
        done = msgspec.structs.replace(self._claim, done=True, until=0, held=held, released=(), dropped=())
        await save_mark(self._store, self._version, done)
        event("monitoring_compared", observed=observed, changed=len(changed), events=made)
        for rule in held.keys() - self._claim.held.keys():
            error("monitoring_held", rule=rule, companies=held[rule].companies, observed=observed)
        return made

    async def _count(self, portfolios: dict[str, Portfolio]) -> tuple[int, list[str], Counter[str]]:
        """Return the number of observed companies, the changed ones, and for how many companies each rule would fire."""
        observed, changed, counts, after = 0, list[str](), Counter[str](), ""
        while page := await self._store.observations(after, PIECE_COMPANIES):
            await self._renew()
            observed, after = observed + len(page), page[-1][0]
            for each, of_company in await self._differences(page, portfolios, frozenset()):
                changed.append(each.company)
                counts.update({change.rule for _, change in fired(each.changes, of_company)})
        return observed, changed, counts

    def _held(self, observed: int, counts: Counter[str]) -> dict[str, Held]:
        most = max(BRAKE_COMPANIES, observed * BRAKE_SHARE)
        free = {*self._claim.released, *self._claim.dropped}
        since = {rule: each.since for rule, each in self._claim.held.items()}
        return {
            rule: Held(companies, observed, since.get(rule, self._clock()))
            for rule, companies in sorted(counts.items())
            if companies > most and rule not in free
        }

    async def _record(self, companies: list[str], portfolios: dict[str, Portfolio], held: dict[str, Held]) -> int:
        await self._renew()
        states = await self._store.states(companies)
        kept = frozenset(RULES[rule].value for rule in held)
        found = await self._differences(sorted(states.items()), portfolios, kept)
        silent = {*held, *self._claim.dropped}
        events = [
            event_of(each.company, portfolio, change, self._clock(), str(self._version))
            for each, of_company in found
            for portfolio, change in fired(each.changes, of_company)
            if change.rule not in silent
        ]
        pairs = [(each.company, observing.encode(each.state)) for each, _ in found]
        return await self._store.record(self._version, pairs, events)

    async def _differences(
        self, page: Sequence[tuple[str, bytes]], portfolios: dict[str, Portfolio], kept: frozenset[str]
    ) -> list[tuple[_Found, list[Portfolio]]]:
        """Return the companies that changed, each with the portfolios that watch it."""
        names = [company for company, _ in page]
        pairs = await self._store.watchers(names) if self._decides else []
        wanted, found = wanted_of(pairs, portfolios), []
        today = london_day(self._clock())
        observed = await self._data.observe(names, wanted, today)
        for (company, state), new in zip(page, observed, strict=True):
            old = observing.decode(state)
            after = merged(old, with_bands(old, new, today), kept, wanted.get(company, frozenset()))
            if after != old:
                found.append(_Found(company, after, changes(old, after, self._days)))
        if found and not self._decides:
            pairs = await self._store.watchers([each.company for each in found])
        watching = {
            company: [portfolios[name] for _, name in of_company if name in portfolios]
            for company, of_company in groupby(pairs, lambda pair: pair[0])
        }
        return [(each, watching.get(each.company, [])) for each in found]

    async def _renew(self) -> None:
        """Extend the lease when half of it has passed."""
        now = self._clock()
        if self._claim.until - now < LEASE_MS / 2:
            self._claim = msgspec.structs.replace(self._claim, until=now + LEASE_MS)
            self._version = await save_mark(self._store, self._version, self._claim)
