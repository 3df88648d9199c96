"""Store locations of each kind for tests, and a store with a row in every table."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from credence.store.alerts import AlertState
from credence.store.contract import Store
from credence.store.customers import Merged
from credence.store.deliveries import Delivery
from credence.store.devices import DeviceRequest
from credence.store.events import NewEvent
from credence.store.families import SignIn
from credence.store.ledger_uploads import LedgerUpload
from credence.store.limit_decisions import LIMIT_DECISIONS
from credence.store.people import Factor
from credence.store.portfolios import Portfolio, WatchedCompany
from credence.store.postgres.store import PostgresStore, open_postgres
from credence.store.postgres.transfer import PostgresLocation
from credence.store.records import ReportRead, StatusBlock
from credence.store.sign_ins import Consent, Session
from credence.store.signals import SignalStream
from credence.store.sqlite.store import SqliteStore
from credence.store.sqlite.transfer import SqliteLocation
from credence.store.tallies import TallyIncrement
from credence.store.transfer.location import StoreLocation
from credence.store.transfer.tables import TABLES, Row
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, IssuerSession, TrustedIssuer, link_id
from credence.store.webhooks import WEBHOOKS, Webhook, WebhookAttempt, WebhookKey
from tests.store.records import DAY, NOW, account, application, customer, family, limit_decision, log_in, signing_key

BLOCK = StatusBlock("crd_sbx_app_a", "ada", family(1).id, NOW, NOW + DAY)
MARK = b"m" * 32
CHARGE = TallyIncrement(b"k" * 16, step=10, max_ahead=50)
SESSION = Session(b"s" * 32, "ada", NOW, "pwd", NOW, NOW + DAY, "Firefox on Linux")


class Somewhere:
    """A store location, and a method that opens it as a server does."""

    def __init__(self, said: str | Path) -> None:
        self.said = said
        self.place: StoreLocation = SqliteLocation(said) if isinstance(said, Path) else PostgresLocation(said)

    async def open(self) -> Store:
        return SqliteStore(self.said) if isinstance(self.said, Path) else await open_postgres(self.said)

    def rows(self) -> dict[str, list[Row]]:
        with self.place.snapshot() as whole:
            return {table.name: list(whole.rows(table)) for table in TABLES}


DEVICE = DeviceRequest(b"d" * 32, "crd_sbx_app_a", "openid", "", "192.0.2.7", NOW, NOW + DAY, 5_000)


async def fill(store: Store) -> None:
    """Insert a row into every table: family 1 is live, family 2 is revoked."""
    await store.save_application(application(), NOW)
    await store.save(ISSUERS, TrustedIssuer("employer", "https://login.example.com", "Employer Ltd", NOW))
    await log_in(store, family(1))
    await log_in(store, family(2))
    await store.end_family(family(2).id, NOW, "revoked")
    await store.sealed_secret("digest-key", b"sealed digest key")
    await store.sealed_secret("refresh-key", b"sealed refresh key")
    await store.add_signing_key(signing_key(), b"sealed private half", None, NOW)
    await store.open_status_blocks(BLOCK, 3)
    await store.consume_once(MARK, NOW + DAY)
    await store.count_failure([CHARGE], NOW)
    await store.open_session(SESSION, account())
    opened = family(3)
    await store.open_family(opened, account(), SignIn(opened.id, SESSION.key, "crd_sbx_app_a", "ada", NOW, "pwd", True))
    await store.save_consent(Consent("ada", "crd_sbx_app_a", "openid", b"t" * 16, NOW))
    await store.save_signal_stream(SignalStream("st1", "crd_sbx_app_a", NOW, "poll"))
    await store.change_factors(account(), [], [Factor(b"a" * 16, "ada", "totp", "Telephone", NOW, 0, 0, b"sealed")])
    await store.note_report_reads([ReportRead("crd_sbx_app_a", "00000001", NOW)])
    await store.use_reports(b"r" * 32, 1, 3, NOW + DAY)
    await store.add_device_request(DEVICE)
    await _fill_for_monitoring(store)
    await store.add_deliveries([Delivery(b"d" * 16, "webhook", "receiver", b"{}", NOW, NOW, NOW + DAY)])
    await store.save_alert(AlertState(1, 1, NOW, "ada", "Call them"))
    await store.save(LIMIT_DECISIONS, limit_decision())
    await store.save(LINKS, IssuerLink(link_id("employer", "s1"), "employer", "s1", "ada", NOW))
    await store.note_issuer_session(IssuerSession(b"s" * 32, "employer", "sid", b"sealed", NOW + DAY))
    keys = (WebhookKey(b"sealed", "", NOW),)
    await store.save(WEBHOOKS, Webhook("wh1", "crd_sbx_app_a", "https://a.example/", NOW, "hmac-sha256", keys))
    await store.note_attempt("wh1", WebhookAttempt("1", "msg", "monitoring.band", NOW, "500", 12), NOW + DAY)


async def _fill_for_monitoring(store: Store) -> None:
    await store.save_portfolio(Portfolio("p1", "crd_sbx_app_a", "Customers", NOW))
    await store.watch("p1", [WatchedCompany("00000001")], 10)
    uploads = [LedgerUpload(identity, "p1", "ledger.csv", "00", "ada", NOW, ("Name",)) for identity in ("up1", "up2")]
    for each in uploads:
        await store.keep_ledger(each, b"lines")
    taken = msgspec.structs.replace(uploads[0], version=2, state="taken")
    await store.take_ledger(taken, lambda _before, _watched: Merged((customer(),), 1, 0, 0), NOW)
    await store.save_shared_value("comparison", 1, b"{}")
    await store.record(1, [("00000001", b"{}")], [NewEvent(b"e", "p1", "band", "00000001", NOW + DAY, b"{}")])
    await store.keep_answer(b"a" * 32, b"{}", NOW + DAY)


def with_store(somewhere: Somewhere, act: Callable[[Store], Awaitable[object]]) -> None:
    async def run() -> None:
        store = await somewhere.open()
        try:
            await act(store)
        finally:
            await store.close()

    asyncio.run(run())


@asynccontextmanager
async def opened_postgres(url: str) -> AsyncIterator[PostgresStore]:
    """A node's store over this database, closed at the end."""
    store = await open_postgres(url)
    try:
        yield store
    finally:
        await store.close()
