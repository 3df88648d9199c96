"""Applications that developers make: what each kind gets, and what is refused, beside its field and with nothing lost."""

import asyncio
from dataclasses import replace
from pathlib import Path

import jwt
import msgspec
import pytest

from credence import paths
from credence.management.developers import KINDS, make
from credence.management.site_applications import DEVELOPERS, register_site
from credence.settings import Settings
from tests.deployment import NOW, TOKEN_PATH, deploy, served
from tests.developers.conftest import Portal, text_of
from tests.developers.test_lines import SPECIMEN, TRY

URI = "https://app.example.com/callback"


@pytest.mark.parametrize(
    ("kind", "uri", "grants", "method", "has_secret"),
    [
        ("machine", "", ("client_credentials",), "client_secret_basic", True),
        ("web", URI, ("authorization_code", "refresh_token"), "client_secret_basic", True),
        ("page", URI, ("authorization_code", "refresh_token"), "none", False),
        ("native", "com.example.app:/back", ("authorization_code", "refresh_token"), "none", False),
    ],
)
async def test_grants_and_authentication_follow_from_the_kind(
    portal: Portal, kind: str, uri: str, grants: tuple[str, ...], method: str, has_secret: bool
) -> None:
    """RFC 6749 §2.1: what runs on people's devices keeps no secret; RFC 9700 §2.1.1: PKCE is required of all of them."""
    ada = await portal.developer("ada")
    client_id, secret = await ada.create(kind, redirect_uris=uri)
    found = await portal.main.store.application(client_id)
    assert found is not None
    assert (found.grants, found.authentication, bool(secret), found.owner) == (grants, method, has_secret, "ada")
    assert (found.redirect_uris, found.pkce) == ((uri,) if uri else (), "or_nonce")
    assert found.origins == (("https://app.example.com",) if kind == "page" else ())
    assert not any(scope.startswith("manage:") for scope in found.scopes or ("manage:",))


