"""Slices of rotations of one store, and what they took: rate, times of groups, processor time, octets written."""

import array
import asyncio
import random
import statistics
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.rotations.families import KID, NOW, Families
from credence.background.sweeping import Sweeper
from credence.store.contract import Store
from credence.store.records import AccessTokenParameters

GROUP = 40
"""Rotations at once. The next group begins when the last of one has been committed."""

_TICKS = 100
"""Parts of a second in which the system counts processor time (`getconf CLK_TCK`)."""


@dataclass(slots=True)
class Slices:
    """What the slices of one store took; each list has a figure for each slice."""

    rates: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    """Seconds of processor time for each rotation."""
    written: list[float] = field(default_factory=list)
    """Octets written to the disk for each rotation."""
    groups: list[list[float]] = field(default_factory=list)
    """Seconds of each group."""
    deleted: list[float] = field(default_factory=list)
    """Expired families deleted in a second."""

    def quantile(self, share: float) -> float:
        """Return the time of a group below which this share of all groups of all slices was, in seconds."""
        groups = sorted(time for each in self.groups for time in each)
        return groups[min(len(groups) - 1, int(len(groups) * share))]

    def each(self) -> list["Slices"]:
        """Return the groups of each slice by themselves."""
        return [Slices(groups=[groups]) for groups in self.groups]

    @property
    def rate(self) -> float:
        """The median rate."""
        return statistics.median(self.rates)


class Rotated:
    """A filled store whose live families are rotated at random."""

    def __init__(
        self,
        store: Store,
        families: Families,
        processes: Callable[[], Iterable[int]],
        oldest: Callable[[], bytes],
        settle: Callable[[], None] = lambda: None,
    ) -> None:
        """Take a store with these families.

        `processes` returns the ids of the processes whose work counts, `oldest` the first id of a family of the store;
        `settle` lets the store finish what it has begun.
        """
        self.families = families
        self.settle = settle
        self.alone, self.sweeping = Slices(), Slices()
        self._store = store
        self._processes = processes
        self._oldest = oldest
        self._generations = array.array("L", bytes(8 * families.live))
        self._chance = random.Random(families.live)  # noqa: S311 - choices of a measurement

    async def rotate(self, seconds: float, into: Slices) -> None:
        """Rotate for this long."""
        before, began = self._used(), time.monotonic()
        groups = []
        while (at := time.monotonic()) - began < seconds:
            await asyncio.gather(*map(self._rotate, self._chance.sample(range(self.families.live), GROUP)))
            groups.append(time.monotonic() - at)
        passed, after, count = time.monotonic() - began, self._used(), GROUP * len(groups)
        into.groups.append(groups)
        into.rates.append(count / passed)
        for place, figures in enumerate((into.processor, into.written)):
            used = sum(after[process][place] - before.get(process, (0.0, 0.0))[place] for process in after)
            figures.append(used / count)

    async def rotate_during_sweep(self, seconds: float, now: int) -> None:
        """Rotate for this long while a node deletes the families that expired before `now`, in milliseconds."""
        first = self.families.number_of(self._oldest())
        sweep = asyncio.create_task(Sweeper(self._store).sweep(now))
        await self.rotate(seconds, self.sweeping)
        sweep.cancel()
        await asyncio.wait([sweep])
        if not sweep.cancelled():
            sweep.result()  # raises what it raised
        self.sweeping.deleted.append((self.families.number_of(self._oldest()) - first) / seconds)

    def recall(self, file: Path) -> None:
        """Read how often each family has been rotated, as an earlier measurement has kept it."""
        self._generations = array.array("L", file.read_bytes())

    def keep(self, file: Path) -> None:
        """Write how often each family has been rotated."""
        file.write_bytes(self._generations.tobytes())

    async def close(self) -> None:
        """Close the store."""
        await self._store.close()

    async def _rotate(self, place: int) -> None:
        generation = self._generations[place]
        parameters = AccessTokenParameters(NOW + generation, 3_600, KID)
        rotated = await self._store.rotate(self.families.id(self.families.expired + place), generation, parameters)
        if rotated is None:
            raise RuntimeError("a rotation was refused")
        self._generations[place] = rotated.generation

    def _used(self) -> dict[int, tuple[float, float]]:
        """Return seconds of processor time and octets written of each process since it began."""
        used = {}
        for process in self._processes():
            with suppress(FileNotFoundError):  # it has ended
                fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                lines = dict(line.split(": ") for line in Path(f"/proc/{process}/io").read_text().splitlines())
                used[process] = (int(fields[11]) + int(fields[12])) / _TICKS, float(lines["write_bytes"])
        return used
