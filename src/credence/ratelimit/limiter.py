"""Decides which limits each request counts against, and counts it (spec §7.9, D16, threats A5, A6, A12, F7).

A request counts against what it has authenticated: its address always, its application once the client is authenticated,
its account once the user or the token is authenticated. An application or account that a request only claims is checked but
not counted, so that another caller who knows a client_id or a login name cannot use up the limit of its owner. That caller
is refused while the limit has no room, as the owner would be, which keeps the order of refusals (D3).

Each method returns the request's `Usage`. The caller puts it on the response (`header_fields`) and then calls
`require_admitted`.
"""

from collections.abc import Awaitable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from credence.access.caller_address import WIDER, counted_networks
from credence.clock import Clock
from credence.crypto.digest import keyed_digest
from credence.ratelimit.limits import LimitDecision, LimitKey, RateLimit, rate_limit
from credence.ratelimit.local_counters import LocalCounters
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.store.records import Application

if TYPE_CHECKING:
    from credence.ratelimit.redis_counters import RedisCounters

RowKind = Literal["registration", "device", "pushed"]

FETCHES_PER_MINUTE = 20
"""Fetches of client documents per minute that requests from one address may cause, and new documents of one host."""

REGISTRATIONS_PER_MINUTE = 5
"""Registrations without invitation per minute from one address."""

DEVICES_PER_MINUTE = 30
"""Device authorizations per minute from one address, through applications that prove nothing."""

PUSHED_PER_MINUTE = 120
"""Pushed authorization requests per minute from one address, by clients that prove nothing or are unverified."""

ROWS_PER_MINUTE: Mapping[RowKind, int] = {
    "registration": REGISTRATIONS_PER_MINUTE,
    "device": DEVICES_PER_MINUTE,
    "pushed": PUSHED_PER_MINUTE,
}
"""What callers without proof may have stored."""

_ACCOUNT_KEY_BYTES = 16


class Usage(NamedTuple):
    """The limits that one request has counted against."""

    limits: tuple[RateLimit, ...] = ()
    decision: LimitDecision | None = None
    """The refusal, or else the limit with the least room; None if no limit applies."""

    def and_then(self, later: "Usage") -> "Usage":
        """Return the usage of one request that was limited twice."""
        if later.decision is None:
            return self
        refused = not later.decision.admitted
        nearer = self.decision is None or refused or later.decision.remaining < self.decision.remaining
        return Usage((*self.limits, *later.limits), later.decision if nearer else self.decision)


NO_USAGE = Usage()


def require_admitted(usage: Usage) -> None:
    """Raise Refused (spike arrest, with Retry-After) when a limit had no room."""
    decision = usage.decision
    if decision is not None and not decision.admitted:
        raise Refused(SPIKE_ARREST, f"spike.{decision.limit.kind}", retry_after=decision.wait_seconds)


class RateLimits:
    """The limits of one deployment: pairs of requests a minute (0: unlimited) and burst."""

    def __init__(self, application: tuple[int, int], account: tuple[int, int], address: tuple[int, int]) -> None:
        self.account = rate_limit("account", *account)
        self.address = rate_limit("address", *address)
        self.fetch = _of_networks("fetch", FETCHES_PER_MINUTE)
        self.rows = {kind: _of_networks(kind, per_minute) for kind, per_minute in ROWS_PER_MINUTE.items()}
        self._default, self._burst = application
        self._applications: dict[int, RateLimit | None] = {}

    def application(self, per_minute: int | None) -> RateLimit | None:
        """Return the limit of an application; `per_minute` is its own rate, None for the deployment's default."""
        rate = self._default if per_minute is None else per_minute
        try:
            return self._applications[rate]
        except KeyError:  # the cache has one entry per distinct rate that operators have set
            return self._applications.setdefault(rate, rate_limit("application", rate, self._burst))


def _of_networks(kind: str, per_minute: int) -> tuple[RateLimit, ...]:
    """Return the limits of an address prefix and of the networks around it (`counted_networks`)."""
    limits = (rate_limit(kind, per_minute * wider, per_minute * wider) for wider in WIDER)
    return tuple(limit for limit in limits if limit is not None)


