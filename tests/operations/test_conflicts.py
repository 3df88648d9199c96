"""An act on an object that others change at the same time (threats E10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
import pytest
from msgspec import Struct

from credence.api.resources.acting import means_of
from credence.operations.acting import Acting
from credence.operations.applications import APPLICATION, OPERATOR
from credence.operations.operation import Change, operation
from credence.operations.perform import perform
from credence.store.collections import ATTEMPTS
from credence.store.contract import Conflict
from credence.store.records import Application
from tests.deployment import NOW, Deployment


@dataclass
class Renaming:
    """Gives the application another name, while others change it during so many attempts."""

    deployment: Deployment
    others: int
    to: str = "Store"
    attempts: int = 0
    lines: list[Mapping[str, object]] = field(default_factory=list)

    async def run(self, *, has_read: bool = False) -> None:
        @operation("app rename", on=APPLICATION, access=OPERATOR, title="Rename it", here_only="Of this test.")
        async def rename(_by: Acting, found: Application, _body: None) -> Change[Application]:
            """Give it another name."""
            self.attempts += 1
            if self.attempts <= self.others:
                changed = msgspec.structs.replace(found, spike_per_minute=self.attempts, version=found.version + 1)
                await self.deployment.store.save_application(changed, NOW)
            return Change(msgspec.structs.replace(found, name=self.to.format(attempt=self.attempts)))

        async def record(line: Mapping[str, object]) -> None:
            self.lines.append(line)

        def is_as_read(_state: Struct) -> None:
            pass

        by = Acting(means_of(self.deployment.service), lambda: NOW, "ada", record)
        version = is_as_read if has_read else None
        await perform(rename, by, self.deployment.application.client_id, require_version=version)


async def test_it_begins_again_after_each_change_and_keeps_what_others_did(deployment: Deployment) -> None:
    renaming = Renaming(deployment, others=ATTEMPTS - 1)
    await renaming.run()
    kept = await deployment.store.application(deployment.application.client_id)
    assert kept is not None
    assert (kept.name, kept.spike_per_minute, renaming.attempts) == ("Store", ATTEMPTS - 1, ATTEMPTS)
    changed = {"name": {"before": "Ledger", "after": "Store"}}
    assert renaming.lines == [{"act": "app rename", "application": kept.client_id, "changes": changed}]


async def test_a_change_that_is_another_one_in_the_next_attempt_has_a_second_line_with_its_number(
    deployment: Deployment,
) -> None:
    renaming = Renaming(deployment, others=1, to="Store {attempt}")
    await renaming.run()
    first, second = renaming.lines
    assert ("attempt" in first, first["changes"]) == (False, {"name": {"before": "Ledger", "after": "Store 1"}})
    assert (second["attempt"], second["changes"]) == (2, {"name": {"before": "Ledger", "after": "Store 2"}})
    kept = await deployment.store.application(deployment.application.client_id)
    assert kept is not None
    assert kept.name == "Store 2"


@pytest.mark.parametrize(("has_read", "attempts"), [(False, ATTEMPTS), (True, 1)])
async def test_it_ends_with_a_conflict_at_last_or_at_once_if_the_caller_has_read_the_object(
    deployment: Deployment, has_read: bool, attempts: int
) -> None:
    renaming = Renaming(deployment, others=100)
    with pytest.raises(Conflict):
        await renaming.run(has_read=has_read)
    kept = await deployment.store.application(deployment.application.client_id)
    assert kept is not None
    assert (kept.name == "Store", renaming.attempts) == (False, attempts)
