"""The tables of a store and their columns, the same in every database: what a copy or a backup contains."""

from types import GenericAlias
from typing import Any, get_type_hints

import msgspec

from credence.store.deliveries import Delivery
from credence.store.devices import DeviceRequest
from credence.store.events import NewEvent
from credence.store.families import SignIn
from credence.store.people import Factor
from credence.store.records import (
    Change,
    ReportRead,
    StatusBlock,
    TokenFamily,
)
from credence.store.sign_ins import Consent, Session
from credence.store.signing_keys import SigningKeyRow
from credence.store.trusted_issuers import IssuerSession

Row = tuple[Any, ...]


class StoreTable(msgspec.Struct, frozen=True):
    """One table. `types` maps its columns to their types, the primary key first."""

    name: str
    types: dict[str, Any]

    @property
    def columns(self) -> tuple[str, ...]:
        """The column names in the order of a row."""
        return tuple(self.types)

    @property
    def row(self) -> Any:
        """The type of a row, for a msgspec decoder."""
        return GenericAlias(tuple, tuple(self.types.values()))


APPLICATIONS = StoreTable("applications", {"client_id": str, "version": int, "document": bytes})
ACCOUNTS = StoreTable("accounts", {"username": str, "version": int, "document": bytes})
FAMILIES = StoreTable("families", get_type_hints(TokenFamily))
CHANGES = StoreTable("changes", get_type_hints(Change))
SECRETS = StoreTable("sealed_secrets", {"name": str, "sealed": bytes})
SIGNING_KEYS = StoreTable("signing_keys", get_type_hints(SigningKeyRow))
TALLIES = StoreTable("tallies", {"key": bytes, "drains_at": int, "familiar_until": int})
REPLAY_CACHE = StoreTable("spent", {"mark": bytes, "until": int})
STATUS_BLOCKS = StoreTable("status_blocks", {"number": int, **get_type_hints(StatusBlock)})
SESSIONS = StoreTable("sessions", get_type_hints(Session))
SIGN_INS = StoreTable("sign_ins", get_type_hints(SignIn))
CONSENTS = StoreTable("consents", get_type_hints(Consent))
FACTORS = StoreTable("factors", get_type_hints(Factor))
REPORT_READS = StoreTable("report_reads", get_type_hints(ReportRead))
REPORT_USES = StoreTable("report_uses", {"key": bytes, "used": int, "until": int})
PORTFOLIOS = StoreTable("portfolios", {"id": str, "owner": str, "version": int, "document": bytes})
PORTFOLIO_READERS = StoreTable("portfolio_readers", {"client_id": str, "portfolio": str})
WATCHED_COMPANIES = StoreTable("watched_companies", {"portfolio": str, "company": str, "document": bytes})
NEWLY_WATCHED = StoreTable("newly_watched", {"portfolio": str, "company": str})
OBSERVATIONS = StoreTable("observations", {"company": str, "state": bytes | None, "wishes": int})
EVENTS = StoreTable("monitoring_events", {"number": int, **get_type_hints(NewEvent)})
COUNTERS = StoreTable("counters", {"name": str, "last": int})
SHARED_VALUES = StoreTable("shared_values", {"name": str, "version": int, "document": bytes})
KEPT_ANSWERS = StoreTable("kept_answers", {"key": bytes, "until": int, "document": bytes})
DEVICE_REQUESTS = StoreTable("device_requests", get_type_hints(DeviceRequest))
ALERT_STATES = StoreTable(
    "alert_states",
    {
        "number": int,
        "until": int,
        "version": int,
        "read_at": int,
        "assigned_to": str,
        "note": str,
        "snoozed_until": str,
    },
)
LIMIT_DECISIONS = StoreTable(
    "limit_decisions", {"id": str, "owner": str, "company": str, "state": str, "version": int, "document": bytes}
)
CUSTOMERS = StoreTable(
    "customers",
    {"portfolio": str, "reference": str, "company": str, "state": str, "search_again_at": int, "document": bytes},
)
LEDGER_UPLOADS = StoreTable("ledger_uploads", {"id": str, "portfolio": str, "version": int, "document": bytes})
LEDGER_LINES = StoreTable("ledger_lines", {"upload": str, "until": int, "document": bytes})
WEBHOOKS = StoreTable("webhooks", {"id": str, "owner": str, "version": int, "document": bytes})
WEBHOOK_ATTEMPTS = StoreTable("webhook_attempts", {"webhook": str, "key": str, "until": int, "document": bytes})
SIGNAL_STREAMS = StoreTable("signal_streams", {"id": str, "owner": str, "version": int, "document": bytes})
SIGNALS = StoreTable("signals", {"id": str, "kind": str, "subject": str, "before": str, "after": str})
TRUSTED_ISSUERS = StoreTable("trusted_issuers", {"id": str, "version": int, "document": bytes})
ISSUER_LINKS = StoreTable("issuer_links", {"id": str, "owner": str, "username": str, "version": int, "document": bytes})
ISSUER_SESSIONS = StoreTable("issuer_sessions", get_type_hints(IssuerSession))
DELIVERIES = StoreTable("deliveries", get_type_hints(Delivery))

TABLES = (
    APPLICATIONS,
    ACCOUNTS,
    SECRETS,
    SIGNING_KEYS,
    FAMILIES,
    CHANGES,
    TALLIES,
    REPLAY_CACHE,
    STATUS_BLOCKS,
    SESSIONS,
    SIGN_INS,
    CONSENTS,
    FACTORS,
    REPORT_READS,
    REPORT_USES,
    PORTFOLIOS,
    PORTFOLIO_READERS,
    WATCHED_COMPANIES,
    NEWLY_WATCHED,
    OBSERVATIONS,
    EVENTS,
    COUNTERS,
    SHARED_VALUES,
    KEPT_ANSWERS,
    DEVICE_REQUESTS,
    DELIVERIES,
    WEBHOOKS,
    WEBHOOK_ATTEMPTS,
    ALERT_STATES,
    LIMIT_DECISIONS,
    CUSTOMERS,
    LEDGER_UPLOADS,
    LEDGER_LINES,
    TRUSTED_ISSUERS,
    ISSUER_LINKS,
    ISSUER_SESSIONS,
    SIGNALS,
    SIGNAL_STREAMS,  # last: while it is empty, copied rows make no signals
)
"""Every table except the scratch row and the last used numbers."""
