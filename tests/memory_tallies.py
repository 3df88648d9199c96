"""The part of the memory store that is about wrong passwords."""

from collections.abc import Sequence

from typing_extensions import override

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.store.contract import Store
from credence.store.tallies import Tally, TallyIncrement, plausible_until


class MemoryTallies(Store):
    """Keeps the promises of the contract about tallies."""

    _tallies: dict[bytes, Tally]

    @override
    async def tallies(self, keys: Sequence[bytes]) -> list[Tally]:
        return [self._tallies.get(key, Tally()) for key in keys]

    @override
    async def count_failure(self, increments: Sequence[TallyIncrement], at: Milliseconds) -> None:
        for increment in increments:
            kept = self._tallies.get(increment.key, Tally())
            drains_at = min(max(kept.drains_at, at) + increment.step, at + increment.max_ahead)
            self._tallies[increment.key] = Tally(drains_at, kept.trusted_until)

    @override
    async def count_within(self, increment: TallyIncrement, at: Milliseconds) -> bool:
        kept = self._tallies.get(increment.key, Tally())
        drains_at = max(kept.drains_at, at) + increment.step
        is_plausible = kept.drains_at <= plausible_until(increment.max_ahead, at)
        if is_plausible and drains_at > at + increment.max_ahead:
            return False
        self._tallies[increment.key] = Tally(min(drains_at, at + increment.max_ahead), kept.trusted_until)
        return True

    @override
    async def count_success(self, key: bytes, trusted_until: Milliseconds) -> None:
        kept = self._tallies.get(key, Tally())
        is_plausible = kept.trusted_until <= trusted_until + NODE_TOLERANCE_MS
        self._tallies[key] = Tally(0, max(kept.trusted_until, trusted_until) if is_plausible else trusted_until)

    @override
    async def clear_failures(self, prefix: bytes) -> None:
        for key, kept in self._tallies.items():
            if key.startswith(prefix):
                self._tallies[key] = Tally(0, kept.trusted_until)
