"""The part of the memory store that is about alerts."""

from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.alerts import Alert, AlertFilter, AlertState, DigestLine
from credence.store.contract import Conflict, Store
from credence.store.monitoring import KEPT_MS, EventFilter, NewEvent, NumberedEvent


class MemoryAlerts(Store):
    """Keeps the promises of the contract about alerts."""

    _alerts: dict[int, AlertState]
    _events: list[NewEvent]
    _readers: dict[str, set[str]]

    @override
    async def alerts(self, client_id: str, after: int, limit: int, only: AlertFilter) -> list[Alert]:
        found = [
            Alert(each, self._alerts.get(each.number, AlertState(each.number)))
            for each in await self.events(client_id, after, 1 << 30, only.events)
            if each.company
        ]
        return [
            each
            for each in found
            if not (only.unread and each.state.read_at) and only.assigned_to in {"", each.state.assigned_to}
        ][:limit]

    @override
    async def newest_about(self, client_id: str, company: str, limit: int) -> list[NumberedEvent]:
        found = await self.events(client_id, 0, 1 << 30, EventFilter(company=company))
        return found[::-1][:limit]

    @override
    async def save_alert(self, state: AlertState) -> None:
        kept = self._alerts.get(state.number, AlertState(state.number))
        if kept.version != state.version - 1 or not 1 <= state.number <= len(self._events):
            raise Conflict(str(state.number))
        self._alerts[state.number] = state

    @override
    async def digest(self, client_id: str, begins: Milliseconds, ends: Milliseconds) -> list[DigestLine]:
        made = {n for n, each in enumerate(self._events, 1) if each.company and begins <= each.until - KEPT_MS < ends}
        groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for each in await self.events(client_id, 0, 1 << 30, EventFilter()):
            if each.number in made:
                groups.setdefault((each.portfolio, each.rule), []).append((each.number, each.company))
        return [
            DigestLine(*key, len(of), len({company for _, company in of}), of[0][0], of[-1][0])
            for key, of in sorted(groups.items())
        ]

    @override
    async def readers_of_events(self, begins: Milliseconds, ends: Milliseconds) -> list[str]:
        made = [each for each in self._events if each.company and begins <= each.until - KEPT_MS < ends]
        return sorted({reader for each in made for reader in self._readers[each.portfolio]})
