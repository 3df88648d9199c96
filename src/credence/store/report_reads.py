"""Which application read the report on which company, in a store (D43)."""

from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.store.records import ReportRead
from credence.store.statements import Act, Each, Statements

_NOTE = (
    "INSERT INTO report_reads (client_id, company, until) VALUES (:client_id, :company, :until) "
    "ON CONFLICT (client_id, company) DO UPDATE SET until = excluded.until WHERE report_reads.until < excluded.until"
)
_READ = "SELECT company, until FROM report_reads WHERE client_id = :client_id AND company = ANY(:companies::text[])"


class ReportReads(Statements):
    """The part of a store for report reads."""

    async def note_report_reads(self, reads: Sequence[ReportRead]) -> None:
        """Store these reads, at most a thousand per call.

        A later read of a company by the same application replaces the earlier.
        """

        def noting() -> Act[None]:
            in_order = sorted(reads, key=lambda each: (each.client_id, each.company))  # as every node locks them
            yield Each(_NOTE, [msgspec.structs.asdict(each) for each in in_order])

        await self._transact(noting)

    async def report_reads(self, client_id: str, companies: Sequence[str]) -> dict[str, Milliseconds]:
        """Return company -> `until` for those of these companies whose report the application read; a thousand at most."""
        return dict(await self._rows(_READ, client_id=client_id, companies=list(companies)))
