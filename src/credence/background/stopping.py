"""Acts on a stop signal while requests still run.

The server notifies the application only when the requests that it accepted have ended. A request that waits for events would
hold that up, so it is ended by the signal itself.
"""

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def call_at_stop(call: Callable[[], None]) -> Callable[[], None]:
    """Call a function in the running loop when a stop signal arrives, before what handled the signal until now.

    Returns what ends this. Must be called in the main thread, as `signal.signal` says.
    """
    loop = asyncio.get_running_loop()
    before = {each: signal.getsignal(each) for each in STOP_SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for each in STOP_SIGNALS:
        if callable(before[each]):  # otherwise a stop would end nothing but requests that wait
            signal.signal(each, handle)
            signal.siginterrupt(each, False)

    def end() -> None:
        for each in STOP_SIGNALS:
            if signal.getsignal(each) is handle:
                signal.signal(each, before[each])
                signal.siginterrupt(each, False)

    return end
