"""Current report of listed companies now: name, status, band, score and limit, as their reports say."""

from collections.abc import Sequence
from typing import NamedTuple

from credence.blocks.values import Block, Note
from credence.report.outline import Outline
from credence.sites.kit.screen import Visit


class Outlines(NamedTuple):
    """The outlines of listed companies by number."""

    of: dict[str, Outline]
    unreadable: int = 0
    """The number of companies whose data cannot be read at the moment."""

    @property
    def notes(self) -> list[Block]:
        """A paragraph about unreadable data, if there is any: an empty cell would say that a company has no score."""
        if not self.unreadable:
            return []
        return [Note(f"The data of {self.unreadable:,} of these companies cannot be read at the moment.", "warn")]


async def load_outlines(visit: Visit, numbers: Sequence[str]) -> Outlines:
    """Return what is known of each of these companies."""
    found = await visit.service.batches.outlines(numbers, visit.request.now)
    missing = [each for each in numbers if each not in found]
    return Outlines(found | dict.fromkeys(missing, Outline()), len(missing))
