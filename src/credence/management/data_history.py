"""The newest loads and scoring runs of a node, from the catalogue."""

from typing import Annotated

from msgspec import Struct

from credence.datasets import catalogue
from credence.management.instants import instant
from credence.meanings import meaning
from credence.settings import Settings


class LoadState(Struct):
    """A load or scoring run; null where an earlier version has kept nothing."""

    loaded_at: Annotated[str, meaning("When it began.")]
    source: Annotated[str, meaning("The source; `scores` for a scoring run.", example="register")]
    as_of: Annotated[str | None, meaning("The date of the data.", example="2026-11-01")]
    seconds: Annotated[float | None, meaning("How long it took.", unit="seconds", example=412.3)]
    rows: Annotated[
        int | None, meaning("Rows, documents or notices in its files; companies of a run.", example=5000000)
    ]
    refused: Annotated[int | None, meaning("Rows that were rejected.", example=12)]
    companies: Annotated[int, meaning("Companies in the data set after it.", example=5000000)]
    facts: Annotated[int, meaning("Facts in the data set after it.", example=5000000)]


class Loads(Struct):
    """The newest loads, the newest first."""

    loads: Annotated[list[LoadState], meaning("The loads.")]


def loads(settings: Settings) -> Loads:
    """Return the newest loads of this node, the newest first. Raises CatalogueDamaged, OSError.

    A data set without a recorded load, from an earlier version, is listed with the data of its catalogue entry.
    """
    current = catalogue.read(settings.credit_folder)
    kept = {(each.source, each.loaded_at) for each in current.loads}
    earlier = [
        catalogue.load_of(source, entry)
        for source, entry in current.sources.items()
        if (source, entry.loaded_at) not in kept
    ]
    newest = sorted((*current.loads, *earlier), key=lambda each: each.loaded_at, reverse=True)
    return Loads([_state(each) for each in newest])


def _state(load: catalogue.Load) -> LoadState:
    is_counted = load.rows > 0 or load.load_ms is not None
    return LoadState(
        loaded_at=instant(load.loaded_at) or "",
        source=load.source,
        as_of=load.as_of.isoformat() if load.as_of else None,
        seconds=None if load.load_ms is None else load.load_ms / 1_000,
        rows=load.rows if is_counted else None,
        refused=sum(load.refused.values()) if is_counted else None,
        companies=load.companies,
        facts=load.facts,
    )
