"""Route by scope: nobody reaches what is not theirs, and no other token opens the management API (threats E1, E12)."""

import pytest

from credence.identity import accounts
from credence.paths import MANAGEMENT
from credence.web.routes import ROUTES
from credence.web.routes_for_management import MANAGEMENT as TABLE
from credence.web.routing.route import Protection
from tests.deployment import NOW, PASSWORD, Deployment, ada
from tests.management.conftest import Managed
from tests.oauth.proving import Prover
from tests.oauth.standard import ask

SCOPES = ("manage:read", "manage:applications", "manage:accounts", "manage:keys", "manage:data")
CELLS = [(method, route) for route in TABLE if route.protection is Protection.BEARER for method in route.methods]
CELLS.sort(key=lambda cell: cell[1].path.endswith("/logins/end-all"))  # last: it ends the token that tries the others

ACTS = {
    "applications": "manage:applications",
    "accounts": "manage:accounts",
    "account-invitations": "manage:accounts",
    "keys": "manage:keys",
    "invitations": "manage:applications",
    "logins": "manage:applications",
    "streams": "manage:applications",
    "client-hosts": "manage:applications",
    "issuers": "manage:accounts",
    "issuer-links": "manage:accounts",
    "data": "manage:data",
    "outbox": "manage:applications",
    "tokens": "manage:accounts",
    "held-rules": "manage:data",
    "disputes": "manage:data",
}


def path_of(template: str) -> str:
    """A path of this form that names nothing that exists."""
    return "/".join("none" if part.startswith("{") else part for part in template.split("/"))


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_token_opens_exactly_the_routes_of_its_scope(managed: Managed, scope: str) -> None:
    """Reading needs `manage:read`; any other method the scope of what it changes, whatever else the token has."""
    token = await managed.token_for(scope)
    for method, route in CELLS:
        area = route.path.removeprefix(f"{MANAGEMENT}/").split("/")[0]
        needed = "manage:read" if method in {"GET", "HEAD"} else ACTS[area]
        path = path_of(route.path).removeprefix(MANAGEMENT)
        reply = await managed.call(method, path, {} if method in {"POST", "PUT", "PATCH"} else None, token=token)
        assert (reply.status == 403) is (scope != needed), (method, path, reply.status)
        assert reply.status < 500


async def test_without_a_token_only_the_probes_answer(managed: Managed) -> None:
    for route in TABLE:
        for method in route.methods:
            reply = await managed.managing.send(method, path_of(route.path))
            expected = {200} if route.protection is Protection.PUBLIC else {401}
            assert reply.status in expected, (method, route.path, reply.status)


async def test_no_token_of_the_credit_api_opens_it(managed: Managed) -> None:
    """RFC 8707, D32: not one with the scopes, when it is for another resource."""
    issuer = managed.main.service.settings.issuer
    for resource in ("", f"{issuer}/mcp"):
        token = await managed.token_for(*SCOPES, resource=resource)
        assert (await managed.call("GET", "/applications", token=token)).status == 401
    password = (await managed.main.tokens())["access_token"]
    assert (await managed.call("GET", "/applications", token=password)).status == 401


async def test_a_token_for_it_opens_nothing_else(managed: Managed) -> None:
    assert (await managed.main.report(managed.token)).status == 401


async def test_the_two_addresses_have_no_route_in_common_but_the_probes(managed: Managed) -> None:
    assert {route.path for route in ROUTES} & {route.path for route in TABLE} == {"/livez", "/readyz"}
    bearer = [("Authorization", f"Bearer {managed.token}")]
    assert (await managed.main.send("GET", f"{MANAGEMENT}/applications", bearer)).status == 404
    assert (await managed.managing.send("POST", "/oauth2/v1/token")).status == 404


async def test_a_page_of_another_origin_reads_nothing(managed: Managed) -> None:
    await managed.main.change_application(origins=("https://app.example",))
    reply = await managed.call("GET", "/applications", Origin="https://app.example")
    assert "access-control-allow-origin" not in reply.headers


