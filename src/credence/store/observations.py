"""What the last comparison found of each watched company, in a store, and the new events that follow from it (D31)."""

from collections.abc import Sequence

import msgspec

from credence.store.errors import Conflict
from credence.store.events import LAST_EVENT, NewEvent
from credence.store.statements import Act, Add, Each, Statements, do, in_parts
from credence.store.webhooks import tell_webhooks

_COMPARISON = "SELECT version FROM shared_values WHERE name = 'comparison' FOR SHARE"
_OBSERVATIONS = (
    "SELECT company, state FROM observations WHERE state IS NOT NULL AND company > :after ORDER BY company LIMIT :limit"
)
_STATES = "SELECT company, state FROM observations WHERE state IS NOT NULL AND company = ANY(:companies::text[])"
_UNOBSERVED = "SELECT company, wishes FROM observations WHERE state IS NULL ORDER BY company LIMIT :limit"
_INCOMPLETE = (
    "SELECT company, wishes FROM observations WHERE wishes > 0 AND state IS NOT NULL ORDER BY company LIMIT :limit"
)
_WATCHERS = (
    "SELECT company, portfolio FROM watched_companies WHERE company = ANY(:companies::text[]) "
    "ORDER BY company, portfolio"
)
_NEWLY_WATCHED = (
    "SELECT portfolio, company FROM newly_watched JOIN observations USING (company) WHERE state IS NOT NULL "
    "ORDER BY portfolio, company LIMIT :limit"
)
_TOLD = "DELETE FROM newly_watched WHERE portfolio = :portfolio AND company = :company"
_STORE = "UPDATE observations SET state = :state WHERE company = :company"
_COMPLETE = "UPDATE observations SET wishes = 0 WHERE company = :company AND wishes = :wishes"
# Rows are locked in the order of the companies, here and where states are stored.
_WISH = (
    "UPDATE observations SET wishes = wishes + 1 WHERE company IN "
    "(SELECT company FROM observations WHERE company = ANY(:companies::text[]) ORDER BY company FOR UPDATE)"
)
_LEAVE = (
    "DELETE FROM observations WHERE company = ANY(:companies::text[]) AND NOT EXISTS "
    "(SELECT 1 FROM watched_companies WHERE watched_companies.company = observations.company)"
)
_KNOWN = "SELECT key FROM monitoring_events WHERE key = ANY(:keys::bytea[])"
_TYPES = dict.fromkeys(("number", *NewEvent.__struct_fields__), "text") | {
    "number": "bigint",
    "key": "bytea",
    "until": "bigint",
    "document": "bytea",
}


def observe(companies: Sequence[str]) -> Add:
    """Return the step after which these companies are observed."""
    return Add("observations", {"company": "text"}, [(each,) for each in companies])


def wish(companies: Sequence[str]) -> Act[None]:
    """Request the decisions of policies for these companies (see `incomplete`)."""
    for part in in_parts(sorted(companies)):
        yield do(_WISH, companies=part)


def leave_unobserved(companies: Sequence[str]) -> Act[None]:
    """Delete the observations of those of these companies that are in no portfolio any more."""
    for part in in_parts(sorted(companies)):
        yield do(_LEAVE, companies=part)


