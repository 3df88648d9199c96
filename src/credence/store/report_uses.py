"""How many reports were read with rights that allow a number of them, in a store."""

from credence.clock import Milliseconds
from credence.store.statements import Statements

_USE = (
    "INSERT INTO report_uses (key, used, until) SELECT :key::bytea, :wanted::bigint, :until::bigint "
    "WHERE :wanted::bigint <= :allowed::bigint "
    "ON CONFLICT (key) DO UPDATE SET used = report_uses.used + excluded.used "
    "WHERE report_uses.used + excluded.used <= :allowed::bigint RETURNING 1"
)


class ReportUses(Statements):
    """The part of a store that counts reports."""

    async def use_reports(self, key: bytes, wanted: int, allowed: int, until: Milliseconds) -> bool:
        """Count `wanted` more reports under a key; return False, and count none, if that is more than `allowed` in all.

        One statement, so concurrent calls on all nodes together get no more than `allowed`. The count is kept until `until`
        of the first call: after that, no token has the rights.
        """
        return bool(await self._write(_USE, key=key, wanted=wanted, allowed=allowed, until=until))
