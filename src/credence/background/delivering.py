"""The delivery engine of a running service: it attempts the deliveries of the outbox by outgoing HTTP calls (D29)."""

from dataclasses import replace

from credence import __version__
from credence.monitoring.webhooks.delivering import webhook_deliveries
from credence.oauth.back_channel_logout import sign_out_deliveries
from credence.oauth.signals.delivering import signal_deliveries
from credence.outbox.engine import DeliveryEngine
from credence.service import Service
from credence.store import sign_out_notices, signals


def delivery_engines(service: Service) -> list[DeliveryEngine]:
    """Return the engine of this process; an empty list if the operator does not allow outgoing calls."""
    client = service.outgoing
    if client is None:
        return []
    authority = service.authority
    kinds = {
        sign_out_notices.KIND: sign_out_deliveries(authority, client, service.clock),
        signals.KIND: signal_deliveries(authority, client, service.clock),
        **webhook_deliveries(authority, client, service.clock, f"Credence/{__version__}"),
    }
    if service.traces is not None:
        traces = service.traces
        kinds = {
            name: replace(kind, attempt=traces.around(f"deliver {name}", kind.attempt, root=True))
            for name, kind in kinds.items()
        }
    return [DeliveryEngine(authority.store, service.clock, kinds)]
