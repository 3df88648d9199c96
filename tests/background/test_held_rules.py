"""The gauge of rules that are held follows the store (D31, threats F11)."""

from credence.background.metrics import HeldWatch
from credence.monitoring.loaded import Held, Mark, decide_held, save_mark
from tests.deployment import Deployment


async def test_the_gauge_counts_the_rules_that_wait_for_the_operator(deployment: Deployment) -> None:
    watch, store = HeldWatch(deployment.service), deployment.store
    await watch.look()
    assert watch.rules == 0
    held = Held(30, 100, 1)
    await save_mark(store, 0, Mark(held={"band": held, "score": held}))
    await watch.look()
    assert watch.rules == 2
    assert await decide_held(store, "band", release=True)
    await watch.look()
    assert watch.rules == 2  # until the next comparison
