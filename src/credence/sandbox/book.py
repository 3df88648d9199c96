"""The book of the sandbox: a list of forty invented customers with their ledger and earlier decisions on limits (D24).

`sandbox/data/book.toml` has it. Its days are counted from the day on which the sandbox is made, so that a stranger finds a
morning with reviews that are due, customers above their limit, and one that fails this week.
"""

import datetime as dt
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from credence.clock import DAY_MS, Milliseconds, london_day
from credence.crypto.randomness import new_portfolio_id, new_upload_id
from credence.sandbox.invented.companies_file import invented_file
from credence.store.contract import Store
from credence.store.customers import Customer, Merged, Owed
from credence.store.ledger_uploads import LedgerUpload
from credence.store.limit_decisions import LIMIT_DECISIONS, Grounds, LimitDecision, decision_id
from credence.store.portfolios import Portfolio, RuleSetting

FILE: Final = Path(__file__).parent / "data" / "book.toml"
_NAME: Final = "Customers"
_MODEL: Final = "invented for the sandbox"


class Account(msgspec.Struct, frozen=True, array_like=True):
    """What a customer owes, in whole pounds, by how long it is overdue."""

    reference: str
    company: str
    current: int
    days_30: int
    days_60: int
    days_90: int
    over_90: int

    @property
    def owed(self) -> Owed:
        """The same in pence, with the balance."""
        ages = [each * 100 for each in (self.current, self.days_30, self.days_60, self.days_90, self.over_90)]
        return Owed(sum(ages), *ages)


class Unmatched(msgspec.Struct, frozen=True, array_like=True):
    """An account whose company is not known."""

    reference: str
    name: str
    balance: int


class Decided(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on the limit of a company. `second` is the person who approved what `by` proposed."""

    company: str
    days_ago: int
    amount: int
    why: str
    review_in_days: int
    by: str
    score: int
    band: str
    suggested: int
    terms: str = ""
    conditions: str = ""
    second: str = ""


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    accounts: tuple[Account, ...]
    unmatched: tuple[Unmatched, ...]
    decision: tuple[Decided, ...]


def read_book() -> Book:
    """Return the content of the file that comes with the program."""
    return msgspec.toml.decode(FILE.read_bytes(), type=Book)


async def ensure_book(store: Store, owner: str, rules: tuple[RuleSetting, ...], now: Milliseconds) -> None:
    """Make the list with its ledger and decisions for an application that has no list; `rules` are those of the list.

    The ledger comes last: a list of this name that has none is of a start that was interrupted, and is completed.
    """
    book, lists = read_book(), await store.portfolios_of(owner, "", 1)
    begun = [each for each in lists if (each.owner, each.name) == (owner, _NAME)]
    if lists and (not begun or await store.ledger_uploads(begun[0].id, 1)):
        return
    kept = begun[0] if begun else Portfolio(new_portfolio_id(), owner, _NAME, now, rules=rules)
    if not begun:
        await store.save_portfolio(kept, 1)
    for decision in _decisions(book.decision, owner, now):
        if await store.get(LIMIT_DECISIONS, decision.id) is None:
            await store.save(LIMIT_DECISIONS, decision)
    await _take_ledger(store, book, kept.id, now)


async def _take_ledger(store: Store, book: Book, portfolio: str, now: Milliseconds) -> None:
    today, companies = london_day(now), invented_file().companies
    upload = LedgerUpload(
        id=new_upload_id(now),
        portfolio=portfolio,
        file_name=FILE.name,
        digest=hashlib.sha256(FILE.read_bytes()).hexdigest(),
        uploaded_by="demo",
        uploaded_at=now,
        header=("Reference", "Number", "Name", "Current", "1-30", "31-60", "61-90", "Over 90"),
        state="taken",
        currency="GBP",
        as_of=today,
        lines=len(book.accounts) + len(book.unmatched),
        total=sum(each.owed.balance for each in book.accounts) + 100 * sum(each.balance for each in book.unmatched),
    )

    def customer(reference: str, name: str, owed: Owed) -> Customer:
        return Customer(portfolio, reference, name, owed, "GBP", today, upload.id)

    known = [
        msgspec.structs.replace(
            customer(each.reference, companies[each.company].name, each.owed), company=each.company, state="number"
        )
        for each in book.accounts
    ]
    others = [customer(each.reference, each.name, Owed(100 * each.balance)) for each in book.unmatched]
    every = [*known, *others]
    await store.take_ledger(upload, lambda _before, _of_list: Merged(every, len(every), 0, 0), now)


def _decisions(found: Iterable[Decided], owner: str, now: Milliseconds) -> Iterable[LimitDecision]:
    places: dict[str, int] = {}
    for each in found:
        place = places[each.company] = places.get(each.company, 0) + 1
        at = now - each.days_ago * DAY_MS
        day = london_day(at)
        yield LimitDecision(
            id=decision_id(owner, each.company, place),
            owner=owner,
            company=each.company,
            place=place,
            state="approved",
            amount=each.amount,
            why=each.why,
            review_on=day + dt.timedelta(days=each.review_in_days),
            proposed_by=each.by,
            proposed_at=at,
            grounds=Grounds(
                day,
                invented_file().companies[each.company].name,
                each.score,
                each.band,
                each.suggested,
                model=_MODEL,
            ),
            terms=each.terms,
            conditions=each.conditions,
            decided_by=each.second or each.by,
            decided_at=at,
        )
