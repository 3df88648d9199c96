"""The audit trail: one line for each refusal, each revocation and each action of the operator (D7, threats A11, F2, I12).

A line contains only what the service itself knows: times, identifiers that it issued, names of existing applications and
accounts, addresses, reason codes. No field contains a secret or text that a caller chose, except the correlation id: at
most 128 letters, digits and `._:-`. `docs/adr/audit.md` explains what happens when the trail cannot be written.
"""

import datetime as dt
import json

from credence.clock import Milliseconds
from credence.telemetry.audit_files import AuditFiles
from credence.telemetry.line_writer import LineWriter
from credence.telemetry.log import event

_CLOSE_SECONDS = 5.0

_encode = json.JSONEncoder(separators=(",", ":")).encode  # ASCII only: no line separator, no terminal sequence


class AuditTrail:
    """Accepts lines without waiting for the disk."""

    def __init__(self, files: AuditFiles, environment: str) -> None:
        self._environment = environment
        self._last: Milliseconds = 0
        self._lines = LineWriter(files.append, self._lost, _log_state)

    def record(self, name: str, now: Milliseconds, **fields: str | int | None) -> None:
        """Add an event. Fields with the value None are omitted."""
        self._last = now
        self._lines.put(line(name, now, self._environment, **fields))

    @property
    def lost(self) -> int:
        """The number of lines that could not be written since the start."""
        return self._lines.lost

    @property
    def fault(self) -> str | None:
        """Why lines are being lost, or None."""
        return self._lines.fault

    def flush(self) -> None:
        """Wait until all recorded lines have been written or counted as lost."""
        self._lines.flush(_CLOSE_SECONDS)

    def close(self) -> None:
        """Write the remaining lines and stop the thread."""
        self._lines.close(_CLOSE_SECONDS)

    def _lost(self, count: int) -> bytes:
        return line("log_lines_lost", self._last, self._environment, lines=count)


def line(name: str, now: Milliseconds, environment: str, **fields: str | int | None) -> bytes:
    """Return one line of the trail, with its line feed."""
    moment = dt.datetime.fromtimestamp(now / 1000, dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    known = {field: value for field, value in fields.items() if value is not None}
    return f"{_encode({'time': moment, 'event': name, **known, 'environment': environment})}\n".encode()


def _log_state(fault: str | None) -> None:
    if fault is None:
        event("audit_trail_resumed")
    else:
        event("audit_trail_unavailable", fault=fault)
