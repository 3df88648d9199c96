"""The customers of portfolios as ledgers have them, in a store: one row for each account of a ledger.

A portfolio watches companies, and a ledger has accounts: two accounts may be of one company, and an account whose company
is not known stays a customer. The exposure of a watched company is the sum of its accounts, stored in the same transaction.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.store.collections import saving
from credence.store.errors import Conflict, Full
from credence.store.ledger_uploads import LEDGER_UPLOADS, LedgerUpload
from credence.store.portfolios import WatchedCompany, locked, watching
from credence.store.statements import Act, Add, Statements, do, in_parts

MAX_CUSTOMERS = 50_000
"""Maximum number of customers of one portfolio."""

State = Literal["waiting", "proposed", "none", "declined", "number", "list", "accepted"]
"""How the company of a customer is known, or why it is not:

`waiting` for the search of candidates, `proposed` candidates wait for a person, `none` found, `declined` by a person;
`number` the ledger has it, `list` the portfolio had it under the same reference, `accepted` by a person.
"""


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """A company that a customer may be."""

    company: str
    name: str
    """The name that fits: the present one, or a former one."""
    confidence: int
    """From 0 to 100 (`companies/name_matching.py`)."""
    is_former: bool = False
    place: str = ""
    """Town and postcode of the registered office."""


class Owed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a customer owes, in hundredths of the currency; credit is negative. An age is None if it is unknown."""

    balance: int = 0
    current: int | None = None
    """Not overdue."""
    days_30: int | None = None
    """Overdue for 1 to 30 days."""
    days_60: int | None = None
    """Overdue for 31 to 60 days."""
    days_90: int | None = None
    """Overdue for 61 to 90 days."""
    over_90: int | None = None
    """Overdue for more than 90 days."""

    @property
    def overdue(self) -> int | None:
        """Return what is overdue; None if the ledger does not say it. Nothing is, of a balance of zero without ages."""
        late = [each for each in (self.days_30, self.days_60, self.days_90, self.over_90) if each is not None]
        return sum(late) if late or not self.balance else None


