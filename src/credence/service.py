"""The parts of a running service, which `app` puts together once."""

from collections.abc import Callable
from dataclasses import dataclass, field

from credence.access.caller_address import CallerPrefixes
from credence.clock import Clock
from credence.datasets.credit_data import CreditData
from credence.datasets.replication.dispute_receiving import ReceiveDispute
from credence.oauth.authority import Authority
from credence.oauth.status_lists.lists import StatusLists
from credence.policy.batches import Batches
from credence.policy.installed import InstalledPolicies
from credence.ratelimit.limiter import RateLimiter
from credence.report.cache import ReportCache
from credence.report.page_cache import PageCache
from credence.report.search.director_details import FindDirector
from credence.report.search.threads import Searches
from credence.screening.limits import Limits
from credence.settings import Settings
from credence.telemetry.audit import AuditTrail
from credence.telemetry.counts import Counts
from credence.transport.answers import Answers
from credence.transport.body_deadlines import BodyDeadlines


@dataclass(frozen=True, slots=True)
class Service:
    """Everything a request may need."""

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
    audit: AuditTrail
    rate_limiter: RateLimiter
    prefixes: CallerPrefixes
    shows_reasons: bool = False
    """Whether a refusal carries its reason code, as in the sandbox; elsewhere it would help an attacker."""
    scenarios: Callable[[], bytes | None] | None = None
    """Returns the scenarios of the sandbox as JSON; None in every other environment."""
    limits: Limits = field(default_factory=Limits)
    bodies: BodyDeadlines = field(default_factory=BodyDeadlines)
    answers: Answers = field(default_factory=Answers)
    counts: Counts = field(default_factory=Counts)
    status_lists: StatusLists = field(default_factory=StatusLists)
