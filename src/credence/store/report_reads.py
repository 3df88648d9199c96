"""Which application read the report on which company (D43), and how many with rights that allow a number, in a store."""

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
_USE = (
    "INSERT INTO report_uses (key, used, until) SELECT :key::bytea, :wanted::bigint, :until::bigint "
    "WHERE :wanted::bigint <= :allowed::bigint "
    "ON CONFLICT (key) DO UPDATE SET used = report_uses.used + excluded.used "
    "WHERE report_uses.used + excluded.used <= :allowed::bigint RETURNING 1"
)


class ReportReads(Statements):
    """The part of a store for reads of reports."""

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

    async def use_reports(self, key: bytes, wanted: int, allowed: int, until: Milliseconds) -> bool:
        """Count `wanted` more reports under a key; return False, and count none, if that is more than `allowed` in all.

        One statement, so concurrent calls on all nodes together get no more than `allowed`. The count is kept until `until`
        of the first call: after that, no token has the rights.
        """
        return bool(await self._write(_USE, key=key, wanted=wanted, allowed=allowed, until=until))
