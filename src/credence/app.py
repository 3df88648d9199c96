"""Constructs the application from its parts: settings -> store, keys, limits -> ASGI application. No other code does."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from credence import __version__, paths
from credence.access.caller_address import CallerPrefixes, KnownHosts, is_trusted
from credence.api.public.health import is_ready
from credence.background.stopping import call_at_stop
from credence.background.tasks import Stop, start_tasks
from credence.clock import Clock, Milliseconds, monotonic_ms, system_clock
from credence.datasets.credit_data import CreditData
from credence.datasets.register import CurrentRegister
from credence.datasets.replication.changing import dispute_receiver
from credence.errors import OperatorError
from credence.identity.factors import FactorCheck
from credence.identity.login_attempts import LoginLimits
from credence.identity.passkeys import Passkeys
from credence.identity.password_check import PasswordCheck
from credence.mail.notices import keep_notices
from credence.management.site_applications import CONSOLE, DEVELOPERS, WORKBENCH, register_site
from credence.monitoring.feed import Feed
from credence.oauth.applications_index import algorithms_of
from credence.oauth.authority import Authority, ReadKeks
from credence.oauth.callable_addresses import outgoing_rules
from credence.oauth.client_documents.fetching import ClientDocuments
from credence.oauth.client_documents.remembering import require_digests
from credence.oauth.client_key_sets import ClientKeySets
from credence.oauth.devices import UserCodes
from credence.oauth.dpop.memory import ProofMemory
from credence.oauth.issuer_metadata import IssuerMetadata
from credence.oauth.keys.ring import load_key_ring
from credence.oauth.keys.rotation import first_keys
from credence.oauth.keys.secrets import load_secrets
from credence.oauth.tokens.refresh_token import refresh_tokens
from credence.policy.batches import Batches
from credence.policy.installed import InstalledPolicies
from credence.ratelimit.limiter import RateLimits, open_rate_limiter
from credence.report.cache import ReportCache
from credence.report.page_cache import PageCache
from credence.report.render.sections.sources import Contact
from credence.report.search.director_details import director_json
from credence.report.search.threads import Searches
from credence.request_log.waiting import Waiting
from credence.sandbox import sandbox_file
from credence.sandbox.credit_api import SandboxReports, SandboxSearches, find_sandbox_director, scenarios_json
from credence.service import Service
from credence.settings import Environment, Settings
from credence.store.contract import Store
from credence.store.revocation_cache import RevocationCache
from credence.store.sqlite.store import SqliteStore
from credence.store.trusted_issuers import ISSUERS
from credence.telemetry.audit import AuditTrail
from credence.telemetry.audit_chain import chained_files
from credence.telemetry.audit_copies import AuditCopies
from credence.telemetry.audit_files import REFUSALS, AuditFiles
from credence.telemetry.refusal_queue import RefusalQueue
from credence.web.access_log import access_log
from credence.web.asgi import AsgiApplication

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient
    from credence.telemetry.traces import Traces

COLLECTION_THRESHOLDS = (10_000, 20, 100)
"""The arguments of `gc.set_threshold`: how many new container objects start a collection of the youngest generation.

The other two are the collections of one generation before one of the next. With Python's default (700, 10, 10) the slowest
hundredth of introspections took 48 ms and of refreshes 71 ms; with these 27 and 41 ms, 64 connections and rates equal
within 4 %.
"""


def application(
    settings: Settings,
    read_keks: ReadKeks,
    clock: Clock = system_clock,
    beat: Callable[[], Awaitable[None]] | None = None,
    metrics: Path | None = None,
    certificate_until: Milliseconds | None = None,
    started: Callable[[], None] | None = None,
    *,
    manages: bool = False,
) -> AsgiApplication:
    """Return the application. It opens its store when the server starts it, in the serving process.

    `beat` runs in that process concurrently. `metrics` is the path of the socket on which it offers its metrics.
    `certificate_until` is the expiry of the server's certificate; None without one. `started` is called when the
    application serves requests. `manages` is true in the process that serves only the management API.
    """
    stops: list[Stop] = []
    signals = ExitStack()

    async def start() -> Service:
        store = await open_store(settings)
        try:
            if settings.store:
                await _note_published_data(settings)
            service = await open_service(settings, store, read_keks, clock, traces=open_traces(settings))
            service = replace(service, certificate_until=certificate_until, manages=manages)
            for site in (CONSOLE,) if manages else (WORKBENCH, *((DEVELOPERS,) if settings.serves_developers else ())):
                await register_site(store, settings, site, service.clock())
            if settings.mail_relay:
                await keep_notices(store)
        except BaseException:
            await store.close()
            raise
        service.audit.record("started", clock(), version=__version__)
        stops.append(start_tasks(service, partial(is_ready, service), metrics))
        signals.callback(call_at_stop(service.feed.end))
        collect_rarely()
        return service

    async def stop(service: Service) -> None:
        signals.close()
        for stop in stops:
            await stop()
        await close_service(service)

    return AsgiApplication(settings, start, stop, beat, started)


def collect_rarely() -> None:
    """Exclude the objects made at start from garbage collection, and collect less often.

    A request leaves no reference cycles (`tests/web/test_no_cyclic_garbage.py`), so a collection finds nothing, while every
    request in progress waits for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTION_THRESHOLDS)


