"""An agent may call for days: memory stays flat over 100,000 calls."""

import gc
import json
import sys

import pytest

from tests.deployment import Deployment
from tests.mcp.messages import fields, stateless, token

CALLS = 100_000
MAX_GROWTH_BLOCKS = 9_000
"""Blocks of Python's allocator between the first tenth of the calls and their end: one in ten calls. A call that left a
single object behind would make ten times as many."""


@pytest.mark.long
@pytest.mark.settings(
    spike_per_minute=0,
    spike_account_per_minute=0,
    spike_address_per_minute=0,
    request_log_days=0,  # nothing here writes what waits for the disk
)
async def test_memory_stays_flat_over_a_hundred_thousand_summaries(deployment: Deployment) -> None:
    message = stateless("tools/call", name="company_summary", arguments={"number": "99999999"})
    bearer = ("Authorization", f"Bearer {await token(deployment)}")
    headers = [("Content-Type", "application/json"), bearer, *fields(message)]
    body = json.dumps(message).encode()
    after_a_tenth = 0
    for call in range(1, CALLS + 1):
        assert (await deployment.send("POST", "/mcp", headers, body)).status == 200
        if call == CALLS // 10:
            after_a_tenth = _blocks()
    assert _blocks() - after_a_tenth < MAX_GROWTH_BLOCKS


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()
