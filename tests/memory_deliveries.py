"""The part of the memory store that is the outbox."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Store
from credence.store.deliveries import HELD, NEVER, Backlog, Delivery, plausible_until


class MemoryDeliveries(Store):
    """Keeps the promises of the contract about deliveries."""

    _deliveries: dict[bytes, Delivery]

    @override
    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        self._deliveries = {each.id: each for each in deliveries} | self._deliveries

    @override
    async def replay_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        given_up = {each.id for each in self._deliveries.values() if each.given_up_at}
        self._deliveries |= {
            each.id: each for each in deliveries if each.id in given_up or each.id not in self._deliveries
        }

    @override
    async def claim_deliveries(
        self, now: Milliseconds, lease_until: Milliseconds, per_receiver: int, most: int, busy: Sequence[str] = ()
    ) -> list[Delivery]:
        for each in list(self._deliveries.values()):
            if plausible_until(now) < each.due_at < HELD:
                self._deliveries |= {each.id: msgspec.structs.replace(each, due_at=now)}
        due = sorted(
            (each for each in self._deliveries.values() if each.due_at <= now and each.receiver not in busy),
            key=lambda each: each.due_at,
        )
        chosen: list[Delivery] = []
        for each in due:
            if len(chosen) < most and sum(other.receiver == each.receiver for other in chosen) < per_receiver:
                chosen.append(msgspec.structs.replace(each, due_at=lease_until, attempts=each.attempts + 1))
        self._deliveries |= {each.id: each for each in chosen}
        return sorted(chosen, key=lambda each: (each.created_at, each.id))

    @override
    async def end_delivery(self, delivery: Delivery) -> bool:
        held = self._holds(delivery)
        if held:
            del self._deliveries[delivery.id]
        return held

    @override
    async def postpone_delivery(
        self, delivery: Delivery, due_at: Milliseconds, outcome: str, given_up_at: Milliseconds = 0
    ) -> bool:
        held = self._holds(delivery)
        if held:
            due_at = NEVER if given_up_at else due_at
            changed = msgspec.structs.replace(delivery, due_at=due_at, outcome=outcome, given_up_at=given_up_at)
            self._deliveries[delivery.id] = changed
        return held

    @override
    async def return_delivery(self, delivery: Delivery, due_at: Milliseconds) -> bool:
        held = self._holds(delivery)
        if held:
            changed = msgspec.structs.replace(delivery, due_at=due_at, attempts=delivery.attempts - 1)
            self._deliveries[delivery.id] = changed
        return held

    @override
    async def deliveries_of(self, receiver: str, most: int = 100, *, waiting: bool = False) -> list[Delivery]:
        found = [each for each in self._deliveries.values() if each.receiver == receiver]
        found = [each for each in found if not (waiting and each.given_up_at)]
        return sorted(found, key=lambda each: (each.created_at, each.id))[:most]

    @override
    async def deliveries_named(self, receiver: str, ids: Sequence[bytes]) -> list[Delivery]:
        found = [self._deliveries[each] for each in set(ids) if each in self._deliveries]
        return [each for each in found if each.receiver == receiver and not each.given_up_at]

    @override
    async def given_up_deliveries(self, most: int = 100) -> list[Delivery]:
        found = [each for each in self._deliveries.values() if each.given_up_at]
        return sorted(found, key=lambda each: (-each.given_up_at, each.id))[:most]

    @override
    async def revive_deliveries(self, receiver: str, at: Milliseconds, keep_until: Milliseconds) -> int:
        found = [each for each in self._deliveries.values() if each.receiver == receiver and each.given_up_at]
        for each in found:
            self._deliveries[each.id] = msgspec.structs.replace(
                each, due_at=at, keep_until=keep_until, attempts=0, given_up_at=0
            )
        return len(found)

    @override
    async def delete_deliveries(self, receiver: str) -> int:
        found = [each.id for each in self._deliveries.values() if each.receiver == receiver]
        for identity in found:
            del self._deliveries[identity]
        return len(found)

    @override
    async def backlog(self) -> Backlog:
        due = [each.due_at for each in self._deliveries.values()]
        waiting = [each for each in due if each < HELD]
        return Backlog(len(waiting), sum(each >= NEVER for each in due), min(waiting, default=None))

    def _holds(self, delivery: Delivery) -> bool:
        kept = self._deliveries.get(delivery.id)
        return kept is not None and kept.attempts == delivery.attempts and not kept.given_up_at
