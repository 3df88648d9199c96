"""The audit trail: one line for each refusal, each revocation and each act of the operator (D7, threats A11, F2, I12).

A line holds what the service itself knows: times, identifiers it gave, names of applications and accounts that exist,
addresses, reason codes. There is no field for a secret, and none for text that a caller chose; the one exception is the
correlation id, which is 128 letters, digits and `._:-` at most. `docs/adr/audit.md` says what happens when the
trail cannot be written.
"""

import datetime as dt
import json

from credence.clock import Milliseconds
from credence.telemetry.audit_files import AuditFiles
from credence.telemetry.line_writer import LineWriter
from credence.telemetry.log import event

_SOON = 5.0
"""Seconds that closing may take."""

_encode = json.JSONEncoder(separators=(",", ":")).encode  # ASCII alone: no line separator, no terminal sequence


class AuditTrail:
    """Takes lines without waiting for the disk."""

    def __init__(self, files: AuditFiles, environment: str) -> None:
        self._environment = environment
        self._last: Milliseconds = 0
        self._lines = LineWriter(files.append, self._lost, _say)

    def record(self, what: str, now: Milliseconds, **fields: str | int | None) -> None:
        """Record that `what` happened; a field that is None is left out."""
        self._last = now
        self._lines.put(line(what, now, self._environment, **fields))

    @property
    def lost(self) -> int:
        """Lines that could not be written since the start."""
        return self._lines.lost

    @property
    def fault(self) -> str | None:
        """Why lines are being lost, None when they are not."""
        return self._lines.fault

    def flush(self) -> None:
        """Wait until all that was recorded has been written, or could not be. What was lost is told as soon as possible."""
        self._lines.flush(_SOON)

    def close(self) -> None:
        """Write what waits and end."""
        self._lines.close(_SOON)

    def _lost(self, count: int) -> bytes:
        return line("log_lines_lost", self._last, self._environment, lines=count)


def line(what: str, now: Milliseconds, environment: str, **fields: str | int | None) -> bytes:
    """Return one line of the trail, with its end."""
    moment = dt.datetime.fromtimestamp(now / 1000, dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    said = {name: value for name, value in fields.items() if value is not None}
    return f"{_encode({'time': moment, 'event': what, **said, 'environment': environment})}\n".encode()


def _say(fault: str | None) -> None:
    if fault is None:
        event("audit_trail_resumed")
    else:
        event("audit_trail_unavailable", fault=fault)
