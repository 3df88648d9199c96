"""Finished reports, kept in memory as JSON until the data behind them is replaced (D21)."""

from collections.abc import Hashable

from credence.credit import report
from credence.credit.holdings import Holdings
from credence.recent import Recent

MOST_HELD = 4_096
"""Reports held in memory at least; some kilobytes each."""


class Reports:
    """Answers from memory when it can; every answer is of the newest data."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._version: Hashable = None
        self._held: Recent[str, bytes] = Recent(MOST_HELD)

    def find(self, number: str) -> bytes | None:
        """Return the report on the company with this normalised number as JSON, or None when none is held."""
        version = self._holdings.data_version
        if version != self._version:
            self._version = version
            self._held.clear()
        return self._held.get(number) or self._finish(number)

    def _finish(self, number: str) -> bytes | None:
        company = self._holdings.company(number)
        if company is None:
            return None
        finished = report.encode(report.build(company))
        self._held.put(number, finished)
        return finished
