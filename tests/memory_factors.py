"""The part of the memory store that is about factors."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import Factor
from credence.store.records import Account
from credence.store.signals import SignalKind
from tests.memory_sign_ins import standing


class MemoryFactors(Store):
    """Keeps the promises of the contract about factors."""

    _accounts: dict[str, Account]
    _factors: dict[bytes, Factor]

    def _signal(self, kind: SignalKind, subject: str, before: str = "", after: str = "") -> None:
        raise NotImplementedError

    def _keep(self, factors: dict[bytes, Factor]) -> None:
        """Replace all factors, and signal the difference."""
        before, self._factors = self._factors, factors
        for gone in (each for key, each in before.items() if key not in factors and each.kind != "recovery"):
            self._signal("factor", gone.username, gone.kind, "")
        for new in (each for key, each in factors.items() if key not in before and each.kind != "recovery"):
            self._signal("factor", new.username, "", new.kind)

    @override
    async def change_factors(
        self, account: Account, found: Sequence[Factor], add: Sequence[Factor] = (), remove: Sequence[bytes] = ()
    ) -> None:
        kept = self._accounts.get(account.username)
        left = {key: each for key, each in self._factors.items() if key not in remove}
        if kept is None or standing(kept) != standing(account) or left.keys() & {each.id for each in add}:
            raise Conflict("factor")
        if {each.id for each in await self.factors_of(account.username)} != {each.id for each in found}:
            raise Conflict("factor")
        self._keep(left | {each.id: each for each in add})

    @override
    async def factors_of(self, username: str) -> list[Factor]:
        found = [each for each in self._factors.values() if each.username == username]
        return sorted(found, key=lambda each: (each.created_at, each.id))

    @override
    async def factor(self, identity: bytes) -> Factor | None:
        return self._factors.get(identity)

    @override
    async def use_factor(self, identity: bytes, counter: int, at: Milliseconds) -> bool:
        kept = self._factors.get(identity)
        if kept is None or not (kept.counter < counter or kept.counter == counter == 0):
            return False
        self._factors[identity] = msgspec.structs.replace(kept, counter=counter, last_used_at=at)
        return True

    @override
    async def remove_factors(self, username: str, ids: Sequence[bytes]) -> int:
        gone = [each for each in set(ids) if each in self._factors and self._factors[each].username == username]
        self._keep({key: each for key, each in self._factors.items() if key not in gone})
        return len(gone)
