"""Every route of the management API keeps the conventions of docs/management.md, or a reason here says why it does not."""

from typing import Any, NamedTuple

import pytest

from credence.api.reference.described import operation_of
from credence.paths import MANAGEMENT
from credence.store.sign_ins import Consent
from credence.store.signals import SignalStream
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, TrustedIssuer, link_id
from credence.web.routes_for_management import MANAGEMENT as TABLE
from credence.web.routing.route import Protection, Route
from tests.management.conftest import Managed


class Try(NamedTuple):
    """A request that the route would answer with success."""

    path: str
    body: Any = None


EMPLOYER = "https://login.example.com"
LINK = link_id("employer", "s1")

TRIES = {
    ("POST", "/applications"): Try("/applications", {"name": "New"}),
    ("PUT", "/applications/{client_id}"): Try("/applications/CLIENT", {"name": "Other"}),
    ("PATCH", "/applications/{client_id}"): Try("/applications/CLIENT", {"name": "Other"}),
    ("POST", "/applications/{client_id}/secrets"): Try("/applications/CLIENT/secrets"),
    ("DELETE", "/applications/{client_id}/secrets/{secret}"): Try("/applications/CLIENT/secrets/SECRET"),
    ("POST", "/applications/{client_id}/end-logins"): Try("/applications/CLIENT/end-logins"),
    ("POST", "/applications/{client_id}/end-everything"): Try("/applications/CLIENT/end-everything"),
    ("POST", "/logins/end-all"): Try("/logins/end-all"),
    ("PUT", "/client-hosts/{host}"): Try("/client-hosts/app.example", {"verdict": "block"}),
    ("POST", "/applications/{client_id}/clock"): Try("/applications/CLIENT/clock", {"by": "1h"}),
    ("DELETE", "/applications/{client_id}/clock"): Try("/applications/CLIENT/clock"),
    ("POST", "/accounts"): Try("/accounts", {"type": "user", "username": "grace"}),
    ("PUT", "/accounts/{username}"): Try("/accounts/ada", {"type": "user"}),
    ("PATCH", "/accounts/{username}"): Try("/accounts/ada", {"email": "ada@b.example"}),
    ("DELETE", "/accounts/{username}/sessions/{session}"): Try("/accounts/ada/sessions/none"),
    ("DELETE", "/accounts/{username}/families/{family}"): Try("/accounts/ada/families/none"),
    ("DELETE", "/accounts/{username}/consents/{client_id}"): Try("/accounts/ada/consents/CLIENT"),
    ("POST", "/accounts/{username}/unlock"): Try("/accounts/ada/unlock"),
    ("POST", "/accounts/{username}/end-all"): Try("/accounts/ada/end-all"),
    ("POST", "/accounts/{username}/end-everything"): Try("/accounts/ada/end-everything"),
    ("POST", "/accounts/{username}/password-link"): Try("/accounts/ada/password-link"),
    ("POST", "/accounts/{username}/developer"): Try("/accounts/ada/developer", {"invited": True}),
    ("POST", "/account-invitations"): Try("/account-invitations", {"username": "grace"}),
    ("DELETE", "/accounts/{username}/factors"): Try("/accounts/ada/factors"),
    ("POST", "/keys/{algorithm}/roll"): Try("/keys/RS256/roll"),
    ("POST", "/keys/{kid}/revoke"): Try("/keys/none/revoke"),
    ("POST", "/invitations"): Try("/invitations", {}),
    ("POST", "/streams/{id}/enable"): Try("/streams/st_1/enable"),
    ("POST", "/streams/{id}/pause"): Try("/streams/st_1/pause", {"reason": "Maintenance"}),
    ("POST", "/streams/{id}/disable"): Try("/streams/st_1/disable"),
    ("DELETE", "/streams/{id}"): Try("/streams/st_1"),
    ("POST", "/issuers"): Try("/issuers", {"id": "other", "issuer": "https://other.example"}),
    ("PUT", "/issuers/{id}"): Try("/issuers/employer", {"issuer": EMPLOYER}),
    ("PATCH", "/issuers/{id}"): Try("/issuers/employer", {"name": "Other"}),
    ("DELETE", "/issuers/{id}"): Try("/issuers/employer"),
    ("POST", "/issuers/{id}/test"): Try("/issuers/employer/test"),
    ("POST", "/issuer-links"): Try("/issuer-links", {"issuer": "employer", "subject": "s2", "username": "ada"}),
    ("DELETE", "/issuer-links/{id}"): Try(f"/issuer-links/{LINK}"),
    ("PUT", "/data/sources/{source}/hold"): Try("/data/sources/psc/hold", {"reason": "Owners are missing."}),
    ("DELETE", "/data/sources/{source}/hold"): Try("/data/sources/psc/hold"),
    ("POST", "/disputes/{company}"): Try(
        "/disputes/01234567", {"status": "open", "field": "Status", "note": "It trades."}
    ),
    ("POST", "/held-rules/{rule}/release"): Try("/held-rules/band/release"),
    ("POST", "/outbox/{receiver}/retry"): Try("/outbox/none/retry"),
    ("POST", "/tokens/revoke"): Try("/tokens/revoke", {"token_value": "none"}),
}

ENDS_FOR_GOOD = "It ends once and for all, and has no representation of its own: there is no version to confuse."
WITHOUT_VERSION = {
    ("DELETE", "/accounts/{username}/sessions/{session}"): ENDS_FOR_GOOD,
    ("DELETE", "/accounts/{username}/families/{family}"): ENDS_FOR_GOOD,
    ("DELETE", "/accounts/{username}/consents/{client_id}"): ENDS_FOR_GOOD,
    ("DELETE", "/accounts/{username}/factors"): ENDS_FOR_GOOD,
    ("PUT", "/client-hosts/{host}"): "A verdict is one word and the last one holds: there is nothing to overwrite.",
}

