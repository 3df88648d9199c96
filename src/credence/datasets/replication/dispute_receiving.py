"""Records disputes that arrive through the API, with or without a shared store."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from pathlib import Path

from credence.companies.facts.dispute import Dispute
from credence.datasets import disputes
from credence.datasets.replication.changing import changed

ReceiveDispute = Callable[[str, str, str, str, dt.date], Dispute]
"""Takes number, field, claim, application and day; called in a thread, because it writes files and may block."""


def dispute_receiver(folder: Path, store: str) -> ReceiveDispute:
    """Return the function that records a received dispute; `store` is the address of a shared store, or empty.

    It raises what `disputes.receive` raises, and StoreUnavailable if other nodes change the disputes first every time.
    """
    return partial(_receive, folder, store)


def _receive(folder: Path, store: str, number: str, field: str, claim: str, by: str, today: dt.date) -> Dispute:
    return changed(folder, store, disputes.DISPUTES, partial(disputes.receive, folder, number, field, claim, by, today))