async def test_an_application_without_a_list_of_scopes_has_none_of_them(managed: Managed) -> None:
    """threats A15: what may have every scope of the service may not manage it."""
    await managed.main.change_application(grants=("client_credentials",))
    form = {"grant_type": "client_credentials", "scope": "manage:read", "resource": managed.resource}
    assert (await ask(managed.main, form)).status == 400


async def test_no_token_is_issued_for_it_where_it_is_not_served(deployment: Deployment) -> None:
    await deployment.change_application(grants=("client_credentials",), scopes=("manage:read",))
    resource = f"{deployment.service.settings.issuer}{MANAGEMENT}"
    form = {"grant_type": "client_credentials", "scope": "manage:read", "resource": resource}
    assert (await ask(deployment, form)).json["error"] == "invalid_target"


async def test_nobody_gets_more_through_an_application_than_they_have(managed: Managed) -> None:
    """threats E13: neither by making one, nor by widening one, nor by a secret for one that has more."""
    token = await managed.token_for("manage:read", "manage:applications")
    wide = {"name": "Wide", "grants": ["client_credentials"], "scopes": ["manage:keys"]}
    assert (await managed.call("POST", "/applications", wide, token=token)).status == 403
    made = await managed.call("POST", "/applications", {**wide, "scopes": ["manage:read"]}, token=token)
    assert made.status == 201
    path = f"/applications/{made.json['client_id']}"
    tag = (await managed.call("GET", path)).headers["etag"]
    assert (await managed.call("PATCH", path, {"scopes": ["manage:keys"]}, token=token, tag=tag)).status == 403
    assert (await managed.call("PATCH", path, {"scopes": ["manage:keys"]}, tag=tag)).status == 200
    assert (await managed.call("POST", f"{path}/secrets", token=token)).status == 403
    assert (await managed.call("POST", f"{path}/secrets")).status == 201


async def test_a_bound_token_opens_the_management_api_with_a_proof_of_the_public_address_alone(
    managed: Managed,
) -> None:
    """RFC 9449 §4.3, §7.1: `htu` is ISSUER/manage/v1/…, wherever the API listens."""
    other = await managed.main.another_application()
    await other.change_application(
        grants=("client_credentials",), scopes=("manage:read", "manage:applications"), dpop_required=True
    )
    client = Prover(other)
    fields = {"grant_type": "client_credentials", "scope": "manage:read", "resource": managed.resource}
    token = (await client.ask(fields)).json["access_token"]
    path = f"{MANAGEMENT}/applications"

    async def status(scheme: str, *proofs: str) -> int:
        fields = [("Authorization", f"{scheme} {token}"), *(("DPoP", proof) for proof in proofs)]
        return (await managed.managing.send("GET", path, fields)).status

    assert await status("Bearer") == await status("DPoP") == 401
    assert await status("Bearer", client.proof("GET", path, token)) == 401
    assert await status("DPoP", client.proof("GET", "/manage/v1/accounts", token)) == 401
    assert await status("DPoP", client.proof("GET", path, token, htu=f"https://localhost:8444{path}")) == 401
    assert await status("DPoP", Prover(other).proof("GET", path, token)) == 401
    assert await status("DPoP", client.proof("GET", path, token)) == 200


async def test_a_person_manages_as_far_as_the_role_in_the_console_reaches(managed: Managed) -> None:
    """threats E13: an application that has the scopes does not give them to everybody who signs in to it."""
    caller = await managed.main.another_application()
    await caller.change_application(scopes=SCOPES)
    who = {"grant_type": "password", "username": "ada", "password": PASSWORD}
    form = {**who, "scope": " ".join(SCOPES), "resource": managed.resource}
    token = (await ask(caller, form)).json["access_token"]
    for role, expected in (("none", 403), ("reader", 403), ("support", 403), ("operator", 200), ("owner", 200)):
        await managed.main.change_account("ada", console_role=role)
        assert (await managed.call("GET", "/applications", token=token)).status == expected, role
    shown = {
        "none": (403, 403, 403),
        "reader": (200, 403, 403),
        "support": (200, 200, 403),
        "operator": (200, 200, 200),
    }
    for role, statuses in shown.items():  # as in the console
        await managed.main.change_account("ada", console_role=role)
        replies = [await managed.call("GET", path, token=token) for path in ("/health", "/log", "/audit")]
        assert tuple(each.status for each in replies) == statuses, role
    await managed.main.change_account("ada", console_role="operator")
    made = {"username": "boss", "type": "user"}
    assert (await managed.call("POST", "/accounts", made)).status == 201
    await managed.main.change_account("boss", console_role="owner")
    tag = (await managed.call("GET", "/accounts/boss")).headers["etag"]
    patch = {"status": "suspended"}
    assert (await managed.call("PATCH", "/accounts/boss", patch, token=token, tag=tag)).status == 403
    for path in ("sessions/none", "families/none", "consents/none"):
        assert (await managed.call("DELETE", f"/accounts/boss/{path}", token=token)).status == 403
    await managed.main.change_account("ada", console_role="owner")
    assert (await managed.call("PATCH", "/accounts/boss", patch, token=token, tag=tag)).status == 200


