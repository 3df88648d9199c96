"""All customers of an application at once: the companies of its portfolios, with what the last comparison found of each.

One statement reads thousands, so that a screen about all of them needs no request for each.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from credence.store.alerts import FIRST_STATE, NEXT_STATE, AlertState
from credence.store.customers import Owed
from credence.store.errors import Conflict
from credence.store.events import OF_READER
from credence.store.portfolios import WatchedCompany
from credence.store.statements import Act, Row, Statements, do, in_parts

MAX_OPEN_EVENTS = 20_000
"""The most events that are not acknowledged yet that are read at once: the newest."""


class WatchedRow(NamedTuple):
    """One company of one portfolio."""

    portfolio: str
    kept: WatchedCompany
    state: bytes | None
    """The encoded observation; None before the first."""


class OpenEvent(NamedTuple):
    """An event that is neither acknowledged nor snoozed."""

    number: int
    portfolio: str
    rule: str
    company: str
    document: bytes
    state: AlertState


_WATCHED = """
SELECT watched.portfolio, watched.document, state FROM watched_companies AS watched
LEFT JOIN observations ON observations.company = watched.company
WHERE watched.portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = :client_id) {these}
ORDER BY watched.company, watched.portfolio
"""
_OPEN = f"""
SELECT events.number, portfolio, rule, company, document, coalesce(version, 0), coalesce(read_at, 0),
       coalesce(assigned_to, ''), coalesce(note, ''), coalesce(snoozed_until, '')
FROM monitoring_events AS events LEFT JOIN alert_states ON alert_states.number = events.number
WHERE company <> '' AND {OF_READER} AND coalesce(read_at, 0) = 0 AND coalesce(snoozed_until, '') <= :today
ORDER BY events.number DESC LIMIT :limit
"""  # noqa: S608 - constants, here and below
_OPEN_ABOUT = _OPEN.replace("company <> ''", "company = :company")
_OWED = """
SELECT company, document FROM customers AS owing WHERE company <> ''
AND portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = :client_id) {these}
"""
_UNMATCHED = """
SELECT count(*) FROM customers WHERE company = '' AND :portfolio IN ('', portfolio)
AND portfolio IN (SELECT portfolio FROM portfolio_readers WHERE client_id = :client_id)
"""
_LIMITS = """
SELECT document FROM limit_decisions AS one WHERE owner = :client_id AND state = 'approved' {these}
AND NOT EXISTS (SELECT 1 FROM limit_decisions AS later WHERE later.owner = one.owner AND later.company = one.company
AND later.state = 'approved' AND later.id > one.id)
"""


class LimitHeld(msgspec.Struct, frozen=True, gc=False):
    """The approved limit of a company in pounds, and the day of its review."""

    company: str
    amount: int
    review_on: str
    terms: str = ""


class _Account(msgspec.Struct, frozen=True):
    """The part of an account of a ledger that is summed."""

    owed: Owed
    currency: str


_account = msgspec.json.Decoder(_Account).decode
_company = msgspec.json.Decoder(WatchedCompany).decode
_limit = msgspec.json.Decoder(LimitHeld).decode


class Book(Statements):
    """The part of a store that reads all customers of an application."""

    async def watched_by(self, client_id: str, companies: Sequence[str] | None = None) -> list[WatchedRow]:
        """Return the companies of all portfolios that an application may read, by number; all, or these."""
        rows = await self._rows_about(_WATCHED, "watched", client_id, companies)
        return [WatchedRow(portfolio, _company(document), state) for portfolio, document, state in rows]

    async def open_events(self, client_id: str, today: str, company: str = "") -> list[OpenEvent]:
        """Return the open events that an application may read, the newest first.

        `today` is an ISO date: events that rest until a later day are left out. All, or those about one company.
        """
        statement = _OPEN_ABOUT if company else _OPEN
        rows = await self._rows(statement, client_id=client_id, today=today, company=company, limit=MAX_OPEN_EVENTS)
        return [
            OpenEvent(number, portfolio, rule, about, document, AlertState(number, *state))
            for number, portfolio, rule, about, document, *state in rows
        ]

    async def save_alerts(self, states: Sequence[AlertState]) -> None:
        """Store the states of several events as `save_alert` does: all of them, or none if it raises Conflict."""

        def saving() -> Act[None]:
            for state in sorted(states, key=lambda each: each.number):
                statement = FIRST_STATE if state.version == 1 else NEXT_STATE
                if not (yield do(statement, **msgspec.structs.asdict(state))):
                    raise Conflict(str(state.number))

        await self._transact(saving)

    async def overdue_by(self, client_id: str, companies: Sequence[str] | None = None) -> dict[str, int | None]:
        """Return company -> what is overdue by the ledgers, in pounds; None if an account lacks ages or is not in pounds.

        All, or these.
        """
        found: dict[str, int | None] = {}
        for company, document in await self._rows_about(_OWED, "owing", client_id, companies):
            account = _account(document)
            overdue, before = account.owed.overdue, found.get(company, 0)
            in_pounds = account.currency in ("", "GBP") or not account.owed.balance
            known = overdue is not None and before is not None and in_pounds
            found[company] = (before or 0) + (overdue or 0) if known else None
        return {company: None if pence is None else max(0, pence // 100) for company, pence in found.items()}

    async def count_unmatched(self, client_id: str, portfolio: str = "") -> int:
        """Return how many accounts of the ledgers have no company: of all portfolios, or of this one."""
        ((count,),) = await self._rows(_UNMATCHED, client_id=client_id, portfolio=portfolio)
        return int(count)

    async def limits_held(self, owner: str, companies: Sequence[str] | None = None) -> dict[str, LimitHeld]:
        """Return company -> the limit that people of an application have approved, without what was known then.

        All, or these.
        """
        rows = await self._rows_about(_LIMITS, "one", owner, companies)
        return {each.company: each for each in (_limit(document) for (document,) in rows)}

    async def _rows_about(
        self, statement: str, table: str, client_id: str, companies: Sequence[str] | None
    ) -> list[Row]:
        """Return the rows of a statement, all or those about some companies. `table` is the one with the column."""
        if companies is None:
            return list(await self._rows(statement.format(these=""), client_id=client_id))
        rows: list[Row] = []
        these = statement.format(these=f"AND {table}.company = ANY(:companies::text[])")
        for part in in_parts(companies):
            rows += await self._rows(these, client_id=client_id, companies=list(part))
        return rows
