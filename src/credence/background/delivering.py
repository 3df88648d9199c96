"""The delivery engine of a running service: it attempts the deliveries of the outbox by outgoing calls and mail (D29)."""

from dataclasses import replace
from typing import TYPE_CHECKING

from credence import __version__
from credence.mail.message import KIND
from credence.mail.sending import mail_deliveries
from credence.monitoring.webhooks.delivering import webhook_deliveries
from credence.oauth.back_channel_logout import sign_out_deliveries
from credence.oauth.signals.delivering import signal_deliveries
from credence.outbox.engine import SIGN_OUTS, AttemptOutcome, DeliveryEngine, DeliveryKind
from credence.service import Service
from credence.store import sign_out_notices, signals, webhooks
from credence.store.deliveries import Delivery

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient


CALLS_OFF_MS = 600_000
"""How long a delivery that needs an outgoing call waits before it is claimed again, if the operator allows none."""


def delivery_engines(service: Service) -> list[DeliveryEngine]:
    """Return the engine of this process; an empty list if the operator allows no outgoing calls and has no mail relay."""
    authority, client, relay = service.authority, service.outgoing, service.settings.mail_relay
    if client is None and not relay:
        return []
    kinds = _calls(service, client) if client is not None else dict.fromkeys(_CALLS, _WAITING)
    if relay:
        kinds[KIND] = mail_deliveries(authority, service.clock)
    if service.traces is not None:
        traces = service.traces
        kinds = {
            name: replace(kind, attempt=traces.around(f"deliver {name}", kind.attempt, root=True))
            for name, kind in kinds.items()
        }
    return [DeliveryEngine(authority.store, service.clock, kinds)]


def _calls(service: Service, client: "OutgoingClient") -> dict[str, DeliveryKind]:
    authority = service.authority
    return {
        sign_out_notices.KIND: sign_out_deliveries(authority, client, service.clock),
        signals.KIND: signal_deliveries(authority, client, service.clock),
        **webhook_deliveries(authority, client, service.clock, f"Credence/{__version__}"),
    }


_CALLS = (sign_out_notices.KIND, signals.KIND, webhooks.KIND, webhooks.VERIFICATION)


async def _wait(_delivery: Delivery) -> AttemptOutcome:
    return AttemptOutcome(delivered=False, text="calls_off", attempted=False, retry_after_ms=CALLS_OFF_MS)


_WAITING = DeliveryKind(_wait, SIGN_OUTS)