async def _note_published_data(settings: Settings) -> None:
    """Record which published data sets are missing on this node, so that their companies are not reported as unknown."""
    # Imported only here: a node with a SQLite store starts faster without it.
    from credence.datasets.replication.fetching import outdated
    from credence.store.postgres.credit_sets import published

    outdated(settings.credit_folder, await published(settings.store))


async def open_store(settings: Settings) -> Store:
    """Open the store of these settings, creating or migrating it if needed; raises StoreUnavailable."""
    if settings.store:
        # Imported only here: a node with a SQLite store starts faster without it.
        from credence.store.postgres.store import open_postgres

        return await open_postgres(settings.store)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    return SqliteStore(settings.sqlite_file)


async def open_service(
    settings: Settings,
    store: Store,
    read_keks: ReadKeks,
    clock: Clock,
    monotonic: Clock = monotonic_ms,
    traces: "Traces | None" = None,
) -> Service:
    """Construct the parts of the service; raises Unsealable for a wrong key-encryption key.

    `clock` is this machine's clock. The service uses the store's clock, because a token of one node is compared with a
    revocation by another (threats T11). `monotonic` is for rate limits. `traces` wraps each operation of the store, each
    hash and each signature in a span.
    """
    if traces is not None:
        store = traces.around_store(store, "postgresql" if settings.store else "sqlite")

    def common_clock() -> Milliseconds:
        return clock() + store.clock_offset()

    authority = await open_authority(settings, store, read_keks, common_clock())
    if traces is not None:
        authority.change_signers(lambda key: replace(key, sign=traces.around_work(f"sign {key.algorithm}", key.sign)))
        authority.passwords.change_hashing(partial(traces.around, "hash password"))
    credit_data = CreditData(settings.credit_folder)
    in_sandbox = settings.environment is Environment.SANDBOX
    limits = RateLimits(
        application=(settings.spike_per_minute, settings.spike_burst),
        account=(settings.spike_account_per_minute, settings.spike_account_burst),
        address=(settings.spike_address_per_minute, settings.spike_address_burst),
    )
    copies = AuditCopies(settings.audit_copies)
    folder, megabytes = settings.audit_folder, settings.audit_file_megabytes
    deeds = chained_files(folder, megabytes, settings.audit_files, copies.put)
    refusals = AuditFiles(folder, REFUSALS, megabytes, settings.refusal_files, copy=copies.put)
    shared = RefusalQueue() if settings.store else None
    audit = AuditTrail(deeds, refusals, settings.environment, copies, shared)
    outgoing = open_outgoing(settings, audit, common_clock) if settings.calls_out else None
    if outgoing is not None and settings.client_documents != "off":
        authority.client_of_document = ClientDocuments(settings, store, outgoing).client_of
    authority.client_keys = ClientKeySets(outgoing)
    authority.issuer_metadata = IssuerMetadata(outgoing)
    return Service(
        settings=settings,
        clock=common_clock,
        authority=authority,
        credit_data=credit_data,
        reports=open_reports(settings, credit_data),
        pages=PageCache(Contact(settings.support_email, f"{settings.issuer}{paths.MODEL_CARD}")),
        searches=open_searches(settings),
        batches=Batches(open_reports(settings, CreditData(settings.credit_folder))),
        policies=InstalledPolicies(settings.policy_folder),
        receive_dispute=dispute_receiver(settings.credit_folder, settings.store),
        find_director=(
            find_sandbox_director(credit_data, partial(sandbox_file.made, settings.sandbox_file))
            if in_sandbox
            else partial(director_json, credit_data)
        ),
        feed=Feed(store),
        shows_reasons=in_sandbox,
        scenarios=partial(scenarios_json, settings.sandbox_file) if in_sandbox else None,
        audit=audit,
        outgoing=outgoing,
        traces=traces,
        rate_limiter=await open_rate_limiter(limits, settings.counters_url, authority.secrets.digest, monotonic),
        prefixes=CallerPrefixes(settings.trusted_proxies),
        log_answer=access_log(settings),
        request_log=Waiting(settings.trusted_proxies) if settings.request_log_days else None,
        hosts=KnownHosts(settings.host_names),
    )


