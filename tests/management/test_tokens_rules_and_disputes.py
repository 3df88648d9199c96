"""Tokens are revoked, held rules released and disputes decided by the management API, as by command (D11, D30, D31)."""

import asyncio
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from credence.companies.facts.dispute import DisputeStatus
from credence.datasets.disputes import read, record
from credence.datasets.replication.publishing import catch_up, publisher
from credence.monitoring.loaded import Held, Mark, save_mark
from tests.management.conftest import Managed, managing
from tests.management.test_applications import acts
from tests.management.test_data import deeds

DISPUTE = {"status": "open", "field": "Status", "note": "It trades."}


async def test_a_token_is_revoked_once(managed: Managed) -> None:
    tokens = await managed.main.tokens()
    for _ in range(2):
        revoked = await managed.call("POST", "/tokens/revoke", {"token_value": tokens["access_token"]})
        assert (revoked.status, revoked.json["client_id"]) == (200, managed.main.application.client_id), revoked
    assert (await managed.main.report(tokens["access_token"])).status == 401
    (line,) = await acts(managed)
    assert (line["act"], line["application"], line["account"]) == ("token revoke", revoked.json["client_id"], "ada")
    assert tokens["access_token"] not in str(line)


async def test_a_refresh_token_is_revoked_with_its_login(managed: Managed) -> None:
    tokens = await managed.main.tokens()
    assert (await managed.call("POST", "/tokens/revoke", {"token_value": tokens["refresh_token"]})).status == 200
    assert (await managed.main.report(tokens["access_token"])).status == 401
    assert (await managed.main.refresh(tokens["refresh_token"])).status == 401


async def test_a_text_that_is_no_token_is_refused_without_a_line(managed: Managed) -> None:
    refused = await managed.call("POST", "/tokens/revoke", {"token_value": "nonsense"})
    assert (refused.status, "not a token of this deployment" in refused.json["detail"]) == (422, True)
    assert deeds(managed) == []


async def test_the_events_of_a_held_rule_are_released_once(managed: Managed) -> None:
    await save_mark(managed.main.store, 0, Mark(held={"band": Held(30, 100, 1_700_000_000_000)}))
    (held,) = (await managed.call("GET", "/held-rules")).json["rules"]
    assert (held["rule"], held["companies"], held["events"]) == ("band", 30, "wait")
    for _ in range(2):
        assert (await managed.call("POST", "/held-rules/band/release")).json["events"] == "released"
    assert (await managed.call("POST", "/held-rules/score/release")).status == 404
    changes: list[Any] = [line["changes"] for line in await acts(managed)]
    assert changes == [{"events": {"before": "wait", "after": "released"}}]


async def test_a_dispute_is_opened_once_and_decided(managed: Managed) -> None:
    for _ in range(2):
        opened = await managed.call("POST", "/disputes/1234567", DISPUTE)
        assert (opened.status, opened.json["company"], opened.json["status"]) == (200, "01234567", "open"), opened
    decided = await managed.call("POST", "/disputes/01234567", {"status": "upheld", "field": "Status"})
    assert (decided.json["note"], decided.json["status"]) == ("It trades.", "upheld")
    assert decided.json["decided_by"]
    opened_line: Any
    decided_line: Any
    opened_line, decided_line = [line["changes"] for line in await acts(managed)]
    assert opened_line == {"status": {"after": "open"}, "note": {}}
    assert decided_line == {
        "status": {"before": "open", "after": "upheld"},
        "decided_by": {"before": "", "after": decided.json["decided_by"]},
    }


async def test_a_dispute_that_says_too_little_leaves_no_line(managed: Managed) -> None:
    refused = await managed.call("POST", "/disputes/01234567", {"status": "open", "field": "Status"})
    assert (refused.status, refused.json["detail"]) == (422, "A new dispute needs a note.")
    assert deeds(managed) == []


async def test_the_spaces_of_a_field_make_no_other_dispute(managed: Managed) -> None:
    await managed.call("POST", "/disputes/01234567", DISPUTE)
    decided = await managed.call("POST", "/disputes/01234567", {"status": "upheld", "field": " Status "})
    assert (decided.status, decided.json["note"], decided.json["status"]) == (200, "It trades.", "upheld"), decided
    changes: Any = (await acts(managed))[-1]["changes"]
    assert changes["status"] == {"before": "open", "after": "upheld"}


async def test_a_received_dispute_in_place_of_an_undecided_one_is_refused_without_a_line(managed: Managed) -> None:
    await managed.call("POST", "/disputes/01234567", DISPUTE)
    refused = await managed.call("POST", "/disputes/01234567", {"status": "received", "field": "Status"})
    said = "A dispute about Status of this company is undecided already."
    assert (refused.status, refused.json["detail"], len(deeds(managed))) == (422, said, 1)


async def test_a_dispute_that_another_node_has_decided_is_opened_again(tmp_path: Path, migrated_postgres: str) -> None:
    """This node's file still says that it is open, so the act is not a repeated one."""
    async with managing(tmp_path / "one", store=migrated_postgres) as managed:
        assert (await managed.call("POST", "/disputes/01234567", DISPUTE)).status == 200
        folder, publish = tmp_path / "other", publisher(migrated_postgres)
        catch = partial(catch_up, migrated_postgres, folder)
        upheld = partial(record, folder, "01234567", "Status", "", DisputeStatus.UPHELD, date(2023, 11, 14), publish)
        folder.mkdir()
        await asyncio.to_thread(catch)
        await asyncio.to_thread(upheld)
        assert (await managed.call("POST", "/disputes/01234567", DISPUTE)).json["status"] == "open"
        await asyncio.to_thread(catch)
        (dispute,) = read(folder)["01234567"]
        assert dispute.status is DisputeStatus.OPEN
        changes: Any = (await acts(managed))[-1]["changes"]
        assert changes["status"] == {"before": "upheld", "after": "open"}