WHOLE = "The list is part of the program or of the settings, and short."
OF_ONE = "A person or a deployment has a bounded number of these."
WITHOUT_PAGES = {
    "/scopes": WHOLE,
    "/limits": WHOLE,
    "/settings": WHOLE,
    "/data": WHOLE,
    "/data/loads": "At most 200 are kept.",
    "/data/runs": "One a month, with the scores of each.",
    "/keys": OF_ONE,
    "/policies": OF_ONE,
    "/disputes": "A file that is written whole for each of them bounds their number.",
    "/doctor": "One answer for each check.",
    "/accounts/{username}/sessions": OF_ONE,
    "/accounts/{username}/families": OF_ONE,
    "/accounts/{username}/consents": OF_ONE,
    "/accounts/{username}/factors": OF_ONE,
    "/audit": "It has `before`, an instant, in place of a page token.",
}


def writes() -> list[tuple[str, Route]]:
    """Every method of every route that changes something."""
    bearer = [route for route in TABLE if route.protection is Protection.BEARER]
    return [(method, route) for route in bearer for method in route.methods if method not in {"GET", "HEAD"}]


def below(route: Route) -> str:
    return route.path.removeprefix(MANAGEMENT)


@pytest.fixture
async def tried(managed: Managed) -> dict[tuple[str, str], Try]:
    """The requests, about what exists."""
    application = managed.main.application
    secret = str(application.secrets[0].created_at)
    await managed.main.store.save_consent(Consent("ada", application.client_id, "openid", b"", managed.main.now))
    await managed.main.store.save(ISSUERS, TrustedIssuer("employer", EMPLOYER, "Employer Ltd", managed.main.now))
    await managed.main.store.save(LINKS, IssuerLink(LINK, "employer", "s1", "ada", managed.main.now))
    await managed.main.store.save_signal_stream(SignalStream("st_1", application.client_id, managed.main.now, "poll"))
    return {
        key: each._replace(path=each.path.replace("CLIENT", application.client_id).replace("SECRET", secret))
        for key, each in TRIES.items()
    }


def test_every_change_of_the_table_is_tried() -> None:
    assert {(method, below(route)) for method, route in writes()} == set(TRIES)
    assert set(WITHOUT_VERSION) <= set(TRIES)


async def test_every_change_has_a_preview_and_knows_its_parameters(
    managed: Managed, tried: dict[tuple[str, str], Try]
) -> None:
    for key, (path, body) in tried.items():
        for query in ("preview=perhaps", "color=red"):
            reply = await managed.call(key[0], f"{path}?{query}", body, tag="*")
            assert (reply.status, reply.json.get("reason")) == (422, "resource.parameter"), (key, query, reply)
    for method, route in writes():
        assert "preview" in {each.name for each in operation_of(route).parameters}, (method, route.path)


async def test_a_preview_of_an_end_ends_nothing(managed: Managed) -> None:
    """What an earlier version took for the act itself."""
    client = managed.main.application.client_id
    store = managed.main.store
    await store.save_consent(Consent("ada", client, "openid", b"", managed.main.now))
    assert (await managed.call("DELETE", f"/accounts/ada/consents/{client}?preview=true")).status == 204
    assert [each.client_id for each in await store.consents_of("ada")] == [client]


async def test_a_change_of_what_has_a_version_names_it(managed: Managed, tried: dict[tuple[str, str], Try]) -> None:
    for key, (path, body) in tried.items():
        if key[0] == "POST" or key in WITHOUT_VERSION:
            continue
        assert (await managed.call(key[0], path, body)).status == 428, key
        assert (await managed.call(key[0], path, body, tag='"other"')).status == 412, key


async def test_every_post_takes_an_idempotency_key(managed: Managed, tried: dict[tuple[str, str], Try]) -> None:
    for key, (path, body) in tried.items():
        if key[0] == "POST":
            reply = await managed.call(key[0], path, body, Idempotency_Key="x" * 101)
            assert (reply.status, reply.json["reason"]) == (400, "idempotency.key"), key


async def test_every_list_has_pages_or_a_reason_not_to(managed: Managed) -> None:
    lists = set()
    for route in TABLE:
        path = below(route)
        if "GET" not in route.methods or route.protection is not Protection.BEARER:
            continue
        names = {each.name for each in operation_of(route).parameters}
        if {"page_size", "page_token"} <= names:
            lists.add(path)
            filled = path.replace("{client_id}", managed.main.application.client_id)
            reply = await managed.call("GET", f"{filled}?page_size=1")
            assert reply.status == 200, path
            assert (await managed.call("GET", f"{filled}?page_token=!")).status == 422, path
        elif path in WITHOUT_PAGES:
            assert "page_token" not in names, path
    assert lists == {
        "/applications",
        "/applications/{client_id}/approved-limits",
        "/accounts",
        "/streams",
        "/issuers",
        "/issuer-links",
        "/log",
    }


async def test_every_refusal_is_a_problem_with_its_reason_and_the_request(
    managed: Managed, tried: dict[tuple[str, str], Try]
) -> None:
    for key, (path, body) in tried.items():
        for reply in (
            await managed.call(key[0], f"{path}?color=red", body, tag="*"),
            await managed.call(key[0], path, body, token="none"),
        ):
            assert reply.headers["content-type"] == "application/problem+json", key
            assert reply.json["request_id"] == reply.headers["x-request-id"], key
            assert reply.json["status"] == reply.status, key
            assert reply.json["reason"], key
