"""The parts of a running service, constructed once by `app`."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from credence.access.caller_address import CallerPrefixes, KnownHosts
from credence.clock import Clock, Milliseconds
from credence.datasets.credit_data import CreditData
from credence.datasets.replication.changing import ReceiveDispute
from credence.monitoring.feed import Feed
from credence.oauth.authority import Authority
from credence.oauth.status_lists import StatusLists
from credence.policy.batches import Batches
from credence.policy.installed import InstalledPolicies
from credence.ratelimit.limiter import RateLimiter
from credence.report.cache import ReportCache
from credence.report.page_cache import PageCache
from credence.report.readers import UnsavedReads
from credence.report.search.director_details import FindDirector
from credence.report.search.threads import Searches
from credence.request_context import RequestContext
from credence.request_log.waiting import Waiting
from credence.screening.limits import Limits
from credence.settings import Settings
from credence.telemetry.audit import AuditTrail
from credence.telemetry.counts import Counts
from credence.transport.answers import Answers
from credence.transport.bodies import BodyDeadlines

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient
    from credence.telemetry.traces import Traces

READINESS_SHARED_MS = 1_000
"""For how long one check of readiness answers all probes, so that probes cannot load the store (threats A12)."""


class SharedReadiness:
    """The last result of the readiness check. Probes that arrive during a check share its result."""

    def __init__(self) -> None:
        self._began: Milliseconds = 0
        self._look: asyncio.Task[Any] | None = None

    async def look(self, now: Milliseconds, examine: Callable[[], Awaitable[Any]]) -> Any:
        """Return a result of `examine` that is at most a second old."""
        if self._look is None or (self._look.done() and not 0 <= now - self._began < READINESS_SHARED_MS):
            self._began = now
            self._look = asyncio.ensure_future(examine())
        return await asyncio.shield(self._look)  # a caller who disconnects does not cancel the check for the others


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that a request may need."""

    settings: Settings
    clock: Clock
    authority: Authority
    credit_data: CreditData
    reports: ReportCache
    pages: PageCache
    searches: Searches
    batches: Batches
    policies: InstalledPolicies
    receive_dispute: ReceiveDispute
    find_director: FindDirector
    feed: Feed
    audit: AuditTrail
    rate_limiter: RateLimiter
    prefixes: CallerPrefixes
    hosts: KnownHosts
    manages: bool = False
    """Whether this process serves the management API, and nothing else (D30)."""
    certificate_until: Milliseconds | None = None
    """The expiry of the server's certificate; None for plain HTTP."""
    shows_reasons: bool = False
    """Whether a refusal includes its reason code, as in the sandbox; elsewhere it would help an attacker."""
    scenarios: Callable[[], bytes | None] | None = None
    """Returns the scenarios of the sandbox as JSON; None in every other environment."""
    answer: Callable[..., Awaitable[Any]] | None = None
    """Answers a request of a page for its person, like one from outside (`web/asgi.py`); None before the start."""
    log_answer: Callable[[RequestContext, int, float], None] | None = None
    """Writes the access log, given a request, its status and its duration in seconds. None without an access log."""
    request_log: Waiting | None = None
    """The queue of answered requests for the request log. None without a request log."""
    outgoing: "OutgoingClient | None" = None
    """The outgoing HTTP client; None unless the operator allows calls (D29)."""
    traces: "Traces | None" = None
    """The tracer of requests; None unless the operator configures a collector."""
    limits: Limits = field(default_factory=Limits)
    bodies: BodyDeadlines = field(default_factory=BodyDeadlines)
    answers: Answers = field(default_factory=Answers)
    readiness: SharedReadiness = field(default_factory=SharedReadiness)
    counts: Counts = field(default_factory=Counts)
    status_lists: StatusLists = field(default_factory=StatusLists)
    unsaved_reads: UnsavedReads = field(default_factory=UnsavedReads)
    previews: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a preview of rules runs, so that one runs at a time."""
