"""How long does it take to turn one filed document into facts, on one core (credit §3.5)?

All documents of the sample of filed accounts, or of those that come with the tests where that folder is not there. They
are unpacked before the clock runs.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.measurement import Figure, Measurement, Target
from bench.rounds import Plan
from credence.datasets.sources.accounts.contexts import UnreadableDocument
from credence.datasets.sources.accounts.filing import read_filing
from credence.datasets.sources.accounts.product import FiledDocument, documents
from tools.demonstration import SAMPLE

SHIPPED = Path(__file__).parents[2] / "tests" / "datasets" / "accounts" / "data"
TARGET = Target(1.4, at="most")


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the processor time of a document, the mean of all."""
    files = sorted(SAMPLE.glob("*.zip")) or sorted(SHIPPED.glob("*.zip"))
    sources = [each for each in documents(files) if isinstance(each, FiledDocument)]
    runs = tuple(Figure(_milliseconds(sources)) for _ in range(plan.rounds))
    yield Measurement("filed accounts to facts", "ms a document", runs, target=TARGET, note=f"{len(sources)} documents")


def _milliseconds(sources: Sequence[FiledDocument]) -> float:
    started = time.process_time()
    for source in sources:
        try:
            read_filing(source.data, source.id, number=source.number, day=source.day)
        except UnreadableDocument:
            continue
    return (time.process_time() - started) * 1000 / len(sources)