async def test_two_people_of_one_application_may_choose_the_same_idempotency_key(managed: Managed) -> None:
    """draft-ietf-httpapi-idempotency-key §2.2 and §5: a key is scoped to who uses it, so neither gets the other's answer."""
    caller = await managed.main.another_application()
    await caller.change_application(scopes=SCOPES)
    who = {"grant_type": "password", "password": PASSWORD, "scope": " ".join(SCOPES), "resource": managed.resource}
    made = []
    for name in ("ada", "grace", "ada"):
        if await managed.main.store.account(name) is None:
            await managed.main.store.save_account(accounts.register(name, "user", ada().password_hash, NOW), NOW)
        await managed.main.change_account(name, console_role="operator")
        token = (await ask(caller, {**who, "username": name})).json["access_token"]
        reply = await managed.call("POST", "/applications", {"name": "Ledger"}, token=token, Idempotency_Key="1")
        assert reply.status == 201
        made.append(reply.json["client_id"])
    assert made[0] == made[2] != made[1]


async def test_a_login_to_a_service_account_has_no_role_and_opens_nothing(managed: Managed) -> None:
    """threats E13: the application decides nothing about who logs in to it by a password."""
    made = (await managed.call("POST", "/accounts", {"username": "job", "type": "service"})).json
    caller = await managed.main.another_application()
    await caller.change_application(scopes=SCOPES)
    form = {"grant_type": "password", "username": "job", "password": made["password"]}
    token = (await ask(caller, {**form, "scope": "manage:read", "resource": managed.resource})).json["access_token"]
    assert (await managed.call("GET", "/applications", token=token)).status == 403


async def test_a_person_below_an_owner_hands_on_no_scope_of_management(managed: Managed) -> None:
    """threats E13: through the secret of such an application an operator would reach accounts of owners."""
    caller = await managed.main.another_application()
    await caller.change_application(scopes=SCOPES)
    who = {"grant_type": "password", "username": "ada", "password": PASSWORD}
    form = {**who, "scope": " ".join(SCOPES), "resource": managed.resource}
    token = (await ask(caller, form)).json["access_token"]
    wide = {"name": "Wide", "grants": ["client_credentials"], "scopes": ["manage:accounts"]}
    invitation = {"uses": 1, "expires_in": 60, "scopes": ["manage:accounts"]}
    own = f"/applications/{caller.application.client_id}"
    for role, expected in (("operator", (403, 403, 403, 403)), ("owner", (201, 201, 201, 200))):
        await managed.main.change_account("ada", console_role=role)
        replies = [
            await managed.call("POST", "/applications", wide, token=token),
            await managed.call("POST", "/invitations", invitation, token=token),
            await managed.call("POST", f"{own}/secrets", token=token),
        ]
        tag = (await managed.call("GET", own, token=token)).headers["etag"]
        replies.append(await managed.call("PATCH", own, {"name": "Renamed"}, token=token, tag=tag))
        assert tuple(reply.status for reply in replies) == expected, role
    await managed.main.change_account("ada", console_role="operator")
    plain = {"name": "Plain", "grants": ["client_credentials"], "scopes": ["credit:report"]}
    assert (await managed.call("POST", "/applications", plain, token=token)).status == 201
