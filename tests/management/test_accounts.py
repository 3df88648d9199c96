"""The management API for accounts, their sessions and logins, for keys and settings (D13, D14, D28, D30)."""

import pytest

from credence.identity.sessions import new_session
from credence.store.contract import StoreUnavailable
from credence.store.families import SignIn
from credence.store.records import TokenFamily
from tests.deployment import claims
from tests.management.conftest import Managed

PERSON = {"type": "user", "email": "grace@example.com", "first_name": "Grace"}


async def test_a_new_account_logs_in_with_the_password_that_is_shown_once(managed: Managed) -> None:
    reply = await managed.call("POST", "/accounts", {**PERSON, "username": "Grace"})
    assert (reply.status, reply.json["username"]) == (201, "grace")
    assert (await managed.main.login("grace", reply.json["password"])).status == 200
    read = await managed.call("GET", "/accounts/GRACE")
    assert (read.json["email"], "password" in read.json) == ("grace@example.com", False)
    assert (await managed.call("POST", "/accounts", {**PERSON, "username": "grace"})).status == 409


async def test_putting_an_account_twice_makes_it_once(managed: Managed) -> None:
    first = await managed.call("PUT", "/accounts/grace", PERSON)
    assert (first.status, "password" in first.json) == (201, True)
    assert (await managed.call("PUT", "/accounts/grace", PERSON)).status == 428
    read = await managed.call("GET", "/accounts/grace")
    again = await managed.call("PUT", "/accounts/grace", PERSON, tag=read.headers["etag"])
    assert (again.status, again.body) == (200, read.body)
    absent = await managed.call("PUT", "/accounts/nobody", PERSON, tag='"seen"')
    assert absent.status == 412


async def test_suspending_an_account_revokes_its_tokens_and_closing_is_permanent(managed: Managed) -> None:
    """D14."""
    token = (await managed.main.tokens())["access_token"]
    tag = (await managed.call("GET", "/accounts/ada")).headers["etag"]
    suspended = await managed.call("PATCH", "/accounts/ada", {"status": "suspended"}, tag=tag)
    assert suspended.json["status"] == "suspended"
    assert (await managed.main.report(token)).status == 401
    closed = await managed.call("PATCH", "/accounts/ada", {"status": "closed"}, tag=suspended.headers["etag"])
    reply = await managed.call("PATCH", "/accounts/ada", {"status": "active"}, tag=closed.headers["etag"])
    assert (reply.status, "stays closed" in reply.json["detail"]) == (422, True)


@pytest.mark.parametrize(
    "patch", [{"type": "service"}, {"type": None}, {"password": "x"}, {"email": "a\nb"}, {"rules": {"windows": ["?"]}}]
)
async def test_what_cannot_be_changed_is_refused(managed: Managed, patch: object) -> None:
    tag = (await managed.call("GET", "/accounts/ada")).headers["etag"]
    assert (await managed.call("PATCH", "/accounts/ada", patch, tag=tag)).status in {401, 422}


async def test_a_session_is_listed_and_ended(managed: Managed) -> None:
    store, now = managed.main.store, managed.main.now
    account = await store.account("ada")
    assert account is not None
    key = managed.main.service.authority.secrets.refresh
    session, _ = new_session(key, account, "pwd otp mfa", "Firefox on Linux", now, 3_600_000)
    await store.open_session(session, account)
    (listed,) = (await managed.call("GET", "/accounts/ada/sessions")).json["sessions"]
    assert (listed["label"], listed["acr"], listed["expires_at"]) == ("Firefox on Linux", "2", "2023-11-14T23:13:20Z")
    assert (await managed.call("DELETE", f"/accounts/grace/sessions/{listed['id']}")).status == 404
    assert (await managed.call("DELETE", f"/accounts/ada/sessions/{listed['id']}")).status == 204
    assert (await managed.call("GET", "/accounts/ada/sessions")).json == {"sessions": []}
    assert (await managed.call("DELETE", f"/accounts/ada/sessions/{listed['id']}")).status == 404


