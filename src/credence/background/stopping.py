"""Calls a function as soon as a stop signal arrives, while requests still run.

The server notifies the application only after the requests that it accepted have ended. A long poll for events would
delay that, so the signal itself ends it.
"""

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def call_at_stop(call: Callable[[], None]) -> Callable[[], None]:
    """Call a function in the running loop when a stop signal arrives, before the previous handler of the signal.

    Returns the function that restores the previous handlers. Must be called in the main thread, as `signal.signal`
    requires.
    """
    loop = asyncio.get_running_loop()
    before = {each: signal.getsignal(each) for each in STOP_SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for each in STOP_SIGNALS:
        if callable(before[each]):  # without the previous handler, a stop signal would end long polls only
            signal.signal(each, handle)
            signal.siginterrupt(each, False)

    def end() -> None:
        for each in STOP_SIGNALS:
            if signal.getsignal(each) is handle:
                signal.signal(each, before[each])
                signal.siginterrupt(each, False)

    return end
