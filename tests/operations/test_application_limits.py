"""Decisions about limits by command, for an auditor who has no place in the workbench."""

import asyncio
from pathlib import Path

from credence.app import open_store
from credence.settings import Settings
from credence.store.limit_decisions import LIMIT_DECISIONS, LimitDecision
from tests.cli.deployment import Deployment
from tests.store.records import limit_decision


def test_the_decisions_of_an_application_are_listed_by_command(tmp_path: Path) -> None:
    deployment = Deployment(tmp_path / "data")
    owner, other = (deployment.json("app", "create", name)["client_id"] for name in ("Shop", "Store"))
    asyncio.run(
        _save(deployment.data_dir, limit_decision(owner=owner), limit_decision(owner=other, company="00000002"))
    )
    (listed,) = deployment.json("app", "approved-limits", owner)
    found = tuple(listed[name] for name in ("company_number", "amount", "in_force", "why"))
    assert found == ("00000001", 500, True, "Pays on time")


async def _save(data_dir: Path, *decisions: LimitDecision) -> None:
    store = await open_store(Settings(data_dir=data_dir))
    try:
        for each in decisions:
            await store.save(LIMIT_DECISIONS, each)
    finally:
        await store.close()
