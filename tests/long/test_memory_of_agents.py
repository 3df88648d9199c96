"""An agent may call for days: memory stays flat over 100,000 calls."""

import gc
import json
import tracemalloc

import pytest

from tests.deployment import Deployment
from tests.mcp.messages import fields, stateless, token

CALLS = 100_000
MAX_GROWTH_BYTES = 900_000
"""Between the first tenth of the calls and their end: ten bytes a call."""


@pytest.mark.long
@pytest.mark.settings(spike_per_minute=0, spike_account_per_minute=0, spike_address_per_minute=0)
async def test_memory_stays_flat_over_a_hundred_thousand_summaries(deployment: Deployment) -> None:
    message = stateless("tools/call", name="company_summary", arguments={"number": "99999999"})
    bearer = ("Authorization", f"Bearer {await token(deployment)}")
    headers = [("Content-Type", "application/json"), bearer, *fields(message)]
    body = json.dumps(message).encode()
    after_a_tenth = 0
    for call in range(1, CALLS + 1):
        assert (await deployment.send("POST", "/mcp", headers, body)).status == 200
        if call == CALLS // 10:
            gc.collect()
            tracemalloc.start()
            after_a_tenth = tracemalloc.get_traced_memory()[0]
    gc.collect()
    growth = tracemalloc.get_traced_memory()[0] - after_a_tenth
    tracemalloc.stop()
    assert growth < MAX_GROWTH_BYTES
