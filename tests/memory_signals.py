"""The part of the memory store that is about shared signals."""

from collections.abc import Mapping, Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.crypto.randomness import random_bytes
from credence.store.contract import Conflict, Store
from credence.store.deliveries import Delivery
from credence.store.records import Account, Application, TokenFamily
from credence.store.sign_ins import Consent
from credence.store.signals import Relation, Signal, SignalKind, SignalStream


class MemorySignals(Store):
    """Keeps the promises of the contract about shared signals."""

    _families: dict[bytes, TokenFamily]
    _consents: dict[tuple[str, str], Consent]
    _deliveries: dict[bytes, Delivery]

    def __init__(self) -> None:
        self._streams: dict[str, SignalStream] = {}
        self._signals: list[Signal] = []

    def _signal(self, kind: SignalKind, subject: str, before: str = "", after: str = "") -> None:
        if self._streams:
            self._signals.append(Signal(random_bytes(16).hex(), kind, subject, before, after))

    def _signal_of_change(self, kind: str, subject: str) -> None:
        if kind == "family":
            self._signal("family", subject)

    def _signal_of_account(self, before: Account, after: Account) -> None:
        self._signal("account", after.username, *(_of_account(each) for each in (before, after)))

    def _signal_of_application(self, before: Application, after: Application) -> None:
        self._signal("application", after.client_id, *(_of_application(each) for each in (before, after)))

    @override
    async def signal_stream(self, identity: str) -> SignalStream | None:
        return self._streams.get(identity)

    @override
    async def signal_streams(self) -> list[SignalStream]:
        return [each for _, each in sorted(self._streams.items())]

    @override
    async def save_signal_stream(
        self,
        stream: SignalStream,
        deliveries: Sequence[Delivery] = (),
        due_at: Milliseconds | None = None,
        *,
        emptied: bool = False,
    ) -> None:
        kept = self._streams.get(stream.id)
        others = {each.owner for each in self._streams.values() if each.id != stream.id}
        if (kept.version if kept else 0) != stream.version - 1 or stream.owner in others:
            raise Conflict(stream.id)
        self._streams[stream.id] = stream
        if emptied:
            await self.delete_deliveries(stream.id)
        elif due_at is not None:
            for each in list(self._deliveries.values()):
                if each.receiver == stream.id and not each.given_up_at:
                    self._deliveries[each.id] = msgspec.structs.replace(each, due_at=due_at)
        await self.add_deliveries(deliveries)

    @override
    async def delete_signal_stream(self, stream: SignalStream) -> None:
        kept = self._streams.get(stream.id)
        if kept is None or kept.version != stream.version:
            raise Conflict(stream.id)
        del self._streams[stream.id]
        await self.delete_deliveries(stream.id)

    @override
    async def signals(self, limit: int) -> list[Signal]:
        return self._signals[:limit]

    @override
    async def settle_signals(self, deliveries: Mapping[str, Sequence[Delivery]]) -> None:
        for each in [signal for signal in self._signals if signal.id in deliveries]:
            self._signals.remove(each)
            await self.add_deliveries(deliveries[each.id])

    @override
    async def relations(self, usernames: Sequence[str], owners: Sequence[str], now: Milliseconds) -> list[Relation]:
        found = {Relation(each.client_id, each.username, each.scope) for each in self._consents.values()}
        found |= {
            Relation(each.client_id, each.username, each.scope)
            for each in self._families.values()
            if each.ended_at is None and each.expires_at > now
        }
        return sorted(each for each in found if each.username in usernames and each.client_id in owners)


def _of_account(account: Account) -> str:
    members = msgspec.to_builtins(account)
    return msgspec.json.encode(
        {name: members[name] for name in members if name not in {"password_hash", "rules"}}
    ).decode()


def _of_application(application: Application) -> str:
    return msgspec.json.encode({"not_before": application.not_before, "version": application.version}).decode()
