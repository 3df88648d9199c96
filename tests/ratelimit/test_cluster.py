"""A cluster as shared counters: it cannot make one decision about several keys, and the node counts alone (D16)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from credence.ratelimit import redis_counters
from credence.ratelimit.limits import rate_limit
from credence.ratelimit.redis_counters import RedisCounters
from tests.counters import CountersServer, counters_server


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[CountersServer]:
    """A cluster of one server, which has all slots."""
    with counters_server(tmp_path / "counters", **{"cluster-enabled": "yes"}) as server:
        server.ask(lambda redis: redis.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16_383))  # type: ignore[no-untyped-call]
        yield server


def test_a_cluster_refuses_a_script_whose_keys_belong_to_several_slots(cluster: CountersServer) -> None:
    with pytest.raises(ResponseError, match="same slot"):
        cluster.ask(lambda redis: redis.eval("return 1", 2, "one", "other"))


async def test_counters_in_a_cluster_are_unavailable_and_stay_so(
    cluster: CountersServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script itself can be loaded: without a look at the server each probe would call it available again."""
    monkeypatch.setattr(redis_counters, "PROBE_INTERVAL_SECONDS", 0.02)
    changes: list[str | None] = []
    counters = RedisCounters(cluster.url, lambda kind, key: f"{kind} {key!r}", changes.append, 10.0)
    await counters.open()
    limit = rate_limit("account", 1, 1)
    assert limit is not None
    for _ in range(10):
        assert await counters.admit([(limit, "ada"), (limit, "bob")], []) is None
        await asyncio.sleep(0.03)
    await counters.close()
    assert changes == ["ClusterSplitsKeys"]
