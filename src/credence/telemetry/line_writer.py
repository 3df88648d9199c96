"""Hands lines to whoever writes them, from a thread of its own, so that a slow disk or reader never stalls the service.

Lines keep their order. A bounded number waits; what comes beyond it, or cannot be written, is counted, and the next
line that can be written tells how many are missing: nothing is lost in silence (threats F2, A11).
"""

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

MOST_WAITING = 20_000
"""Lines that may wait: some seconds of refusals at full speed, some megabytes."""

MOST_AT_ONCE = 500
"""Lines handed over together."""

_STOP = object()


class LineWriter:
    """One queue and its thread, which starts with the first line.

    `write` puts lines where they belong or raises OSError, having put none; `told` is the line that says how many are
    missing; `changed` hears why writing fails when it begins to fail, and None when it works again.
    """

    def __init__(
        self,
        write: Callable[[Sequence[bytes]], None],
        told: Callable[[int], bytes],
        changed: Callable[[str | None], None] = lambda _fault: None,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self.fault: str | None = None
        self._write = write
        self._told = told
        self._changed = changed
        self._most_waiting = most_waiting
        self._queue: SimpleQueue[object] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._dropped = 0  # changed by those who put
        self._failed = 0  # changed by the thread alone, as is the next
        self._missing_told = 0

    @property
    def lost(self) -> int:
        """Lines lost so far."""
        return self._dropped + self._failed

    def put(self, line: bytes) -> None:
        """Take one line, with its line end. Never waits and never fails."""
        if self._queue.qsize() >= self._most_waiting:
            with self._lock:
                self._dropped += 1
            return
        self._queue.put(line)
        if self._thread is None:
            self._start()

    def flush(self, timeout: float) -> bool:
        """Wait until all that was put has been written or counted as lost; False when `timeout` seconds were too few."""
        if self._thread is None:
            return True
        reached = threading.Event()
        self._queue.put(reached)
        return reached.wait(timeout)

    def close(self, timeout: float) -> None:
        """Write what waits and end the thread, within `timeout` seconds."""
        if self._thread is not None and self._thread.is_alive():
            self._queue.put(_STOP)
            self._thread.join(timeout)
        self._thread = None

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                # A daemon: a reader that never reads must not keep the process from ending.
                self._thread = threading.Thread(target=self._run, name="line-writer", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        going = True
        while going:
            lines, signals = self._take()
            self._hand_over(lines)
            for signal in signals:
                if isinstance(signal, threading.Event):
                    signal.set()
            going = _STOP not in signals

    def _take(self) -> tuple[list[bytes], list[object]]:
        """Return the next lines, and who waits behind them."""
        lines: list[bytes] = []
        item = self._queue.get()
        while True:
            if not isinstance(item, bytes):
                return lines, [item]
            lines.append(item)
            if len(lines) == MOST_AT_ONCE:
                return lines, []
            try:
                item = self._queue.get_nowait()
            except Empty:
                return lines, []

    def _hand_over(self, lines: list[bytes]) -> None:
        missing = self.lost - self._missing_told
        if not lines and not missing:
            return
        try:
            self._write([self._told(missing), *lines] if missing else lines)
        except OSError as error:
            self._failed += len(lines)
            self._set_fault(error.strerror or type(error).__name__)
            return
        self._missing_told += missing
        self._set_fault(None)

    def _set_fault(self, fault: str | None) -> None:
        if fault != self.fault:
            self.fault = fault
            self._changed(fault)
