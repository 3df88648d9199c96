"""A store that answers at no certain time."""

import asyncio
import inspect
from collections import Counter
from collections.abc import Callable
from typing import Any

from credence.store.contract import Store


class Suspending:
    """A store that suspends each call before and after its work, as often as `pauses` says."""

    def __init__(self, store: Store, pauses: Callable[[], int]) -> None:
        self._store = store
        self._pauses = pauses
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*arguments: Any, **named: Any) -> Any:
            self.calls[name] += 1
            await self.pause()
            answer = await found(*arguments, **named)
            await self.pause()
            return answer

        return call

    async def pause(self) -> None:
        """Let everything else run so often."""
        for _ in range(self._pauses()):
            await asyncio.sleep(0)
