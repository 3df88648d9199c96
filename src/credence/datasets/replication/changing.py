"""Changes a small shared data set, such as the disputes, with or without a shared store.

The service imports this module with every store, so nothing of PostgreSQL is imported before there is something to publish.
"""

import datetime as dt
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

from credence.clock import sleep
from credence.companies.facts.dispute import Dispute
from credence.datasets import disputes
from credence.datasets.publish import PAUSES_SECONDS, Publish, publish_nowhere
from credence.datasets.sources.source import LoadError, LoadRunning
from credence.store.contract import Conflict, StoreUnavailable

T = TypeVar("T")


def changed(
    folder: Path,
    store: str,
    name: str,
    change: Callable[[Publish], T],
    pauses_seconds: Iterable[float] = PAUSES_SECONDS,
) -> T:
    """Return the result of `change`, applied to the newest edition of a shared data set.

    `store` is the address of a shared store, or empty. Call it in a thread: it writes files and may wait for the store, and
    for `pauses_seconds` between attempts. Raises what `change` raises, and StoreUnavailable if the data set is changed or
    fetched elsewhere at every attempt, or cannot be fetched here.
    """
    if not store:
        return change(publish_nowhere)
    # Imported late: a deployment of one node does not need PostgreSQL.
    from credence.datasets.replication.publishing import catch_up, publisher

    for pause in chain((0.0,), pauses_seconds):
        sleep(pause)
        try:
            catch_up(store, folder, [name], pauses_seconds=())
            return change(publisher(store))
        except (Conflict, LoadRunning):
            continue
        except LoadError as error:  # not a fault of the operator's or the application's request
            raise StoreUnavailable(str(error)) from error
    raise StoreUnavailable(f"the {name} are changed or fetched elsewhere at the same time")


ReceiveDispute = Callable[[str, str, str, str, dt.date], Dispute]
"""Takes number, field, claim, application and day; called in a thread, because it writes files and may block."""


def dispute_receiver(folder: Path, store: str) -> ReceiveDispute:
    """Return the function that records a received dispute; `store` is the address of a shared store, or empty.

    It raises what `disputes.receive` raises, and StoreUnavailable if other nodes change the disputes first every time.
    """
    return partial(_receive, folder, store)


def _receive(folder: Path, store: str, number: str, field: str, claim: str, by: str, today: dt.date) -> Dispute:
    return changed(folder, store, disputes.DISPUTES, partial(disputes.receive, folder, number, field, claim, by, today))
