"""Writes lines from a thread, so that a slow disk or reader never delays the service.

Lines keep their order, in a queue of bounded length. Lines beyond that number, and lines that cannot be written, are
counted; the next line that can be written reports how many are missing (threats F2, A11).

`QueueHandler` and `QueueListener` are not used: they block or drop silently on a full queue, write one record at a time,
and have no flush. With the count of lost lines, batches and flush added, they would save nothing.
"""

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

MAX_WAITING = 20_000
"""The length of the queue: some seconds of refusals at full load, some megabytes."""

BATCH_LINES = 500
"""Lines in one write."""

GATHER_SECONDS = 0.005
"""How long the first line of a batch waits for others.

A thread that woke up for each line took 115 µs of processor time per line and delayed the next request; with the lines of 5
ms together it takes 2 to 5 µs each.
"""

_STOP = object()


class LineWriter:
    """A queue and its thread, which starts with the first line.

    `write` writes all given lines, or raises OSError and writes none. `missing_line` returns the line that reports a
    number of lost lines. `changed` is called with the reason when writing starts to fail, and with None when it works
    again.
    """

    def __init__(
        self,
        write: Callable[[Sequence[bytes]], None],
        missing_line: Callable[[int], bytes],
        changed: Callable[[str | None], None] = lambda _fault: None,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        self.fault: str | None = None
        self._write = write
        self._missing_line = missing_line
        self._changed = changed
        self._max_waiting = max_waiting
        self._queue: SimpleQueue[object] = SimpleQueue()
        self._hurry = threading.Event()  # set while a caller waits for the lines
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._dropped = 0  # changed by `put`, under the lock
        self._failed = 0  # changed only by the thread, like the next one
        self._missing_reported = 0

    @property
    def lost(self) -> int:
        """The number of lines lost so far."""
        return self._dropped + self._failed

    def put(self, line: bytes) -> None:
        """Queue one line, with its line feed. Never waits and never fails."""
        if self._queue.qsize() >= self._max_waiting:
            with self._lock:
                self._dropped += 1
            return
        self._queue.put(line)
        if self._thread is None:
            self._start()

    def flush(self, timeout: float) -> bool:
        """Wait until all queued lines have been written or counted as lost; return False after `timeout` seconds."""
        if self._thread is None:
            return True
        reached = threading.Event()
        self._queue.put(reached)
        self._hurry.set()
        return reached.wait(timeout)

    def close(self, timeout: float) -> None:
        """Write the queued lines and stop the thread, within `timeout` seconds."""
        if self._thread is not None and self._thread.is_alive():
            self._queue.put(_STOP)
            self._hurry.set()
            self._thread.join(timeout)
        self._thread = None

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                # A daemon: a blocked reader of standard error must not prevent the process from exiting.
                self._thread = threading.Thread(target=self._run, name="line-writer", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        going = True
        while going:
            lines, signals = self._take()
            self._write_batch(lines)
            for signal in signals:
                if isinstance(signal, threading.Event):
                    signal.set()
            going = _STOP not in signals

    def _take(self) -> tuple[list[bytes], list[object]]:
        """Return the next lines and the signals that follow them."""
        lines: list[bytes] = []
        item = self._queue.get()
        self._hurry.wait(GATHER_SECONDS)
        self._hurry.clear()
        while True:
            if not isinstance(item, bytes):
                return lines, [item]
            lines.append(item)
            if len(lines) == BATCH_LINES:
                return lines, []
            try:
                item = self._queue.get_nowait()
            except Empty:
                return lines, []

    def _write_batch(self, lines: list[bytes]) -> None:
        missing = self.lost - self._missing_reported
        if not lines and not missing:
            return
        try:
            self._write([self._missing_line(missing), *lines] if missing else lines)
        except OSError as error:
            self._failed += len(lines)
            self._set_fault(error.strerror or type(error).__name__)
            return
        self._missing_reported += missing
        self._set_fault(None)

    def _set_fault(self, fault: str | None) -> None:
        if fault != self.fault:
            self.fault = fault
            self._changed(fault)