class RateLimiter:
    """Counts requests under the limits of one deployment.

    While the shared counters are available they decide. The local counters count too: a request that they refuse needs
    no round trip, and they do not start from zero when the shared counters become unavailable.
    """

    def __init__(
        self,
        limits: RateLimits,
        digest_key: bytes,
        local: LocalCounters,
        now: Clock,
        shared: "RedisCounters | None" = None,
    ) -> None:
        """`now` is monotonic: setting the machine's clock back must not cause refusals."""
        self._limits = limits
        self._digest_key = digest_key
        self._local = local
        self.now = now
        self._shared = shared
        self._known_account_key = lru_cache(maxsize=4096)(self._account_key)

    def limit_unauthenticated(
        self, address: str, application: Application | None = None, username: str | None = None
    ) -> Awaitable[Usage]:
        """Count a request that needs no credentials or whose credentials are wrong; check what it claims.

        `address` is the caller's address prefix; `username` is a login name in normal form.
        """
        claimed = [] if application is None else self._application(application)
        return self._limit(self._address(address), [*claimed, *self._claimed_account(username)])

    def limit_client(self, address: str, application: Application, username: str | None) -> Awaitable[Usage]:
        """Count a request of an authenticated application; check the account that it claims."""
        counted = self._application(application) + self._address(address)
        return self._limit(counted, self._claimed_account(username))

    def limit_account(self, username: str | None) -> Awaitable[Usage]:
        """Count a request, counted by one of the above, against its account once that is authenticated as well."""
        return self._limit(self._authenticated_account(username), [])

    def limit_authenticated(self, address: str, application: Application, username: str | None) -> Awaitable[Usage]:
        """Count a request whose token authenticates the application and, if the token has one, the account."""
        proved = [*self._application(application), *self._authenticated_account(username)]
        return self._limit([*proved, *self._address(address)], [])

    def limit_person(self, application: Application, username: str) -> Awaitable[Usage]:
        """Count a request of a person who works for an application; it was already counted against its address."""
        return self._limit([*self._application(application), *self._authenticated_account(username)], [])

    def left_for(self, application: Application) -> tuple[RateLimit, int] | None:
        """Return the limit of an application, and how many requests may come at once now as this process has counted them.

        Nothing is counted; None without a limit.
        """
        keys = self._application(application)
        decision = self._local.check(keys, [], self.now())
        if decision is None:
            return None
        return decision.limit, decision.remaining + 1 if decision.admitted else 0

    async def require_fetch(self, address: str, host: str) -> None:
        """Count the fetch of the document of a new client against the caller's address; raises Refused without room.

        The host must have room as well, but is counted only by `count_document`: addresses without a document, which any
        caller can name, use up nothing of others.
        """
        require_admitted(await self._limit(_networks(self._limits.fetch, address), [self._fetch_key("host", host)]))

    async def count_document(self, host: str) -> None:
        """Count the document of a new client against its host."""
        await self._limit([self._fetch_key("host", host)], [])

    async def require_fetch_again(self, client_id: str) -> None:
        """Count a further fetch of the document of a known client against this client; raises Refused without room."""
        require_admitted(await self._limit([self._fetch_key("client", client_id)], []))

    async def require_row(self, kind: RowKind, address: str) -> None:
        """Count a row that is stored for a caller without proof against the caller's address; Refused without room."""
        require_admitted(await self._limit(_networks(self._limits.rows[kind], address), []))

    async def _admit_shared(
        self, shared: "RedisCounters", counted: Sequence[LimitKey], checked_only: Sequence[LimitKey]
    ) -> LimitDecision | None:
        """Count the request under every key of `counted` if all keys have room, else under none; None without a limit."""
        now = self.now()
        decision = self._local.check(counted, checked_only, now)
        if decision is None or not decision.admitted:
            return decision
        decision = await shared.admit(counted, checked_only)
        if decision is None:
            return self._local.admit(counted, checked_only, now)
        if decision.admitted:
            self._local.count(counted, now)
        return decision

    @property
    def shared_available(self) -> bool | None:
        """Whether the shared counters are available; None when there is no shared store."""
        return None if self._shared is None else self._shared.available

    async def close(self) -> None:
        """Close the shared counters."""
        if self._shared is not None:
            await self._shared.close()

    async def _limit(self, counted: list[LimitKey], checked_only: list[LimitKey]) -> Usage:
        if not (counted or checked_only):
            return NO_USAGE
        if self._shared is None:
            decision = self._local.admit(counted, checked_only, self.now())
        else:
            decision = await self._admit_shared(self._shared, counted, checked_only)
        return NO_USAGE if decision is None else Usage(tuple([limit for limit, _ in counted]), decision)

    def _application(self, application: Application) -> list[LimitKey]:
        limit = self._limits.application(application.spike_per_minute)
        return [] if limit is None else [(limit, application.client_id)]

    def _claimed_account(self, username: str | None) -> list[LimitKey]:
        limit = self._limits.account
        return [] if limit is None or username is None else [(limit, self._account_key(username))]

    def _authenticated_account(self, username: str | None) -> list[LimitKey]:
        limit = self._limits.account
        return [] if limit is None or username is None else [(limit, self._known_account_key(username))]

    def _address(self, prefix: str) -> list[LimitKey]:
        limit = self._limits.address
        return [] if limit is None else [(limit, prefix)]

    def _fetch_key(self, kind: str, name: str) -> LimitKey:
        return self._limits.fetch[0], self._account_key(f"{kind} {name}")

    def _account_key(self, username: str) -> bytes:
        """Return the digest of a login name, which may be any text (threats A6, A12): cached for existing accounts only."""
        return keyed_digest(self._digest_key, "spike account", username.encode())[:_ACCOUNT_KEY_BYTES]


def _networks(limits: Sequence[RateLimit], address: str) -> list[LimitKey]:
    return list(zip(limits, counted_networks(address), strict=False))


async def open_rate_limiter(limits: RateLimits, counters_url: str, digest_key: bytes, now: Clock) -> RateLimiter:
    """Return the limiter. If `counters_url` is empty, it counts in this process only.

    An unavailable Redis does not prevent the start: the limiter counts locally until it is available.
    """
    shared = None
    if counters_url:
        # Imported here: most deployments do not need the Redis client, which takes a tenth of a second to import.
        from credence.ratelimit.redis_counters import open_redis_counters

        shared = await open_redis_counters(counters_url, digest_key)
    return RateLimiter(limits, digest_key, LocalCounters(), now, shared)
