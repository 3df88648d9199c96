"""The state of listed companies: name, status, band, score and limit, as the last comparison recorded them."""

from asyncio import sleep
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from credence.monitoring import observing
from credence.policy.batch import ScoreRow
from credence.policy.companies import Entry
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.web.screens.blocks import Block, Note
from credence.web.screens.screen import Visit
from credence.web.workbench.reader import store_of

MAX_SCORED = 100
"""The most companies whose score is computed for a page, if no scoring run has scored them."""

PAUSE_SECONDS = 1.0
"""The pause between two attempts to compute missing scores."""

_PIECE = 1_000

_decode_row = msgspec.json.Decoder(ScoreRow).decode


class Observed(NamedTuple):
    """The known state of a company; None and empty texts mean unknown."""

    name: str = ""
    status: str = ""
    band: str = ""
    score: int | None = None
    limit: int | None = None


_UNKNOWN = Observed()


class Known(NamedTuple):
    """The known states of listed companies by number, and how many scores are missing because none computed them."""

    of: dict[str, Observed]
    not_computed: int = 0
    busy: bool = False
    """Whether these are missing because as many batches run as may; otherwise they are more than `MAX_SCORED`."""

    @property
    def notes(self) -> list[Block]:
        """A paragraph about the missing scores, if there are any: an empty cell would say that a company has none."""
        if not self.not_computed:
            return []
        number = (
            f"{self.not_computed:,} {'company has' if self.not_computed == 1 else 'companies have'} no score here yet"
        )
        if self.busy:
            return [Note(f"{number}: the service computes others first. {_AGAIN}", "warn")]
        return [Note(f"{number}: a page computes {MAX_SCORED} at most. The CSV of the list has all scores.", "warn")]


_AGAIN = "Load this page again in a few seconds, or download the CSV of the list, which waits for the scores."


async def load_observed(visit: Visit, numbers: Sequence[str], attempts: int = 0) -> Known:
    """Return what the last comparison recorded, and compute missing scores if at most `MAX_SCORED` are missing.

    While as many batches run as may, these scores are unknown. With `attempts` it is tried that often, once a second, and
    Refused (spike arrest) is raised in the end.
    """
    found: dict[str, Observed] = {}
    for start in range(0, len(numbers), _PIECE):
        states = await store_of(visit).states(numbers[start : start + _PIECE])
        found |= {number: _of(observing.decode(state)) for number, state in states.items()}
    unscored = [each for each in numbers if each not in found or found[each].score is None]
    computed = False
    if len(unscored) <= MAX_SCORED:
        for left in reversed(range(max(attempts, 1))):
            try:
                await _score(visit, unscored, found)
                computed = True
                break
            except Refused as refused:
                if refused.refusal is not SPIKE_ARREST or (attempts and not left):
                    raise
            if left:
                await sleep(PAUSE_SECONDS)
    known = {number: found.get(number, _UNKNOWN) for number in numbers}
    return Known(known) if computed else Known(known, len(unscored), len(unscored) <= MAX_SCORED)


async def _score(visit: Visit, numbers: Sequence[str], found: dict[str, Observed]) -> None:
    """Add the scores of these companies to `found`, computed like the API's batches, and missing names."""
    if not numbers:
        return
    service = visit.service
    entries = [Entry(number) for number in numbers]
    async for piece in service.batches.stream(entries, None, "ndjson", visit.request.now):
        for line in piece.splitlines():
            row = _decode_row(line)
            number = numbers[row.Place - 1]
            known = found.get(number, Observed())
            company = None if known.name else service.reports.company(number)
            name = company.register.value.name if company and company.register else known.name
            found[number] = Observed(name, known.status, row.Band or "", row.Score, row.SuggestedLimit)


def _of(state: observing.Observation) -> Observed:
    return Observed(
        state.get("name", ""), state.get("status", ""), state.get("band", ""), state.get("score"), state.get("limit")
    )