def open_traces(settings: Settings) -> "Traces | None":
    """Return the tracer of requests; None unless the operator configures a collector."""
    if not settings.traces_url:
        return None
    # Imported only here: most deployments have no collector, and the SDK is an optional dependency.
    from credence.telemetry.traces import Traces

    return Traces(
        settings.traces_url,
        settings.traces_share,
        settings.traces_per_second,
        lambda peer: is_trusted(peer, settings.traces_follow),
        {"host.name": settings.node, "deployment.environment.name": settings.environment},
    )


def open_outgoing(settings: Settings, audit: AuditTrail, clock: Clock) -> "OutgoingClient":
    """Return the outgoing HTTP client, which writes each call to the audit trail (D29)."""
    # Imported only here: most deployments make no outgoing calls.
    from credence.outgoing.client import CallRecord, OutgoingClient

    def record(call: CallRecord) -> None:
        audit.record("called_out", clock(), **asdict(call))

    further: Callable[[], Mapping[str, str]] = dict
    if settings.traces_url:
        from credence.telemetry.traces import trace_headers as further
    try:
        return OutgoingClient(outgoing_rules(settings), record, settings.outgoing_authorities, further_headers=further)
    except OSError as error:  # includes ssl.SSLError
        raise OperatorError(f"CREDENCE_OUTGOING_AUTHORITIES cannot be read: {error}") from None


def open_reports(settings: Settings, credit_data: CreditData) -> ReportCache:
    """Return the cache of reports; in the sandbox it includes the specimen and the invented companies (D24)."""
    if settings.environment is Environment.SANDBOX:
        made = partial(sandbox_file.made, settings.sandbox_file)
        return SandboxReports(credit_data, settings.report_cache_megabytes, made)
    return ReportCache(credit_data, settings.report_cache_megabytes)


def open_searches(settings: Settings) -> Searches:
    """Return the searches; in the sandbox they include its invented companies (D24)."""
    searches = SandboxSearches if settings.environment is Environment.SANDBOX else Searches
    return searches(lambda: CurrentRegister(settings.credit_folder), lambda: CreditData(settings.credit_folder))


async def close_service(service: Service) -> None:
    """Finish accepted work and close every part."""
    await service.feed.close()
    await service.authority.passwords.close()
    await service.rate_limiter.close()
    await service.authority.store.close()
    service.searches.close()
    service.batches.close()
    service.pages.close()
    service.credit_data.close()
    service.audit.close()
    if service.traces is not None:
        await asyncio.to_thread(service.traces.close)


async def open_authority(settings: Settings, store: Store, read_keks: ReadKeks, now: Milliseconds) -> Authority:
    """Construct the part that issues and checks tokens; raises Unsealable for a wrong key-encryption key."""
    keks = read_keks()
    applications = await store.applications()
    require_digests(applications)
    await first_keys(store, keks, settings, algorithms_of(applications), now)
    secrets = await load_secrets(store, keks, settings.environment)
    revocation_cache = RevocationCache(
        store,
        settings.max_revocation_staleness_seconds if settings.store else None,
        test_clocks=settings.environment is Environment.SANDBOX,
    )
    await revocation_cache.sync()
    limits = LoginLimits(
        secrets.digest,
        settings.password_failures_per_hour_per_address,
        settings.password_failures_per_hour_per_application,
    )
    authority = Authority(
        settings=settings,
        store=store,
        revocation_cache=revocation_cache,
        keks=keks,
        read_keks=read_keks,
        secrets=secrets,
        ring=await load_key_ring(store, keks, settings.algorithm, now),
        passwords=PasswordCheck(
            store, revocation_cache, limits, settings.password_profile, settings.password_cache_seconds
        ),
        factors=FactorCheck(store, secrets.digest, settings.password_failures_per_hour_per_address),
        passkeys=Passkeys(store, secrets.digest, settings.issuer),
        user_codes=UserCodes(store, secrets.digest, settings.password_failures_per_hour_per_address),
        refresh_tokens=refresh_tokens(settings.environment.prefix, secrets.refresh),
        proofs=ProofMemory(since=now),
        issuers=tuple(await store.page(ISSUERS)),
    )
    await authority.follow(now)
    return authority
