"""The companies that a person has opened last: a few for each account and application, forgotten after three months."""

from contextlib import suppress

import msgspec

from credence.blocks.values import Block, Table
from credence.clock import DAY_MS
from credence.crypto.digest import sha256
from credence.sites.kit.screen import Visit
from credence.sites.workbench.figures import band_cell, company_cell, short_held_cell, standing_cell
from credence.sites.workbench.outlines import load_outlines
from credence.sites.workbench.reader import reader_of, store_of
from credence.store.contract import StoreUnavailable

MAX_VIEWED = 8
KEPT_MS = 90 * DAY_MS

_decode = msgspec.json.Decoder(tuple[str, ...]).decode


async def note_viewed(visit: Visit, number: str) -> None:
    """Put a company first among those that the person has opened; nothing is written while it is the first already.

    A store that takes no writes does not keep the person from the report.
    """
    before = await viewed(visit)
    if before[:1] == (number,):
        return
    kept = (number, *(each for each in before if each != number))[:MAX_VIEWED]
    with suppress(StoreUnavailable):
        await store_of(visit).keep_answer(_key(visit), msgspec.json.encode(kept), visit.request.now + KEPT_MS)


async def viewed(visit: Visit) -> tuple[str, ...]:
    """Return the numbers of the companies that the person has opened last, the newest first."""
    kept = await store_of(visit).kept_answer(_key(visit), visit.request.now)
    return _decode(kept) if kept else ()


async def viewed_blocks(visit: Visit) -> list[Block]:
    """Return a table of these companies as they are now; nothing before the first."""
    numbers = await viewed(visit)
    if not numbers:
        return []
    known = await load_outlines(visit, numbers)
    rows = [
        [
            company_cell(known.of[each].name, each),
            band_cell(known.of[each].band),
            standing_cell(known.of[each]),
            short_held_cell(known.of[each]),
        ]
        for each in numbers
    ]
    return [
        *known.notes,
        Table("Recently viewed", ("Company", "Band", "State", "Reasons for caution"), rows, cards=True),
    ]


def _key(visit: Visit) -> bytes:
    parts = ("recently viewed", reader_of(visit).client_id, visit.account.username)
    return sha256(msgspec.json.encode(parts))
