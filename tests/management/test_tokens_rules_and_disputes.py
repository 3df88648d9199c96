"""Tokens are revoked, held rules released and disputes decided by the management API, as by command (D11, D30, D31)."""

from typing import Any

from credence.monitoring.loaded import Held, Mark, save_mark
from tests.management.conftest import Managed
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
