"""The audit trail: one line for each revocation and each action of the operator, and for refusals (threats A11, F2, I12).

A line contains only what the service itself knows: times, identifiers that it issued, names of existing applications and
accounts, addresses, reason codes. No field contains a secret or text that a caller chose, except the correlation id (at
most 128 letters, digits and `._:-`) and, in the line of an operator's act, what the operator chose.
`docs/adr/audit.md` explains what happens when the trail cannot be written.
"""

import datetime as dt
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache

import msgspec

from credence.clock import Milliseconds
from credence.telemetry.audit_copies import AuditCopies
from credence.telemetry.audit_files import AuditFiles
from credence.telemetry.line_writer import LineWriter
from credence.telemetry.log import error, event
from credence.telemetry.refusal_queue import RefusalQueue

_CLOSE_SECONDS = 5.0


class AuditTrail:
    """Accepts lines without waiting for the disk: operations in one trail, refusals in another."""

    def __init__(
        self,
        deeds: AuditFiles,
        refusals: AuditFiles,
        environment: str,
        copies: AuditCopies | None = None,
        shared: RefusalQueue | None = None,
    ) -> None:
        """`copies` are filled by the files and closed here. `shared` gets the refusals for the nodes of a shared store."""
        self.shared = shared
        self.copies = copies or AuditCopies(())
        self._environment = environment
        self._last: Milliseconds = 0
        self._deed_files = deeds
        self._deeds = LineWriter(deeds.append, self._lost, _log_state)
        self._refusals = LineWriter(refusals.append, self._lost, _log_state)
        self._folding = Folding(self._record_folded)

    def record(self, name: str, now: Milliseconds, **fields: str | int | None) -> None:
        """Add a line about an operation. Fields with the value None are omitted."""
        self._last = now
        self._deeds.put(line(name, now, self._environment, **fields))

    def record_first(self, name: str, now: Milliseconds, **fields: object) -> None:
        """Write a line about an operation to the disk before it is carried out; after an OSError it must not be carried out.

        Waits for the disk: call it in a thread.
        """
        self._deed_files.append([line(name, now, self._environment, **fields)], durable=True)

    def refused(self, now: Milliseconds, **fields: str | int | None) -> None:
        """Add a refusal. Fields with the value None are omitted."""
        self._last = now
        written = line("refused", now, self._environment, **fields)
        self._refusals.put(written)
        if self.shared is not None:
            self.shared.put(str(fields["request_id"]), written)

    def has_own_line(self, network: str, now: Milliseconds) -> bool:
        """Return whether the refusal of an unauthenticated caller gets its own line; otherwise it is only counted."""
        return self._folding.is_first(network, now)

    def tick(self, now: Milliseconds) -> None:
        """Write the counts of the last second. Call it once per second."""
        self._folding.flush(now)

    @property
    def lost(self) -> int:
        """The number of lines that could not be written since the start."""
        return self._deeds.lost + self._refusals.lost

    @property
    def fault(self) -> str | None:
        """Why lines are being lost; None if none are."""
        return self._deeds.fault or self._refusals.fault

    def flush(self) -> None:
        """Wait until all recorded lines have been written or counted as lost."""
        for lines in (self._deeds, self._refusals):
            lines.flush(_CLOSE_SECONDS)

    def close(self) -> None:
        """Write the remaining lines and stop the threads."""
        self._folding.flush()
        for lines in (self._deeds, self._refusals):
            lines.close(_CLOSE_SECONDS)
        self.copies.close(_CLOSE_SECONDS)

    def _record_folded(self, first: Milliseconds, network: str, count: int) -> None:
        self._refusals.put(line("refused_more", first, self._environment, address=network, refusals=count))

    def _lost(self, count: int) -> bytes:
        return line("log_lines_lost", self._last, self._environment, lines=count)


def line(name: str, now: Milliseconds, environment: str, **fields: object) -> bytes:
    """Return one line of the trail, with its line feed. The fields have values of JSON; those of None are left out."""
    moment = f"{_second(now // 1000)}.{now % 1000:03}Z"
    if None in fields.values():
        fields = {field: value for field, value in fields.items() if value is not None}
    return _encode({"time": moment, "event": name, **fields, "environment": environment}) + b"\n"


@lru_cache(maxsize=4)
def _second(since_epoch: int) -> str:
    """Return a second in the form of RFC 3339 without the zone; cached, because many lines have the same second."""
    return dt.datetime.fromtimestamp(since_epoch, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _encode(fields: Mapping[str, object]) -> bytes:
    """Return the fields as JSON in ASCII: without line separators and terminal sequences."""
    with suppress(UnicodeEncodeError):  # a lone surrogate, from an argument of a command
        encoded = msgspec.json.encode(fields)
        if encoded.isascii():
            return encoded
    return json.dumps(fields, separators=(",", ":")).encode()


def _log_state(fault: str | None) -> None:
    if fault is None:
        event("audit_trail_resumed")
    else:
        error("audit_trail_unavailable", fault=fault)


Write = Callable[[Milliseconds, str, int], None]
"""Writes the number of refusals of a network that were not written, given a time within their second."""


class Folding:
    """Collapses the refusals of one network within a second into a first line and a count. Call `flush` once a second."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._folded: dict[str, tuple[Milliseconds, int]] = {}
        """Network -> the time of its first refusal, and the number of further ones within that second."""

    def is_first(self, network: str, now: Milliseconds) -> bool:
        """Return whether this refusal gets its own line; otherwise it is counted."""
        first, count = self._folded.get(network, (None, 0))
        if first is not None and now // 1000 == first // 1000:
            self._folded[network] = (first, count + 1)
            return False
        if first is not None and count:
            self._write(first, network, count)
        self._folded[network] = (now, 0)
        return True

    def flush(self, now: Milliseconds | None = None) -> None:
        """Write the counts of all seconds before the present one, or of all when `now` is None."""
        ended = {
            network: each for network, each in self._folded.items() if now is None or each[0] // 1000 != now // 1000
        }
        for network, (first, count) in ended.items():
            del self._folded[network]
            if count:
                self._write(first, network, count)
