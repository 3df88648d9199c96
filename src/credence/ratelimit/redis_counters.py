"""Spike arrest that nodes share through Valkey or Redis (D16, threats A6): one script, one round trip, the server's time.

Requests that come while one round trip is under way go together in the next, over one connection. When the server is
away, or slower than a small deadline, whoever waits is told at once to count locally, nobody else asks, and a task of its
own knocks until the server answers again. The same task finds out that it is away when nobody asks.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.resources import files

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from credence.ratelimit.limiter import Claim, Key, Verdict, judge

DEADLINE = 0.1
"""Seconds that a round trip may take."""

KNOCK_EVERY = 1.0
"""Seconds between two looks whether the server is there."""

KNOCK_DEADLINE = 2.0

MOST_AT_ONCE = 256
"""Requests that share a round trip; the server does nothing else meanwhile."""

_SCRIPT = files("credence.ratelimit").joinpath("spike.lua").read_text(encoding="ascii")

NameOf = Callable[[str, Key], str]
"""Given kind and key, the name in the server: a keyed digest, because others may read what lies there."""


class SharedCounters:
    """Counts in the server at `url`. `changed` hears why it is away, once, and None when it is back."""

    def __init__(
        self, url: str, name_of: NameOf, changed: Callable[[str | None], None], deadline: float = DEADLINE
    ) -> None:
        self.up = False
        """Whether the server is asked."""
        self._redis = Redis.from_url(url, retry=Retry(NoBackoff(), 0), max_connections=2)
        self._name_of = name_of
        self._changed = changed
        self._deadline = deadline
        self._script = ""
        self._said = False
        self._closing = asyncio.Event()
        self._waiting: list[_Question] = []
        self._asking: asyncio.Task[None] | None = None
        self._tending: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Try the server once, and from then on keep looking whether it is there."""
        await self._knock()
        self._tending = asyncio.create_task(self._tend())

    async def close(self) -> None:
        """Let go of the server."""
        self._closing.set()
        for task in (self._asking, self._tending):
            if task is not None:
                await task  # both end by themselves, after a deadline at the latest
        self.up = False
        await self._redis.aclose()

    async def admit(self, counted: Sequence[Claim], consulted: Sequence[Claim]) -> Verdict | None:
        """Return the verdict; None when the server is away. It waits for the deadline at most."""
        if not self.up:
            return None
        question = _Question(counted, consulted)
        self._waiting.append(question)
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        return await question.verdict

    async def _ask(self) -> None:
        """Ask for all who wait, together, until nobody does."""
        while self._waiting:
            asked, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                async with asyncio.timeout(self._deadline):
                    answers = await self._round_trip(asked)
                verdicts = [each.judged(answer) for each, answer in zip(asked, answers, strict=True)]
            except (RedisError, OSError, ValueError) as error:  # TimeoutError is an OSError
                asked += self._waiting
                self._waiting, verdicts = [], [None] * len(asked)
                self._lose(type(error).__name__)
            for question, verdict in zip(asked, verdicts, strict=True):
                question.settle(verdict)
        self._asking = None

    async def _round_trip(self, asked: Sequence["_Question"]) -> list[object]:
        async with self._redis.pipeline(transaction=False) as pipeline:
            for question in asked:
                names, arguments = question.words(self._name_of)
                pipeline.evalsha(self._script, len(names), *names, *arguments)
            answers: list[object] = await pipeline.execute()
            return answers

    def _lose(self, fault: str) -> None:
        self.up = False
        if not self._said:
            self._said = True
            self._changed(fault)

    async def _tend(self) -> None:
        while not await self._is_closing_within(KNOCK_EVERY):
            if not self.up:
                # What was cut off in the middle of an answer must not be read as the answer to something else.
                with suppress(RedisError, OSError):
                    await self._redis.connection_pool.disconnect()
            await self._knock()

    async def _is_closing_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        return self._closing.is_set()

    async def _knock(self) -> None:
        """Bring the server the script, if it has forgotten it; that it takes it is the sign that it is there."""
        try:
            async with asyncio.timeout(KNOCK_DEADLINE):
                self._script = await self._redis.script_load(_SCRIPT)
        except (RedisError, OSError, ValueError) as error:
            self._lose(type(error).__name__)
            return
        self.up = True
        if self._said:
            self._said = False
            self._changed(None)


class _Question:
    """One request that waits for its verdict."""

    __slots__ = ("consulted", "counted", "verdict")

    def __init__(self, counted: Sequence[Claim], consulted: Sequence[Claim]) -> None:
        self.counted = counted
        self.consulted = consulted
        self.verdict: asyncio.Future[Verdict | None] = asyncio.get_running_loop().create_future()

    def words(self, name_of: NameOf) -> tuple[list[str], list[int]]:
        """Return names and arguments for the script."""
        claims = (*self.counted, *self.consulted)
        names = [name_of(pace.kind, key) for pace, key in claims]
        return names, [len(self.counted), *(part for pace, _ in claims for part in (pace.interval, pace.full))]

    def judged(self, answer: object) -> Verdict | None:
        """Return what the script's answer means; ValueError when the script cannot have given it."""
        aheads = answer[1:] if isinstance(answer, list) else []
        claims = (*self.counted, *self.consulted)
        if len(aheads) != len(claims) or not all(
            isinstance(ahead, int) and 0 <= ahead <= pace.full for ahead, (pace, _) in zip(aheads, claims, strict=True)
        ):
            raise ValueError("no answer of the script")
        return judge(self.counted, self.consulted, aheads)

    def settle(self, verdict: Verdict | None) -> None:
        """Tell the one who waits, unless he has left."""
        if not self.verdict.done():
            self.verdict.set_result(verdict)