@pytest.mark.parametrize(
    ("settings", "algorithm"),
    [
        ({}, "ES256"),
        ({"algorithm": "EdDSA"}, None),
        ({"algorithms": ["RS256", "EdDSA"]}, None),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_access_tokens_are_signed_with_es256_unless_the_operator_chose_otherwise(
    settings: dict[str, object], algorithm: str | None, kind: str
) -> None:
    """D5: no kind has the password grant, whose clients check for RS256; ID tokens keep it (Registration §2)."""
    uris = {"machine": (), "native": ("com.example.app:/back",)}.get(kind, (URI,))
    made = make(Settings.model_validate(settings), "ada", kind, "Ledger", uris, NOW)
    assert (made.algorithm, made.id_token_algorithm) == (algorithm, None)
    assert "password" not in made.grants


async def test_the_first_application_of_a_developer_adds_the_key_that_signs_its_tokens(tmp_path: Path) -> None:
    main = await deploy(tmp_path, developers="all", algorithm="RS256")
    async with served(main.asgi):
        await register_site(main.store, main.service.settings, DEVELOPERS, NOW)
        client_id, secret = await (await Portal(main).developer("ada")).create()
        machine = replace(main, application=msgspec.structs.replace(main.application, client_id=client_id))
        machine.secret = secret
        form = ("Content-Type", "application/x-www-form-urlencoded")
        issued = await main.send("POST", TOKEN_PATH, [form, machine.basic], b"grant_type=client_credentials")
        header = jwt.get_unverified_header(issued.json["access_token"])
        key_set = (await main.send("GET", paths.KEYS)).json
        assert header["alg"] == "ES256"
        assert [each["alg"] for each in key_set["keys"] if each["kid"] == header["kid"]] == ["ES256"]
        assert (await main.report(issued.json["access_token"])).status == 200


async def test_the_credentials_work_at_once_and_are_shown_once(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, secret = await ada.create()
    body = f"grant_type=client_credentials&client_id={client_id}".encode()
    form = ("Content-Type", "application/x-www-form-urlencoded")
    machine = replace(portal.main, application=msgspec.structs.replace(portal.main.application, client_id=client_id))
    machine.secret = secret
    issued = await portal.main.send("POST", TOKEN_PATH, [form, machine.basic], body)
    assert issued.status == 200, issued
    assert (await portal.main.report(issued.json["access_token"])).status == 200
    for path in ("/developers", f"/developers/applications/{client_id}"):
        page = await ada.browser.get(path)
        assert "Ledger" in text_of(page)
        assert secret not in page.body.decode()


async def test_another_secret_leaves_the_old_one_valid_for_a_while(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, secret = await ada.create()
    page = await ada.do(f"/developers/applications/{client_id}", "app-rotate-secret", keep_old_seconds="86400")
    assert page.status == 200
    assert '<code class="secret">' in page.body.decode()
    assert secret not in page.body.decode()
    found = await portal.main.store.application(client_id)
    assert found is not None
    assert sorted(each.expires_at is None for each in found.secrets) == [False, True]


async def test_a_developer_moves_the_clock_of_an_own_application_and_resets_it(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    path = f"/developers/applications/{client_id}"
    assert "2023-11-21T22:13:20" in text_of(await ada.do(path, "clock-advance", to="7d"))  # NOW and seven days
    tried = await ada.do(TRY, "send", client_id=client_id, **SPECIMEN)
    assert "99999999: 200" in text_of(tried)
    back = await ada.do(path, "clock-advance", to="2023-01-01T00:00:00Z")
    assert back.status == 422
    assert 'id="clock-advance-to-wrong"' in back.body.decode()
    assert "real time again" in text_of(await ada.do(path, "clock-reset"))
    assert "real time already" in text_of(await ada.do(path, "clock-reset"))


async def test_a_disabled_application_cannot_be_enabled_in_the_portal(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    path = f"/developers/applications/{client_id}"
    assert (await ada.do(path, "app-disable")).status == 200
    assert "Nothing was changed" in text_of(await ada.do(path, "app-disable"))
    assert (await ada.do(path, "app-enable")).status == 400
    found = await portal.main.store.application(client_id)
    assert found is not None
    assert found.disabled


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("name", {"name": "  ", "kind": "machine"}),
        ("name", {"name": "x" * 81, "kind": "machine"}),
        ("name", {"name": "two\u202elines", "kind": "machine"}),
        ("kind", {"name": "Ledger", "kind": "owner"}),
        ("redirect_uris", {"name": "Ledger", "kind": "web"}),
        ("redirect_uris", {"name": "Ledger", "kind": "machine", "redirect_uris": URI}),
        ("redirect_uris", {"name": "Ledger", "kind": "web", "redirect_uris": "http://app.example.com/back"}),
        ("redirect_uris", {"name": "Ledger", "kind": "page", "redirect_uris": "javascript:alert(1)"}),
        ("redirect_uris", {"name": "Ledger", "kind": "page", "redirect_uris": "https://["}),
    ],
)
async def test_bad_input_is_refused_beside_its_field_and_stays_there(
    portal: Portal, field: str, values: dict[str, str]
) -> None:
    ada = await portal.developer("ada")
    before = len(await portal.main.store.applications())
    page = await ada.do("/developers/new", "app-create", **values)
    assert page.status == 422
    text = page.body.decode()
    assert f'id="app-create-{field}-wrong"' in text
    assert f'href="#app-create-{field}"' in text
    if values.get("redirect_uris"):
        assert f'value="{values["redirect_uris"]}"' in text
    assert len(await portal.main.store.applications()) == before


async def test_outside_the_sandbox_an_operator_enables_a_new_application(tmp_path: Path) -> None:
    main = await deploy(tmp_path, environment="uat", developers="invited", developer_domains="Example.com")
    async with served(main.asgi):
        await register_site(main.store, main.service.settings, DEVELOPERS, NOW)
        portal = Portal(main)
        stranger = await portal.developer("eve.else", email="eve@example.com.invalid")
        refused = await stranger.browser.get("/developers")
        assert refused.status == 403
        assert "credence account developer eve.else" in text_of(refused)
        invited: dict[str, dict[str, object]] = {"bob": {"developer": True}, "eve": {"email": "eve@example.COM"}}
        for name, fields in invited.items():
            person = await portal.developer(name, **fields)
            page = await person.do("/developers/new", "app-create", name="Ledger", kind="machine")
            assert "once an operator has enabled it" in text_of(page)
        made = [each for each in await main.store.applications() if each.owner]
        assert [(each.disabled, bool(each.secrets)) for each in made] == [(True, True)] * 2


async def test_a_developer_makes_a_bounded_number_of_applications(portal: Portal) -> None:
    ada = await portal.developer("ada")
    for number in range(20):
        await save_owned(portal, number)
    page = await ada.do("/developers/new", "app-create", name="One more", kind="machine")
    assert page.status == 422
    assert "at most 20" in text_of(page)


async def test_two_tabs_at_once_do_not_make_more_applications(portal: Portal) -> None:
    ada = await portal.developer("ada")
    for number in range(19):
        await save_owned(portal, number)
    wanted = [ada.do("/developers/new", "app-create", name=f"Tab {tab}", kind="machine") for tab in (1, 2)]
    pages = await asyncio.gather(*wanted)
    assert sorted(page.status for page in pages) == [200, 422]
    assert len(await portal.main.store.applications_owned_by("ada")) == 20


async def save_owned(portal: Portal, number: int) -> None:
    each = portal.main.application
    made = msgspec.structs.replace(each, client_id=f"crd_sbx_app_{number}", owner="ada", version=1, secrets=())
    await portal.main.store.save_application(made, NOW)
