"""What no token changes of the applications of sites, and what only an owner changes of an owner (D40, threats E13)."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from credence.identity import accounts
from credence.management.site_applications import CONSOLE, DEVELOPERS, WORKBENCH, register_site
from credence.oauth.parameters.scopes import MANAGE_SCOPES
from tests.deployment import NOW, PASSWORD, Reply, ada
from tests.management.conftest import Managed, managing
from tests.oauth.standard import ask

SITES = (CONSOLE, DEVELOPERS, WORKBENCH)
NETWORKS = {"rules": {"networks": ["192.0.2.0/24"]}}


@pytest.fixture
async def managed(tmp_path: Path) -> AsyncIterator[Managed]:
    """A deployment outside the sandbox, whose sites are registered and whose account `boss` is an owner."""
    async with managing(tmp_path, environment="uat", base_url="https://uat.example") as made:
        store = made.main.store
        for site in SITES:
            await register_site(store, made.main.service.settings, site, NOW)
        await store.save_account(accounts.register("boss", "user", ada().password_hash, NOW), NOW)
        await made.main.change_account("boss", console_role="owner")
        made.token = await made.token_for("manage:read", "manage:applications", "manage:accounts")
        yield made


async def owner_of(managed: Managed) -> str:
    """Return the token of a second owner."""
    await managed.main.change_account("ada", console_role="owner")
    caller = await managed.main.another_application()
    await caller.change_application(scopes=tuple(MANAGE_SCOPES))
    form = {"grant_type": "password", "username": "ada", "password": PASSWORD, "resource": managed.resource}
    token: str = (await ask(caller, form | {"scope": " ".join(MANAGE_SCOPES)})).json["access_token"]
    return token


async def patched(managed: Managed, path: str, patch: Any, token: str | None = None) -> Reply:
    tag = (await managed.call("GET", path)).headers["etag"]
    return await managed.call("PATCH", path, patch, tag=tag, token=token)


def needs_owner(reply: Reply) -> bool:
    return reply.status == 403 and reply.json["detail"].startswith("Only an owner changes the ")


async def test_nobody_takes_from_a_site_what_it_needs(managed: Managed) -> None:
    """The attack: with `manage:applications` alone, a weaker sign-in to the console and a redirect URI of one's own."""
    owner = await owner_of(managed)
    for site in SITES:
        path = f"/applications/{site.client_id(managed.main.service.settings)}"
        before = (await managed.call("GET", path)).json
        patches = [
            {"redirect_uris": [*before["redirect_uris"], "https://attacker.example/back"]},
            {"grants": ["authorization_code", "refresh_token"]},
            {"authentication": "client_secret", "grants": ["client_credentials"]},
            {"name": "Sign in here"},
            {"scopes": None, "first_party": False},
        ]
        if site is CONSOLE:
            patches.append({"sign_in": "password"})
        for patch in patches:
            for token in (None, owner):
                reply = await patched(managed, path, patch, token)
                assert (reply.status, reply.json["reason"]) == (409, "manage.protected"), (path, patch)
        assert (await managed.call("GET", path)).json == before


async def test_the_refusal_names_the_field_and_what_can_be_set(managed: Managed) -> None:
    path = f"/applications/{CONSOLE.client_id(managed.main.service.settings)}"
    detail = (await patched(managed, path, {"sign_in": "password"})).json["detail"]
    assert "sign_in" in detail
    assert "Networks, hours, rate and a stronger sign-in can" in detail


async def test_a_site_is_restricted_by_anybody_who_manages_and_opened_by_an_owner(managed: Managed) -> None:
    path = f"/applications/{CONSOLE.client_id(managed.main.service.settings)}"
    restrictions: tuple[dict[str, Any], ...] = (
        NETWORKS,
        {"sign_in": "passkey"},
        {"spike_per_minute": 60},
        {"rules": {"authentication_class": "2"}},
    )
    for patch in restrictions:
        assert (await patched(managed, path, patch)).status == 200, patch
    owner = await owner_of(managed)
    patches: tuple[dict[str, Any], ...] = (
        {"disabled": True},
        {"sign_in": "factor"},
        {"rules": {"networks": []}},
        {"rules": {"authentication_class": None}},
    )
    for patch in patches:
        assert needs_owner(await patched(managed, path, patch)), patch
        assert (await patched(managed, path, patch, owner)).status == 200, patch


async def test_a_put_without_members_leaves_a_site_what_it_needs(managed: Managed) -> None:
    """Its defaults are what the service has set; only the rate goes back to that of the service."""
    path = f"/applications/{WORKBENCH.client_id(managed.main.service.settings)}"
    read = await patched(managed, path, {"spike_per_minute": 60})
    body = {"name": "Credit workbench"}
    put = await managed.call("PUT", path, body, tag=read.headers["etag"])
    assert put.status == 200, put
    assert put.json == {**read.json, "spike_per_minute": None}


async def test_a_machine_restricts_an_owner_and_changes_nothing_else(managed: Managed) -> None:
    """The attack: with `manage:accounts` a program suspends an owner, or takes the second factor of one away."""
    path = "/accounts/boss"
    restrictions: tuple[dict[str, Any], ...] = (NETWORKS, {"sign_in": "factor"})
    for patch in restrictions:
        assert (await patched(managed, path, patch)).status == 200, patch
    patches: tuple[dict[str, Any], ...] = (
        {"status": "suspended"},
        {"status": "closed"},
        {"email": "thief@attacker.example"},
        {"first_name": "Mallory"},
        {"sign_in": "password"},
        {"rules": {"networks": []}},
        {"sign_in": "passkey", "email": "thief@attacker.example"},
    )
    for patch in patches:
        assert needs_owner(await patched(managed, path, patch)), patch
    for part in ("sessions/none", "families/none", "consents/none"):
        assert needs_owner(await managed.call("DELETE", f"{path}/{part}"))
    owner = await owner_of(managed)
    for patch in (*patches[4:6], {"email": "boss@example.com"}):
        assert (await patched(managed, path, patch, owner)).status == 200, patch


async def test_other_accounts_are_managed_as_before(managed: Managed) -> None:
    await managed.main.change_account("ada", console_role="operator")
    assert (await patched(managed, "/accounts/ada", {"status": "suspended"})).status == 200