class Observations(Statements):
    """The part of a store that has the observations. Lists of companies have at most a thousand per call."""

    async def observations(self, after: str, limit: int) -> list[tuple[str, bytes]]:
        """Return the number and state of each observed company with a number above `after`, in order."""
        return [(company, state) for company, state in await self._rows(_OBSERVATIONS, after=after, limit=limit)]

    async def states(self, companies: Sequence[str]) -> dict[str, bytes]:
        """Return company number -> last observation, encoded; a company that was not observed yet is absent."""
        return dict(await self._rows(_STATES, companies=list(companies)))

    async def unobserved(self, limit: int) -> list[tuple[str, int]]:
        """Return watched companies without a state, in order, each with its `wishes` (see `incomplete`)."""
        return [(company, wishes) for company, wishes in await self._rows(_UNOBSERVED, limit=limit)]

    async def incomplete(self, limit: int) -> list[tuple[str, int]]:
        """Return observed companies whose state lacks the decisions of a policy, in order, each with its `wishes`.

        `wishes` counts how often a portfolio with a rule about a policy has requested these decisions: when it began to
        watch the company, or got such a rule. It is 0 once they are stored.
        """
        return [(company, wishes) for company, wishes in await self._rows(_INCOMPLETE, limit=limit)]

    async def complete(
        self, mark: int, companies: Sequence[tuple[str, int]], states: Sequence[tuple[str, bytes]]
    ) -> None:
        """Store the states of these companies, given with the `wishes` that were read, and reset their `wishes` to 0.

        A company whose `wishes` has grown meanwhile stays incomplete. Raises Conflict as `record` does.
        """

        def completing() -> Act[None]:
            yield from _storing(mark, states)
            seen = [{"company": company, "wishes": wishes} for company, wishes in sorted(companies)]
            yield Each(_COMPLETE, seen, {"company": "text", "wishes": "bigint"})

        await self._transact(completing)

    async def watchers(self, companies: Sequence[str]) -> list[tuple[str, str]]:
        """Return a pair of company and portfolio for each portfolio that watches one of these companies, in order."""
        rows = await self._rows(_WATCHERS, companies=list(companies))
        return [(company, portfolio) for company, portfolio in rows]

    async def record(self, mark: int, states: Sequence[tuple[str, bytes]], events: Sequence[NewEvent]) -> int:
        """Store the states of companies that are still watched, and number the events that are new (D31); return how many.

        All or none; the numbers follow each other without gaps, in the order of the commits. The deliveries to webhooks
        that want the events are stored with them. Raises Conflict unless the shared value `comparison` has the version
        `mark`, so a comparison that started from older data changes nothing.
        """

        def recording() -> Act[int]:
            yield from _storing(mark, states)
            return (yield from _numbering(events))

        return await self._transact(recording)

    async def newly_watched(self, limit: int) -> list[tuple[str, str]]:
        """Return pairs of portfolio and observed company about which `record_added` has not been called, in order."""
        rows = await self._rows(_NEWLY_WATCHED, limit=limit)
        return [(portfolio, company) for portfolio, company in rows]

    async def record_added(self, mark: int, pairs: Sequence[tuple[str, str]], events: Sequence[NewEvent]) -> int:
        """Number the events about companies that were added to portfolios, as `record` does, and forget the pairs."""

        def recording() -> Act[int]:
            yield from _storing(mark, ())
            for portfolio, company in sorted(pairs):
                yield do(_TOLD, portfolio=portfolio, company=company)
            return (yield from _numbering(events))

        return await self._transact(recording)


def _storing(mark: int, states: Sequence[tuple[str, bytes]]) -> Act[None]:
    if (yield do(_COMPARISON)) != [(mark,)]:
        raise Conflict("comparison")
    found = [{"company": company, "state": state} for company, state in sorted(states)]
    yield Each(_STORE, found, {"company": "text", "state": "bytea"})


def _numbering(events: Sequence[NewEvent]) -> Act[int]:
    """Number the events that are not stored yet; return how many.

    The row of the counter stays locked until the commit, so numbers become visible in order.
    """
    yield do("INSERT INTO counters (name, last) VALUES ('events', 0) ON CONFLICT DO NOTHING")
    ((last,),) = yield do(f"{LAST_EVENT} FOR UPDATE")
    distinct = {each.key: each for each in events}
    known: set[bytes] = set()
    for part in in_parts(list(distinct)):
        known |= {key for (key,) in (yield do(_KNOWN, keys=part))}
    new = list(enumerate((each for key, each in distinct.items() if key not in known), last + 1))
    if not new:
        return 0
    yield Add("monitoring_events", _TYPES, [(number, *msgspec.structs.astuple(each)) for number, each in new])
    yield do("UPDATE counters SET last = :last WHERE name = 'events'", last=last + len(new))
    yield from tell_webhooks(new)
    return len(new)
