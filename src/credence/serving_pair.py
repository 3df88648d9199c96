"""Replaces the TLS certificate of a running server: when its files change, and on SIGHUP.

A new pair of certificate and key is checked first; an unusable one is ignored. Workers are replaced in sequence, each after
its successor has started, so that connections in progress end by themselves.
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
"""The interval of checks of the files.

A change is used after two equal checks, because two files are not replaced at one moment.
"""


class ServingPair:
    """The pair of certificate and key that new workers get, in memory."""

    def __init__(self, files: tuple[Path, Path], clock: Clock) -> None:
        """Read the pair from the files; raises UnusablePair if it cannot be used."""
        self.files = files
        self._clock = clock
        self._stamp = self.stamp()
        self.pair = self._checked()
        self._kept = self._keep()
        self._retired: tuple[int, ...] = ()

    @property
    def paths(self) -> tuple[Path, Path]:
        """The paths from which a worker reads certificate and key."""
        certificate, key = self._kept
        return tls.path_of(certificate), tls.path_of(key)

    @property
    def not_after(self) -> Milliseconds:
        """The expiry of the certificate."""
        return self.pair.not_after

    def stamp(self) -> tuple[object, ...]:
        """Return a value that changes when one of the files is replaced or written."""
        return tls.stamp(*self.files)

    def is_taken(self, stamp: tuple[object, ...]) -> bool:
        """Return whether files with this stamp were already read, and used or refused."""
        return stamp == self._stamp

    def take_new(self) -> bool:
        """Use the pair that is in the files now; return False, and log the reason, if the old one is kept."""
        self._stamp = self.stamp()
        try:
            pair = self._checked()
        except UnusablePair as fault:
            error("certificate_refused", fault=str(fault), kept_expires=_day(self.pair.not_after))
            return False
        if pair != self.pair:
            for descriptor in self._retired:
                os.close(descriptor)
            self._retired, self.pair = self._kept, pair  # a worker may be starting with the old one
            self._kept = self._keep()
            event("certificate_taken", expires=_day(pair.not_after))
        return True

    def _checked(self) -> Pair:
        pair = tls.read_pair(*self.files)
        tls.require_current(pair, self.files[0], self._clock())
        return pair

    def _keep(self) -> tuple[int, int]:
        return tls.keep(self.pair.certificate), tls.keep(self.pair.key)


class Renewal:
    """A thread of the process that starts the workers. It calls `reload` to replace them."""

    def __init__(self, pair: ServingPair | None, reload: Callable[[], None]) -> None:
        self.pair = pair
        self._reload = reload
        self._asked: SimpleQueue[None] = SimpleQueue()

    def start(self) -> None:
        """Start the thread. It ends with the process."""
        threading.Thread(target=self._run, name="certificate-renewal", daemon=True).start()

    def ask(self, *_signal: object) -> None:
        """Request the replacement of the workers, with the pair in the files if it is usable. Safe in a signal handler."""
        self._asked.put(None)

    def _run(self) -> None:
        last: tuple[object, ...] = ()
        while True:
            asked = self._was_asked()
            if self.pair is None:
                if asked:
                    self._reload()
                continue
            stamp = self.pair.stamp()
            settled = stamp == last and not self.pair.is_taken(stamp)
            last = stamp
            if (asked or settled) and self.pair.take_new():
                self._reload()

    def _was_asked(self) -> bool:
        try:
            self._asked.get(timeout=LOOK_SECONDS)
        except Empty:
            return False
        return True


def _day(at: Milliseconds) -> str:
    return date_of(at).isoformat()
