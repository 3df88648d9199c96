"""Counters that nodes share through Redis or Valkey (D16, threats A6): one script, one round trip, the server's time.

Requests that arrive during a round trip share the next one, over one connection. When a round trip fails or exceeds its
timeout, the counters become unavailable: waiting requests are counted locally at once and no further request connects. A
background task probes the server every second, also while it is available, and makes the counters available again.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from credence.crypto.digest import keyed_digest
from credence.ratelimit.limits import Key, LimitDecision, LimitKey, decide_spike_arrest
from credence.telemetry.log import event, log_unexpected, warning

ROUND_TRIP_TIMEOUT_SECONDS = 0.1
PROBE_INTERVAL_SECONDS = 1.0
PROBE_TIMEOUT_SECONDS = 2.0

MAX_BATCH = 256
"""Maximum number of requests in one round trip; the server executes nothing else meanwhile."""

MAX_CACHED_NAMES = 8_192

_SCRIPT = files("credence.ratelimit").joinpath("gcra.lua").read_text(encoding="ascii")

_FORESEEN = (RedisError, OSError, ValueError)
"""Errors of a server that is away, slow, or answers with something else. TimeoutError is an OSError."""


class ClusterSplitsKeys(RedisError):
    """The server is part of a cluster, which refuses a script whose keys belong to several of its slots (CROSSSLOT)."""


KeyName = Callable[[str, Key], str]
"""Returns the name of the counter in the server for a kind and a key."""


async def open_redis_counters(url: str, digest_key: bytes) -> "RedisCounters":
    """Return the counters at `url`, available or not. Counter names are keyed digests, because others may read them."""

    @lru_cache(maxsize=MAX_CACHED_NAMES)
    def key_name(kind: str, key: Key) -> str:
        octets = key.encode() if isinstance(key, str) else key
        return f"credence:spike:{keyed_digest(digest_key, 'spike counter', kind.encode(), octets)[:16].hex()}"

    counters = RedisCounters(url, key_name, _log_change)
    await counters.open()
    return counters


async def answer_within(url: str, seconds: float = PROBE_TIMEOUT_SECONDS) -> bool:
    """Return whether the server at `url` answers in this time."""
    async with Redis.from_url(url, retry=Retry(NoBackoff(), 0)) as server:
        try:
            async with asyncio.timeout(seconds):
                await server.ping()
        except (RedisError, OSError, ValueError):
            return False
    return True


def _log_change(error: str | None) -> None:
    if error is None:
        event("shared_counters_available")
    else:
        warning("shared_counters_unavailable", fault=error, counting="locally")


class RedisCounters:
    """Counters in the server at `url`.

    `on_change` is called once with the error's type name when the server becomes unavailable, and once with None when
    it is available again. `timeout_seconds` bounds a round trip.
    """

    def __init__(
        self,
        url: str,
        key_name: KeyName,
        on_change: Callable[[str | None], None],
        timeout_seconds: float = ROUND_TRIP_TIMEOUT_SECONDS,
    ) -> None:
        self.available = False
        self._redis = Redis.from_url(url, retry=Retry(NoBackoff(), 0), max_connections=2)
        self._key_name = key_name
        self._on_change = on_change
        self._timeout_seconds = timeout_seconds
        self._script = ""
        self._reported = False
        self._closing = asyncio.Event()
        self._waiting: list[_Request] = []
        self._sender: asyncio.Task[None] | None = None
        self._prober: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Probe the server once and start the background probes."""
        await self._probe()
        self._prober = asyncio.create_task(self._probe_regularly())

    async def close(self) -> None:
        """Stop the background tasks and close the connections."""
        self._closing.set()
        for task in (self._sender, self._prober):
            if task is not None:
                await task  # both end without cancellation, after one timeout at the latest
        self.available = False
        await self._redis.aclose()

    async def admit(self, counted: Sequence[LimitKey], checked_only: Sequence[LimitKey]) -> LimitDecision | None:
        """Return the decision; None when the server is unavailable. Waits for the timeout at most."""
        if not self.available:
            return None
        request = _Request(counted, checked_only)
        self._waiting.append(request)
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())
        return await request.decision

    async def _send(self) -> None:
        """Send the waiting requests in batches until none is waiting."""
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            try:
                async with asyncio.timeout(self._timeout_seconds):
                    answers = await self._round_trip(batch)
                decisions = [each.read(answer) for each, answer in zip(batch, answers, strict=True)]
            except Exception as error:  # noqa: BLE001 - requests wait, and later ones would wait for this task too
                batch += self._waiting
                self._waiting, decisions = [], [None] * len(batch)
                self._set_unavailable(error)
            for request, decision in zip(batch, decisions, strict=True):
                request.finish(decision)
        self._sender = None

    async def _round_trip(self, batch: Sequence["_Request"]) -> list[object]:
        async with self._redis.pipeline(transaction=False) as pipeline:
            for request in batch:
                names, arguments = request.script_input(self._key_name)
                pipeline.evalsha(self._script, len(names), *names, *arguments)
            answers: list[object] = await pipeline.execute()
            return answers

    def _set_unavailable(self, error: Exception) -> None:
        self.available = False
        if not isinstance(error, _FORESEEN):
            log_unexpected(error)
        if not self._reported:
            self._reported = True
            self._on_change(type(error).__name__)

    async def _probe_regularly(self) -> None:
        while not await self._is_closing_within(PROBE_INTERVAL_SECONDS):
            if not self.available:
                # A connection cut off in the middle of an answer must not deliver the rest as the next answer.
                with suppress(Exception):
                    await self._redis.connection_pool.disconnect()
            await self._probe()

    async def _is_closing_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        return self._closing.is_set()

    async def _probe(self) -> None:
        """Load the script into the server, which may have lost it; success makes the counters available."""
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
                self._script = await self._redis.script_load(_SCRIPT)
                if (await self._redis.info("cluster")).get("cluster_enabled"):
                    raise ClusterSplitsKeys
        except Exception as error:  # noqa: BLE001 - the next probe is in a second
            self._set_unavailable(error)
            return
        self.available = True
        if self._reported:
            self._reported = False
            self._on_change(None)


class _Request:
    """One request that waits for its decision."""

    __slots__ = ("_checked_only", "_counted", "decision")

    def __init__(self, counted: Sequence[LimitKey], checked_only: Sequence[LimitKey]) -> None:
        self._counted = counted
        self._checked_only = checked_only
        self.decision: asyncio.Future[LimitDecision | None] = asyncio.get_running_loop().create_future()

    def script_input(self, key_name: KeyName) -> tuple[list[str], list[int]]:
        """Return the script's KEYS and ARGV."""
        keys = (*self._counted, *self._checked_only)
        names = [key_name(limit.kind, key) for limit, key in keys]
        return names, [len(self._counted), *(n for limit, _ in keys for n in (limit.interval_ns, limit.burst_ns))]

    def read(self, answer: object) -> LimitDecision | None:
        """Return the decision from the script's answer; ValueError when the script cannot have returned it."""
        ahead_ns = answer[1:] if isinstance(answer, list) else []
        keys = (*self._counted, *self._checked_only)
        if len(ahead_ns) != len(keys) or not all(
            isinstance(ahead, int) and 0 <= ahead <= limit.burst_ns
            for ahead, (limit, _) in zip(ahead_ns, keys, strict=True)
        ):
            raise ValueError("not an answer of the script")
        return decide_spike_arrest(self._counted, self._checked_only, ahead_ns)

    def finish(self, decision: LimitDecision | None) -> None:
        """Deliver the decision unless the caller was cancelled."""
        if not self.decision.done():
            self.decision.set_result(decision)
