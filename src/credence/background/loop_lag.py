"""How long the event loop lets those wait whose turn has come: what slow callbacks cost everybody else."""

import asyncio

EVERY = 0.5
"""Seconds between two looks."""


class LoopLag:
    """Adds up how late its own turns came."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.turns = 0

    async def measure(self) -> None:
        """Look for as long as the loop runs."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            self.seconds += max(0.0, loop.time() - due)
            self.turns += 1