async def test_a_login_is_ended_by_the_sid_of_its_tokens(managed: Managed) -> None:
    tokens = await managed.main.tokens()
    sid = claims(tokens["access_token"])["sid"]
    assert (await managed.call("DELETE", f"/accounts/nobody/families/{sid}")).status == 404
    assert (await managed.call("DELETE", f"/accounts/ada/families/{sid}")).status == 204
    assert (await managed.main.report(tokens["access_token"])).status == 401
    assert (await managed.main.refresh(tokens["refresh_token"])).status == 401
    for unknown in ("AAAA", "~", "%00"):
        assert (await managed.call("DELETE", f"/accounts/ada/families/{unknown}")).status in {401, 404}


@pytest.mark.parametrize(
    ("path", "patch", "state"),
    [("/accounts/ada", {"first_name": "Ada"}, "open"), ("/accounts/ada", {"status": "suspended"}, "ended"),
     ("APPLICATION", {"disabled": True}, "ended")],
)  # fmt: skip
async def test_a_login_in_a_browser_has_the_state_of_its_tokens(
    managed: Managed, path: str, patch: dict[str, object], state: str
) -> None:
    """D14: leaving active and disabling end the tokens of the account and of the application."""
    main, client_id = managed.main, managed.main.application.client_id
    account = await main.store.account("ada")
    assert account is not None
    family = TokenFamily(b"f" * 22, client_id, "ada", "", main.now, main.now + 3_600_000, main.now, 60, "k1")
    await main.store.open_family(
        family, account, SignIn(family.id, b"", client_id, "ada", main.now, "pwd", offline=True)
    )
    path = path.replace("APPLICATION", f"/applications/{client_id}")
    tag = (await managed.call("GET", path)).headers["etag"]
    assert (await managed.call("PATCH", path, patch, tag=tag)).status == 200
    (listed,) = (await managed.call("GET", "/accounts/ada/families")).json["families"]
    assert listed["state"] == state


async def test_the_next_key_signs_when_verifiers_have_it(managed: Managed) -> None:
    """D13."""
    keys = (await managed.call("GET", "/keys")).json["keys"]
    waiting = {each["kid"] for each in keys if each["state"] == "published" and each["algorithm"] == "ES256"}
    early = await managed.call("POST", "/keys/ES256/roll")
    assert early.status == 422
    managed.main.now += 86_400_000
    token = await managed.token_for("manage:read", "manage:keys")
    preview = await managed.call("POST", "/keys/ES256/roll?preview=true", token=token)
    done = await managed.call("POST", "/keys/ES256/roll", token=token)
    assert preview.json == done.json
    assert done.json["signs_now"] in waiting
    assert (await managed.call("POST", "/keys/none/roll", token=token)).status == 404


async def test_settings_are_read_without_secrets(managed: Managed) -> None:
    rows = {each["setting"]: each for each in (await managed.call("GET", "/settings")).json["settings"]}
    assert (rows["manage_port"]["value"], rows["manage_port"]["source"]) == (8444, "CREDENCE_MANAGE_PORT")
    assert rows["key_encryption_key"]["value"] in ("", None, "********")


async def test_the_health_is_that_of_the_probe(managed: Managed) -> None:
    assert (await managed.call("GET", "/health")).json["status"] == "ready"


async def test_a_store_that_is_away_is_a_problem_too(managed: Managed, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_page: object) -> None:
        raise StoreUnavailable("no answer")

    monkeypatch.setattr(managed.main.store, "page", away)
    reply = await managed.call("GET", "/accounts")
    assert (reply.status, reply.headers["content-type"]) == (500, "application/problem+json")


async def test_the_description_has_every_route(managed: Managed) -> None:
    document = (await managed.call("GET", "/openapi.json")).json
    assert document["paths"]["/manage/v1/accounts/{username}"].keys() == {"get", "put", "patch"}
    assert "AccountState" in document["components"]["schemas"]
