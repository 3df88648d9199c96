"""The management API for applications: what it answers, what it refuses, and what is done when it says so (D30)."""

import json

import pytest

from credence.telemetry.audit_files import DEEDS, files_in_order
from tests.deployment import Reply
from tests.management.conftest import Managed
from tests.oauth.standard import ask

NEW = {"name": "Reports", "grants": ["client_credentials"], "scopes": ["credit:report"]}


async def made(managed: Managed) -> Reply:
    reply = await managed.call("POST", "/applications", NEW)
    assert reply.status == 201, reply
    return reply


async def acts(managed: Managed) -> list[dict[str, str]]:
    (file,) = files_in_order(managed.main.service.settings.audit_folder, DEEDS)
    return [each for line in file.read_text().splitlines() if (each := json.loads(line))["event"] == "operator"]


async def test_a_new_application_gets_tokens_with_its_secret(managed: Managed) -> None:
    reply = await made(managed)
    assert reply.headers["location"] == f"/manage/v1/applications/{reply.json['client_id']}"
    stored = await managed.main.store.application(reply.json["client_id"])
    assert stored is not None
    managed.main.application, managed.main.secret = stored, reply.json["client_secret"]
    assert (await ask(managed.main, {"grant_type": "client_credentials"})).json["scope"] == "credit:report"


async def test_a_secret_is_shown_once(managed: Managed) -> None:
    first = await made(managed)
    secret = first.json["client_secret"]
    read = await managed.call("GET", f"/applications/{first.json['client_id']}")
    listed = await managed.call("GET", "/applications")
    assert secret.encode() not in read.body + listed.body
    assert [each["id"] for each in read.json["secrets"]] == [str(managed.main.now)]


async def test_the_list_is_walked_page_by_page(managed: Managed) -> None:
    expected = sorted([(await made(managed)).json["client_id"] for _ in range(3)])
    seen, path = [], "/applications?page_size=2"
    while path:
        page = await managed.call("GET", path)
        assert len(page.json["applications"]) <= 2
        seen += [each["client_id"] for each in page.json["applications"]]
        link = page.headers.get("link", "")
        path = link.partition(">")[0].removeprefix("</manage/v1") if link else ""
    assert [each for each in seen if each in expected] == expected
    assert seen == sorted(set(seen)) == [each.client_id for each in await managed.main.store.applications()]


async def test_a_change_needs_the_tag_of_the_version_that_was_read(managed: Managed) -> None:
    """RFC 9110 §13.1.1, RFC 6585 §3."""
    created = await made(managed)
    path = f"/applications/{created.json['client_id']}"
    tag = (await managed.call("GET", path)).headers["etag"]
    assert tag == created.headers["etag"]
    assert (await managed.call("PATCH", path, {"name": "B"})).status == 428
    changed = await managed.call("PATCH", path, {"name": "B"}, tag=tag)
    assert (changed.status, changed.json["name"]) == (200, "B")
    late = await managed.call("PATCH", path, {"name": "C"}, tag=tag)
    assert (late.status, late.headers["content-type"]) == (412, "application/problem+json")
    assert late.json["reason"] == "if_match.other_version"
    assert late.json["request_id"] == late.headers["x-request-id"]


async def test_null_gives_a_member_its_default_and_the_rest_stays(managed: Managed) -> None:
    """RFC 7396 §2."""
    path = f"/applications/{(await made(managed)).json['client_id']}"
    tag = (await managed.call("GET", path)).headers["etag"]
    patch = {"access_token_lifetime": 60, "rules": {"networks": ["192.0.2.0/24"], "time_zone": "Europe/London"}}
    first = await managed.call("PATCH", path, patch, tag=tag)
    assert (first.json["access_token_lifetime"], first.json["rules"]["networks"]) == (60, ["192.0.2.0/24"])
    patch = {"access_token_lifetime": None, "rules": {"networks": None}}
    second = await managed.call("PATCH", path, patch, tag=first.headers["etag"])
    assert (second.json["access_token_lifetime"], second.json["rules"]["networks"]) == (None, [])
    assert second.json["rules"]["time_zone"] == "Europe/London"
    assert second.json["scopes"] == ["credit:report"]


async def test_what_was_read_can_be_put_and_changes_nothing(managed: Managed) -> None:
    """threats E10: get then put; and a second put of the same is the same."""
    path = f"/applications/{(await made(managed)).json['client_id']}"
    read = await managed.call("GET", path)
    only_known = {"client_id", "created_at", "secrets", "owner", "tokens_valid_from"}
    body = {name: value for name, value in read.json.items() if name not in only_known}
    for _ in range(2):
        put = await managed.call("PUT", path, body, tag=read.headers["etag"])
        assert (put.status, put.body) == (200, read.body)
    assert [each["act"] for each in await acts(managed)] == ["app create"]


