"""What the management API shows of a deployment, invitations and consents (D16, D28, D30)."""

import datetime as dt
import json

import pytest

from credence.companies.facts.dispute import DisputeStatus
from credence.datasets import disputes
from credence.store.sign_ins import Consent
from tests.management.conftest import Managed
from tests.management.test_applications import acts


async def test_every_scope_names_the_resource_of_its_tokens(managed: Managed) -> None:
    found = {each["scope"]: each for each in (await managed.call("GET", "/scopes")).json["scopes"]}
    assert found["manage:read"]["resource"] == managed.resource
    assert found["credit:report"]["resource"] == managed.main.service.settings.token_audience


async def test_the_rates_are_those_of_the_settings(managed: Managed) -> None:
    settings = managed.main.service.settings
    found = {each["of"]: each for each in (await managed.call("GET", "/limits")).json["limits"]}
    assert found["address"] == {
        "of": "address",
        "per_minute": settings.spike_address_per_minute,
        "burst": settings.spike_address_burst,
    }


async def test_the_doctor_examines_the_public_address(managed: Managed) -> None:
    """Nothing listens there. The applications are examined where the store is (D35)."""
    reply = await managed.call("GET", "/doctor")
    assert (reply.status, reply.json["address"]) == (200, managed.main.service.settings.issuer)
    assert [(each["check"], each["outcome"]) for each in reply.json["findings"]] == [
        ("reached", "failure"),
        ("PKCE of applications", "ok"),
    ]


async def test_an_application_registers_itself_with_an_invitation(managed: Managed) -> None:
    preview = await managed.call("POST", "/invitations?preview=true", {"scopes": ["credit:report"]})
    assert (preview.status, "initial_access_token" in preview.json) == (200, False)
    reply = await managed.call("POST", "/invitations", {"scopes": ["credit:report"]}, Idempotency_Key="one")
    assert (reply.status, reply.json["scopes"], reply.json["uses"]) == (201, ["credit:report"], 1)
    assert reply.json["initial_access_token"].startswith("crd_")
    again = await managed.call("POST", "/invitations", {"scopes": ["credit:report"]}, Idempotency_Key="one")
    assert (again.status, "initial_access_token" in again.json) == (201, False)
    assert [each["act"] for each in await acts(managed)] == ["app invite"]


@pytest.mark.parametrize(
    "body",
    [{"uses": 0}, {"uses": 10_000}, {"expires_in": -1}, {"grants": ["none"]}, {"scopes": ["none"]}, {"a": 1}, []],
)
async def test_an_invitation_that_cannot_be_is_refused(managed: Managed, body: object) -> None:
    assert (await managed.call("POST", "/invitations", body)).status == 422


async def test_an_invitation_hands_on_no_scope_that_the_token_lacks(managed: Managed) -> None:
    """threats E13."""
    token = await managed.token_for("manage:applications")
    reply = await managed.call("POST", "/invitations", {"scopes": ["manage:keys"]}, token=token)
    assert (reply.status, (await managed.call("GET", "/audit?act=app%20invite")).json["lines"]) == (403, [])


async def test_a_consent_is_listed_and_withdrawn(managed: Managed) -> None:
    client = managed.main.application.client_id
    await managed.main.store.save_consent(Consent("ada", client, "openid", b"", managed.main.now))
    (listed,) = (await managed.call("GET", "/accounts/ada/consents")).json["consents"]
    assert listed == {"client_id": client, "scope": "openid", "granted_at": "2023-11-14T22:13:20Z"}
    assert (await managed.call("DELETE", f"/accounts/ada/consents/{client}")).status == 204
    assert (await managed.call("DELETE", f"/accounts/ada/consents/{client}")).status == 404
    assert (await managed.call("GET", "/accounts/ada/consents")).json == {"consents": []}
    (act,) = await acts(managed)
    assert (act["act"], act["account"], act["application"]) == ("account withdraw-consent", "ada", client)


async def test_sources_that_are_not_loaded_are_listed_as_such(managed: Managed) -> None:
    found = (await managed.call("GET", "/data")).json["sources"]
    assert {"register", "accounts", "gazette", "scores"} <= {each["source"] for each in found}
    assert all(each["fault"] is None for each in found)


async def test_disputes_are_listed_with_the_day_by_which_they_must_be_decided(managed: Managed) -> None:
    folder = managed.main.service.settings.credit_folder
    folder.mkdir(parents=True, exist_ok=True)
    disputes.record(folder, "00000001", "CompanyName", "<script>", DisputeStatus.OPEN, dt.date(2026, 11, 2))
    (found,) = (await managed.call("GET", "/disputes")).json["disputes"]
    assert (found["company"], found["note"], found["answer_due"]) == ("00000001", "<script>", "2026-11-30")
    (folder / disputes.NAME).write_text("{")
    assert (await managed.call("GET", "/disputes")).status == 500


async def test_a_policy_that_cannot_be_read_says_why(managed: Managed) -> None:
    folder = managed.main.service.settings.policy_folder
    folder.mkdir(parents=True)
    (folder / "broken.toml").write_text("name = ")
    (found,) = (await managed.call("GET", "/policies")).json["policies"]
    assert (found["policy"], found["hash"], bool(found["fault"])) == ("broken", None, True)


async def test_the_audit_trail_is_searched_and_walked_page_by_page(managed: Managed) -> None:
    for name in ("one", "two", "three"):
        managed.main.now += 1000
        await managed.call("POST", "/applications", {"name": name})
    made = await managed.call("POST", "/accounts", {"type": "user", "username": "grace"})
    assert made.status == 201
    seen, before = [], ""
    while True:
        query = f"act=app%20create&page_size=1&before={before}" if before else "act=app%20create&page_size=1"
        page = (await managed.call("GET", f"/audit?{query}")).json
        seen += [each["application"] for each in page["lines"]]
        before = page["next_before"]
        if not before:
            break
    newest = [each.client_id for each in sorted(await managed.main.store.applications(), key=lambda a: -a.created_at)]
    assert seen == newest[:3]
    assert (await managed.call("GET", "/audit?account=grace")).json["lines"][0]["act"] == "account create"
    assert (await managed.call("GET", "/audit?trail=all")).status == 422
    assert (await managed.call("GET", "/audit?color=red")).status == 422
    assert made.json["password"] not in json.dumps((await managed.call("GET", "/audit")).json)
