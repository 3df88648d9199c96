"""Operations on ledgers: uploaded to a portfolio, then taken as its columns were chosen; all of it or nothing."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from credence import paths
from credence.clock import day_in_words
from credence.errors import InvalidInput, UnusableContent
from credence.monitoring.ledger.accounts import Accounts, Fault
from credence.monitoring.ledger.merging import NewerLedger, merge_of
from credence.monitoring.ledger.uploads import (
    Ledger,
    LedgerPage,
    LedgerState,
    TakeBody,
    accounts_in,
    begun,
    chosen,
    state_of,
)
from credence.operations.acting import OWNERS, Acting
from credence.operations.operation import Change, Noun, operation
from credence.operations.perform import Outcome, found, perform
from credence.operations.portfolios import PORTFOLIO
from credence.operations.reading import reading, showing
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.customers import MAX_CUSTOMERS
from credence.store.errors import Full
from credence.store.ledger_uploads import LEDGER_UPLOADS
from credence.store.portfolios import Portfolio

SHOWN_LEDGERS: Final = 50
_MAX_NAMED: Final = 10
"""The most faults that a message has."""

_FULL = because(RESOURCE_CHANGED, f"A portfolio has at most {MAX_CUSTOMERS:,} customers.")
_TAKEN = because(RESOURCE_CHANGED, "This ledger has been taken already. Upload it again to change it.")
_EXPIRED = because(RESOURCE_CHANGED, "The lines of this ledger are no longer kept. Upload it again.")


class UnusableLedger(UnusableContent):
    """Lines of a ledger cannot be read, so nothing of it was taken."""

    def __init__(self, found: Accounts) -> None:
        first = " ".join(f"Line {each.line}, {each.column}: {each.reason}" for each in found.faults[:_MAX_NAMED])
        count = f"{found.fault_count:,} cells" if found.fault_count > 1 else "One cell"
        more = f" The first {_MAX_NAMED} are named." if found.fault_count > _MAX_NAMED else ""
        super().__init__(f"{count} cannot be read, so nothing was taken.{more} {first}", member="columns")
        self.faults: tuple[Fault, ...] = tuple(found.faults)
        self.count = found.fault_count


async def _find(by: Acting, key: str) -> Ledger | None:
    """Return a ledger, if the caller may use its portfolio."""
    store = by.means.store
    upload = await store.get(LEDGER_UPLOADS, key)
    portfolio = None if upload is None else await store.portfolio(upload.portfolio)
    if upload is None or portfolio is None or (by.owns is not None and by.owns not in PORTFOLIO.owners(portfolio)):
        return None
    return Ledger(upload)


async def _save(by: Acting, _found: Ledger | None, wanted: Ledger) -> None:
    store = by.means.store
    if wanted.merge is None:
        await store.keep_ledger(wanted.upload, wanted.lines)
        return
    try:
        await store.take_ledger(wanted.upload, wanted.merge, by.now)
    except Full:
        raise Refused(_FULL, "ledger.full") from None
    except NewerLedger as newer:
        text = (
            f"This ledger would change customers that the book has from a ledger of {day_in_words(newer.day)}, a later day. "
            "Check the day of the ledger, or say that it replaces a newer one (`replaces_newer`)."
        )
        raise Refused(because(RESOURCE_CHANGED, text), "ledger.newer") from None


async def _state(by: Acting, ledger: Ledger) -> LedgerState:
    """Return a ledger as it is stored: its counts are made when it is."""
    stored = await by.means.store.get(LEDGER_UPLOADS, ledger.upload.id)
    return state_of(stored or ledger.upload)


LEDGER: Final[Noun[Ledger]] = Noun(
    name="ledger",
    path="ledgers/{upload}",
    base=paths.MONITORING,
    help="The id of the uploaded ledger.",
    example="up_1795168200000_2o6x4hk3tmy7q5c3",
    find=_find,
    save=_save,
    state=_state,
    identity=lambda ledger: ledger.upload.id,
    is_found_by_owner=True,
    also_named=lambda ledger: {"portfolio": ledger.upload.portfolio},
    reasons="ledger",
)


@operation(
    "ledger take",
    on=LEDGER,
    api=("POST", "take"),
    access=OWNERS,
    title="Add a ledger to the book",
    event="ledger_taken",
)
async def take_ledger(by: Acting, found: Ledger, body: TakeBody) -> Change[Ledger]:
    """Store the accounts of an uploaded ledger as the customers of its portfolio, with the columns that you choose.

    All of it, or nothing if a cell cannot be read: the refusal names line, column and cure. The companies whose numbers are
    known are watched, each with the sum of its accounts as its exposure; for the others candidates are searched.
    """
    if found.upload.state == "taken":
        raise Refused(_TAKEN, "ledger.taken")
    wanted = chosen(found.upload, body, by.now)
    lines = await by.means.store.ledger_lines(found.upload.id, by.now)
    if lines is None:
        raise Refused(_EXPIRED, "ledger.expired")
    accounts = await asyncio.to_thread(accounts_in, wanted, lines)
    if accounts.faults:
        raise UnusableLedger(accounts)
    if not accounts.accounts:
        raise InvalidInput("No line has a customer. Choose other columns.", member="columns")
    total = sum(each.owed.balance for each in accounts.accounts if each.currency == wanted.currency)
    counted = msgspec.structs.replace(wanted, lines=accounts.lines, total=total)
    merge = merge_of(accounts.accounts, counted, settles=body.absent == "settled", replaces_newer=body.replaces_newer)
    return Change(Ledger(counted, merge=merge), said=said_of(accounts))


def said_of(accounts: Accounts) -> str:
    """Return what a person should know of a ledger that was taken."""
    customers, lines = len(accounts.accounts), accounts.lines
    said = f"Taken: {customers:,} customer{'s' * (customers != 1)} on {lines:,} line{'s' * (lines != 1)}."
    if accounts.left_out:
        said += f" Left out as titles or totals: {_lines(accounts.left_out)}."
    if accounts.unequal:
        said += f" The ages do not add up to the balance in {_lines(accounts.unequal)}; the balance counts."
    return said


def _lines(numbers: Sequence[int]) -> str:
    named = ", ".join(map(str, numbers[:_MAX_NAMED]))
    return f"line{'s' if len(numbers) > 1 else ''} {named}{' and further ones' if len(numbers) > _MAX_NAMED else ''}"


read_ledger = showing(
    LEDGER,
    "ledger show",
    id="read_ledger",
    no_tool="Its columns and first lines are for who says what they contain.",
    access=OWNERS,
    title="One ledger",
    text="Show an uploaded ledger: its columns, the first lines until it is taken, and what came of it.",
)


@reading(
    "ledger list",
    on=PORTFOLIO,
    api="ledgers",
    access=OWNERS,
    title="Ledgers of a portfolio",
    rows="ledgers",
    columns=("id", "state", "file_name", "uploaded_by", "uploaded_at", "as_of", "lines", "total"),
)
async def list_ledgers(by: Acting, found: Portfolio, _query: None) -> LedgerPage:
    """List the newest ledgers that were uploaded to a portfolio."""
    return LedgerPage(tuple(map(state_of, await by.means.store.ledger_uploads(found.id, SHOWN_LEDGERS))))


MAX_WAITING: Final = 20
"""The most uploads of one portfolio whose columns are to be chosen: their lines are stored for a day."""

_A_FILE: Final = "It takes a file."
_WAITING = because(
    RESOURCE_CHANGED,
    f"{MAX_WAITING} ledgers of this portfolio wait for their columns to be chosen. Take one of them, or upload this one "
    "when they are a day old and no longer kept.",
)


class LedgerFile(NamedTuple):
    """A file for a portfolio."""

    portfolio: str
    name: str
    content: bytes


@operation(
    "ledger upload",
    on=LEDGER,
    access=OWNERS,
    title="Upload a ledger",
    makes=True,
    event="ledger_uploaded",
    here_only=_A_FILE,
    by_hand=True,
    by_hand_at="POST portfolios/{portfolio}/ledgers",
)
async def upload_ledger(by: Acting, _owner: None, body: LedgerFile) -> Change[Ledger]:
    """Upload a ledger to a portfolio. Its columns are recognised; nothing is taken yet."""
    if await by.means.store.count_waiting_ledgers(body.portfolio, by.now) >= MAX_WAITING:
        raise Refused(_WAITING, "ledger.waiting")
    before = await by.means.store.ledger_uploads(body.portfolio, SHOWN_LEDGERS)
    return Change(await asyncio.to_thread(begun, body.portfolio, body.content, body.name, by.operator, by.now, before))


async def upload_to(by: Acting, file: LedgerFile) -> Outcome:
    """Upload a ledger to a portfolio that the caller may use. Raises Refused with 404, and UnusableContent."""
    await found(PORTFOLIO, by, file.portfolio)
    return await perform(upload_ledger, by, "", file)
