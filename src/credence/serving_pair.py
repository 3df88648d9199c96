"""Takes a new certificate while the server runs: when its files change, and on SIGHUP.

A new pair is checked first, and the old one is kept when it is wrong. Workers are replaced one after the other, each by one
that has started, so that connections in progress end by themselves.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue

from credence import tls
from credence.clock import Clock, Milliseconds, date_of
from credence.telemetry.log import error, event
from credence.tls import Pair, UnusablePair

LOOK_SECONDS = 2.0
"""Between two checks of the files. A change counts once two checks agree: two files are not replaced at one moment."""


class ServingPair:
    """The pair that new workers get, in memory."""

    def __init__(self, files: tuple[Path, Path], clock: Clock) -> None:
        """Take the pair in the files; UnusablePair when it cannot be served with."""
        self._files = files
        self._clock = clock
        self._stamp = self.stamp()
        self._pair = self._checked()
        self._kept = self._keep()
        self._retired: tuple[int, ...] = ()

    @property
    def paths(self) -> tuple[Path, Path]:
        """Where a worker reads certificate and key."""
        certificate, key = self._kept
        return tls.path_of(certificate), tls.path_of(key)

    @property
    def not_after(self) -> Milliseconds:
        """When the certificate ends."""
        return self._pair.not_after

    def stamp(self) -> tuple[object, ...]:
        """Return a value that differs once one of the files has been replaced or written."""
        return tls.stamp(*self._files)

    def is_taken(self, stamp: tuple[object, ...]) -> bool:
        """Return whether the files as they are now were taken or refused."""
        return stamp == self._stamp

    def take_new(self) -> bool:
        """Take the pair that is in the files; return False, and log why, when the old one is kept."""
        self._stamp = self.stamp()
        try:
            pair = self._checked()
        except UnusablePair as fault:
            error("certificate_refused", fault=str(fault), kept_expires=_day(self._pair.not_after))
            return False
        if pair != self._pair:
            for descriptor in self._retired:
                os.close(descriptor)
            self._retired, self._pair = self._kept, pair  # a worker may be starting with the old one
            self._kept = self._keep()
            event("certificate_taken", expires=_day(pair.not_after))
        return True

    def _checked(self) -> Pair:
        pair = tls.read_pair(*self._files)
        tls.require_current(pair, self._files[0], self._clock())
        return pair

    def _keep(self) -> tuple[int, int]:
        return tls.keep(self._pair.certificate), tls.keep(self._pair.key)


class Renewal:
    """A thread of the process that starts the workers; `reload` replaces them."""

    def __init__(self, pair: ServingPair | None, reload: Callable[[], None]) -> None:
        self._pair = pair
        self._reload = reload
        self._asked: SimpleQueue[None] = SimpleQueue()

    def start(self) -> None:
        """Start the thread. It ends with the process."""
        threading.Thread(target=self._run, name="certificate-renewal", daemon=True).start()

    def ask(self, *_signal: object) -> None:
        """Have the workers replaced, with the pair in the files if that is right. Safe in a signal handler."""
        self._asked.put(None)

    def _run(self) -> None:
        last: tuple[object, ...] = ()
        while True:
            asked = self._was_asked()
            if self._pair is None:
                if asked:
                    self._reload()
                continue
            stamp = self._pair.stamp()
            settled = stamp == last and not self._pair.is_taken(stamp)
            last = stamp
            if (asked or settled) and self._pair.take_new():
                self._reload()

    def _was_asked(self) -> bool:
        try:
            self._asked.get(timeout=LOOK_SECONDS)
        except Empty:
            return False
        return True


def _day(at: Milliseconds) -> str:
    return date_of(at).isoformat()