class Customer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An account of a ledger."""

    portfolio: str
    reference: str
    """The owner's own reference, which names the account in the portfolio."""
    name: str
    owed: Owed
    currency: str
    as_of: dt.date
    """The day of the ledger."""
    upload: str
    """The id of the upload that it comes from (`LedgerUpload`)."""
    postcode: str = ""
    company: str = ""
    """The company number; empty if it is not known."""
    state: State = "waiting"
    candidates: tuple[Candidate, ...] = ()
    """What the search has found, the most likely first."""

    @property
    def exposure(self) -> int:
        """Return what could be lost, in whole units of the currency: the balance, rounded up; 0 for a credit."""
        return max(0, -(-self.owed.balance // 100))


_SAVE = (
    "(portfolio, reference) DO UPDATE SET company = excluded.company, state = excluded.state, "
    "search_again_at = excluded.search_again_at, document = excluded.document"
)
_TYPES = dict.fromkeys(("portfolio", "reference", "company", "state"), "text") | {
    "search_again_at": "bigint",
    "document": "bytea",
}
_OF_PORTFOLIO = "SELECT document FROM customers WHERE portfolio = :portfolio"
_PAGE = f"{_OF_PORTFOLIO} AND reference > :after ORDER BY reference LIMIT :limit"
_IN_STATE = f"{_OF_PORTFOLIO} AND state = :state AND reference > :after ORDER BY reference LIMIT :limit"
_SOME = f"{_OF_PORTFOLIO} AND reference = ANY(:references::text[])"
_OF_COMPANIES = f"{_OF_PORTFOLIO} AND company = ANY(:companies::text[]) AND company <> ''"
_COUNTS = "SELECT state, count(*) FROM customers WHERE portfolio = :portfolio GROUP BY state"
_CLAIM = (
    "UPDATE customers SET search_again_at = :until WHERE (portfolio, reference) IN "
    "(SELECT portfolio, reference FROM customers WHERE state = 'waiting' AND search_again_at <= :now "
    "ORDER BY search_again_at LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING document"
)
_EVERY_WATCHED = "SELECT document FROM watched_companies WHERE portfolio = :portfolio"
_WATCHED = f"{_EVERY_WATCHED} AND company = ANY(:companies::text[])"


class Merged(NamedTuple):
    """What a ledger makes of the customers of a portfolio."""

    customers: Sequence[Customer]
    """Those to store; the others stay as they are."""
    added: int
    changed: int
    settled: int
    """How many are not in the ledger and owe nothing now."""


Merge = Callable[[Mapping[str, Customer], Mapping[str, str]], Merged]
"""Given are the customers of a portfolio by reference, and reference -> company number of the companies it watches."""


class Customers(Statements):
    """The part of a store that has the customers of portfolios."""

    async def customers(self, portfolio: str, after: str = "", limit: int = MAX_CUSTOMERS) -> list[Customer]:
        """Return the customers of a portfolio with references above `after`, in order."""
        return _decoded(await self._rows(_PAGE, portfolio=portfolio, after=after, limit=limit))

    async def customers_in(self, portfolio: str, state: State, after: str, limit: int) -> list[Customer]:
        """Return the customers of a portfolio in one state, with references above `after`, in order."""
        return _decoded(await self._rows(_IN_STATE, portfolio=portfolio, state=state, after=after, limit=limit))

    async def customer(self, portfolio: str, reference: str) -> Customer | None:
        """Return one customer."""
        found = _decoded(await self._rows(_SOME, portfolio=portfolio, references=[reference]))
        return found[0] if found else None

    async def count_customers(self, portfolio: str) -> dict[str, int]:
        """Return state -> number of customers of a portfolio, without the states that none has."""
        return dict(await self._rows(_COUNTS, portfolio=portfolio))

    async def take_ledger(
        self, upload: LedgerUpload, merge: Merge, at: Milliseconds, most: int = MAX_CUSTOMERS
    ) -> LedgerUpload:
        """Store what a ledger makes of the customers of its portfolio, the exposure of their companies, and the upload.

        All or nothing. Returns the upload with the counts. Raises Conflict if the stored upload is not the one before this
        version, or there is no such portfolio; Full if it would have more than `most` customers or companies.
        """
        return await self._transact(_taking, upload, merge, at, most)

    async def exchange_customers(self, pairs: Sequence[tuple[Customer, Customer]]) -> list[str]:
        """Store the second of each pair if the stored customer is still the first; return the references that were stored.

        All are of one portfolio.
        """
        return await self._transact(_exchanging, pairs) if pairs else []

    async def claim_customers(self, now: Milliseconds, until: Milliseconds, limit: int) -> list[Customer]:
        """Return customers that wait for the search of candidates. No other call returns them before `until`."""
        return _decoded(await self._write(_CLAIM, now=now, until=until, limit=limit))


def _taking(upload: LedgerUpload, merge: Merge, at: Milliseconds, most: int) -> Act[LedgerUpload]:
    portfolio = upload.portfolio
    if (yield from locked(portfolio)) is None:
        raise Conflict(portfolio)
    before = {each.reference: each for each in _decoded((yield do(_OF_PORTFOLIO, portfolio=portfolio)))}
    watched = map(_company, [document for (document,) in (yield do(_EVERY_WATCHED, portfolio=portfolio))])
    merged = merge(before, {each.reference: each.company for each in watched if each.reference})
    if len(before.keys() | {each.reference for each in merged.customers}) > most:
        raise Full(portfolio)
    yield Add("customers", _TYPES, [_row(each) for each in merged.customers], _SAVE)
    yield from _exposing(portfolio, [(before.get(each.reference), each) for each in merged.customers], most)
    counted = msgspec.structs.replace(upload, added=merged.added, changed=merged.changed, settled=merged.settled)
    yield from saving(LEDGER_UPLOADS, counted, at)
    return counted


def _exchanging(pairs: Sequence[tuple[Customer, Customer]]) -> Act[list[str]]:
    portfolio = pairs[0][0].portfolio
    yield from locked(portfolio)
    stored: dict[str, Customer] = {}
    for part in in_parts([before.reference for before, _ in pairs]):
        rows = yield do(_SOME, portfolio=portfolio, references=list(part))
        stored |= {each.reference: each for each in _decoded(rows)}
    still = [(before, after) for before, after in pairs if stored.get(before.reference) == before]
    yield Add("customers", _TYPES, [_row(after) for _, after in still], _SAVE)
    yield from _exposing(portfolio, still, MAX_CUSTOMERS)
    return [after.reference for _, after in still]


def _exposing(portfolio: str, changed: Sequence[tuple[Customer | None, Customer]], most: int) -> Act[None]:
    """Watch the companies of customers that changed, each with the sum of its accounts as the exposure."""
    touched = {after.company for before, after in changed if _counts(before) != _counts(after)}
    touched |= {before.company for before, after in changed if before and before.company != after.company}
    for part in in_parts(sorted(touched - {""})):
        values = {"portfolio": portfolio, "companies": list(part)}
        accounts: dict[str, list[Customer]] = {each: [] for each in part}
        for each in _decoded((yield do(_OF_COMPANIES, **values))):
            accounts[each.company].append(each)
        kept = {each.company: each for each in map(_company, [row for (row,) in (yield do(_WATCHED, **values))])}
        wanted = [_exposed(kept.get(company), company, found) for company, found in accounts.items()]
        if "full" in (yield from watching(portfolio, wanted, most)):
            raise Full(portfolio)


def _counts(customer: Customer | None) -> tuple[object, ...]:
    return (customer.company, customer.owed.balance, customer.currency) if customer else ()


def _exposed(kept: WatchedCompany | None, company: str, accounts: Sequence[Customer]) -> WatchedCompany:
    """Return a watched company with the exposure of its accounts: unknown if balances are in several currencies."""
    currencies = {each.currency for each in accounts if each.owed.balance} or {each.currency for each in accounts[:1]}
    total = max(0, -(-sum(each.owed.balance for each in accounts) // 100))
    before = kept or WatchedCompany(company)
    return msgspec.structs.replace(
        before,
        exposure=total if len(currencies) <= 1 else None,
        currency=next(iter(currencies)) if len(currencies) == 1 else "" if currencies else before.currency,
        reference=before.reference or (accounts[0].reference if accounts else ""),
    )


def _row(each: Customer) -> tuple[object, ...]:
    return each.portfolio, each.reference, each.company, each.state, 0, msgspec.json.encode(each)


def _decoded(rows: Sequence[tuple[bytes]]) -> list[Customer]:
    return [_decode(document) for (document,) in rows]


_decode = msgspec.json.Decoder(Customer).decode
_company = msgspec.json.Decoder(WatchedCompany).decode
