"""The upload of a ledger to a portfolio. Route, command and form are written by hand, because they take a file."""

import asyncio
from typing import Final, NamedTuple

from credence.monitoring.ledger.uploads import Ledger, begun
from credence.operations.acting import OWNERS, Acting
from credence.operations.ledgers import LEDGER, SHOWN_LEDGERS
from credence.operations.operation import Change, operation
from credence.operations.perform import Outcome, found, perform
from credence.operations.portfolios import PORTFOLIO
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED

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
    "ledger upload", on=LEDGER, access=OWNERS, title="Upload", makes=True, event="ledger_uploaded", here_only=_A_FILE
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
