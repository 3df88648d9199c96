"""Lets all requests that wait together share one check: it holds until the event loop has run what waits at that moment.

This is as strict as a check for each request, because the loop runs callbacks in the order in which they were queued. `hold`
queues one that ends the validity. All that runs before it was queued earlier, so its request had arrived before the check; a
request that arrives after the check runs after it, and checks again.

A request that goes on after a change of its own sees it too, if the change was visible to checks before the loop queued the
rest of that request. This is so for files that a thread or another process writes, not for a value that the request sets.

Why: a check by a system call takes two microseconds, and it hands the interpreter to any thread that waits for it.
"""

import asyncio


class LoopPass:
    """Whether a check that was made in the running event loop still holds. Without a running loop none does."""

    __slots__ = ("_loop",)

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def holds(self) -> bool:
        """Return whether the check was made since the loop began with what waits now."""
        loop = self._loop
        if loop is None:
            return False
        try:
            return loop is asyncio.get_running_loop()
        except RuntimeError:  # a thread without a loop
            return False

    def hold(self) -> None:
        """Record that the check was made now. Outside an event loop nothing is recorded."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._loop = loop
        loop.call_soon(self.end)

    def end(self) -> None:
        """Require a new check."""
        self._loop = None