async def test_disabling_revokes_the_tokens(managed: Managed) -> None:
    token = (await managed.main.tokens())["access_token"]
    path = f"/applications/{managed.main.application.client_id}"
    tag = (await managed.call("GET", path)).headers["etag"]
    assert (await managed.call("PATCH", path, {"disabled": True}, tag=tag)).json["disabled"] is True
    assert (await managed.main.report(token)).status == 401


async def test_the_old_secret_lives_on_for_as_long_as_asked_and_can_be_ended(managed: Managed) -> None:
    path, first = f"/applications/{managed.main.application.client_id}", managed.main.secret
    managed.main.now += 1
    added = await managed.call("POST", f"{path}/secrets", {"keep_old_seconds": 60})
    assert added.status == 201
    new, old = added.json["secrets"]
    assert (new["expires_at"], old["expires_at"]) == (None, "2023-11-14T22:14:20Z")
    for secret in (first, added.json["client_secret"]):
        managed.main.secret = secret
        assert (await managed.main.login()).status == 200
    tag = (await managed.call("GET", path)).headers["etag"]
    assert (await managed.call("DELETE", f"{path}/secrets/{old['id']}")).status == 428
    for unknown in ("1", "x", "9" * 30):
        assert (await managed.call("DELETE", f"{path}/secrets/{unknown}", tag=tag)).status == 404
    assert (await managed.call("DELETE", f"{path}/secrets/{old['id']}", tag=tag)).json["secrets"] == [new]
    managed.main.secret = first
    assert (await managed.main.login()).status == 401


async def test_a_repeated_request_makes_one_application_and_its_secret_is_not_kept(managed: Managed) -> None:
    first = await managed.call("POST", "/applications", NEW, Idempotency_Key="once")
    again = await managed.call("POST", "/applications", NEW, Idempotency_Key="once")
    assert (again.status, again.json["client_id"]) == (201, first.json["client_id"])
    assert "client_secret" in first.json
    assert "client_secret" not in again.json
    other = await managed.call("POST", "/applications", {**NEW, "name": "Other"}, Idempotency_Key="once")
    assert other.status == 422


@pytest.mark.parametrize("preview", ["true", "false"])
async def test_a_preview_changes_nothing_and_leaves_no_line(managed: Managed, preview: str) -> None:
    done = preview == "false"
    before = len(await managed.main.store.applications())
    reply = await managed.call("POST", f"/applications?preview={preview}", NEW, Idempotency_Key="k")
    assert ("client_secret" in reply.json, reply.json["name"]) == (done, "Reports")
    assert len(await managed.main.store.applications()) == before + done
    path = f"/applications/{managed.main.application.client_id}"
    tag = (await managed.call("GET", path)).headers["etag"]
    reply = await managed.call("PATCH", f"{path}?preview={preview}", {"disabled": True}, tag=tag)
    stored = await managed.main.store.application(managed.main.application.client_id)
    assert (reply.json["disabled"], stored is not None and stored.disabled) == (True, done)
    if done:
        assert [each["act"] for each in await acts(managed)] == ["app create", "app set"]
    else:
        assert not files_in_order(managed.main.service.settings.audit_folder, DEEDS)


async def test_each_act_is_in_the_audit_trail_with_who_did_it(managed: Managed) -> None:
    client_id = (await made(managed)).json["client_id"]
    (act,) = await acts(managed)
    assert (act["act"], act["application"]) == ("app create", client_id)
    assert act["operator"] == act["through"] != client_id
    assert act["route"] == "/manage/v1/applications"


async def test_nothing_is_done_when_the_line_cannot_be_written(managed: Managed) -> None:
    """threats F2."""
    folder = managed.main.service.settings.audit_folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")
    before = await managed.main.store.applications()
    reply = await managed.call("POST", "/applications", NEW)
    assert (reply.status, reply.headers["content-type"]) == (500, "application/problem+json")
    assert await managed.main.store.applications() == before


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "documented members"),
        ({"name": " "}, "needs a name"),
        ({"name": "A", "secrets": []}, "documented members"),
        ({"name": "A", "grants": ["none"]}, "There is no grant 'none'"),
        ({"name": "A", "rules": {"networks": ["a"]}}, "is not an address range"),
        ({"name": "A", "rules": {"windows": ["Mon, Tue"]}}, "no comma"),
        ({"name": "A", "authentication": "private_key_jwt"}, "needs a key set"),
        ({"name": "A", "access_token_lifetime": 0}, "documented members"),
        ({"name": "A", "jwks": {"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}}, "key"),
    ],
)
async def test_what_cannot_be_is_refused_with_its_reason(managed: Managed, body: object, detail: str) -> None:
    reply = await managed.call("POST", "/applications", body)
    assert (reply.status, reply.headers["content-type"]) == (422, "application/problem+json"), reply
    assert detail in reply.json["detail"]
    assert b"c2VjcmV0" not in reply.body
