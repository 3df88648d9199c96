"""Who reaches which screen and which act: the product of the table of screens and the roles (D30, threats E1, E13)."""

from urllib.parse import parse_qs, urlsplit

import pytest

from credence.identity.console_roles import CONSOLE_ROLES
from credence.sites.console.table import SCREENS
from credence.sites.kit.screen import Screen
from credence.store.records import ConsoleRole
from credence.store.trusted_issuers import ISSUERS
from tests.console.conftest import Console, text_of
from tests.console.test_issuers import EXAMPLE
from tests.deployment import NOW

MINUTE = 60_000


def path_of(screen: Screen, console: Console) -> str:
    client_id = console.main.application.client_id
    return screen.path.format(client_id=client_id, username="ada", request_id="none", id=EXAMPLE.id)


@pytest.mark.parametrize("role", CONSOLE_ROLES)
async def test_a_role_reaches_its_screens_and_acts_and_no_others(console: Console, role: ConsoleRole) -> None:
    await console.main.store.save(ISSUERS, EXAMPLE, NOW)
    operator, rights = await console.operator(role), CONSOLE_ROLES[: CONSOLE_ROLES.index(role) + 1]
    reached: dict[str, bool] = {}
    expected: dict[str, bool] = {}
    if role == "none":
        helper = await console.operator("owner")
        assert helper.cookies != operator.cookies
    for screen in SCREENS:
        path = path_of(screen, console)
        page = await operator.browser.get(path)
        assert page.status in (200, 403, 404), (path, page)
        reached[screen.path], expected[screen.path] = page.status != 403, screen.needs in rights
        for act in screen.acts:
            answer = await send_own_form(operator, path, act.name)
            assert answer in (200, 403, 409, 422), (screen.path, act.name, answer)
            name = f"{screen.path} {act.name}"
            reached[name], expected[name] = (
                answer != 403,
                screen.needs in rights and act.needs in rights,
            )
    assert reached == expected


async def send_own_form(operator: Console, path: str, act: str) -> int:
    """Send an act with the token of the session, which every page has: the button to sign out carries it."""
    return (await operator.do(path, act)).status


async def test_without_a_session_every_screen_leads_to_the_sign_in_and_every_act_does_nothing(console: Console) -> None:
    for screen in SCREENS:
        path = path_of(screen, console)
        replies = [await console.browser.get(path), await console.send(path, [("act", "disable")])]
        if not screen.acts:
            assert replies.pop().status == 405
        for reply in replies:
            assert reply.status == 303
            to_sign_in = urlsplit(reply.headers["location"])
            assert (to_sign_in.path, parse_qs(to_sign_in.query)) == ("/console/sign-in", {"to": [path]})
    kept = await console.main.store.application(console.main.application.client_id)
    assert kept == console.main.application


async def test_the_screens_are_on_the_address_of_the_management_api_alone(console: Console) -> None:
    for screen in SCREENS:
        assert (await console.people.get(path_of(screen, console))).status == 404


async def test_an_account_without_a_role_reads_nothing_and_is_shown_what_an_owner_does(console: Console) -> None:
    operator = await console.operator("none")
    page = await operator.browser.get("/console")
    assert page.status == 403
    assert "credence account role of-none ROLE" in text_of(page)
    assert "Applications" not in text_of(page)


async def test_a_role_that_is_taken_away_ends_at_once(console: Console) -> None:
    operator = await console.operator("owner")
    await console.main.change_account("of-owner", console_role="none")
    assert (await operator.browser.get("/console/settings")).status == 403


async def test_nobody_acts_on_an_account_with_a_stronger_role(console: Console) -> None:
    """threats E13: a new password or a lost factor would give the role."""
    support = await console.operator("support")
    await console.operator("owner")
    for act in (
        "account-status",
        "account-end-all",
        "account-reset-link",
        "account-remove-factors",
        "account-unlock",
        "account-end-session",
    ):
        page = await support.do("/console/accounts/of-owner", act, status="suspended", session="x")
        assert page.status == 422, act
        assert "stronger role in the console than yours" in text_of(page)
    kept = await console.main.store.account("of-owner")
    assert kept is not None
    assert kept.status == "active"


async def test_only_an_owner_touches_an_application_of_the_management_api(console: Console) -> None:
    """threats E13."""
    await console.main.change_application(scopes=("manage:accounts",))
    path = f"/console/applications/{console.main.application.client_id}"
    operator, owner = await console.operator("operator"), await console.operator("owner")
    assert (await operator.do(path, "app-rotate-secret", keep_old_seconds="0")).status == 422
    assert (await owner.do(path, "app-rotate-secret", keep_old_seconds="0")).status == 200


async def test_an_act_with_lasting_effect_needs_a_new_sign_in_after_ten_minutes(console: Console) -> None:
    """ASVS 7.5.3."""
    owner = await console.operator("owner")
    (key, *_) = await console.main.store.signing_keys()
    console.move(console.main.now + 11 * MINUTE)
    page = await owner.do("/console/keys", "keys-revoke", kid=key.kid, confirm="REVOKE")
    assert "Sign in again first" in text_of(page)
    assert all(each.revoked_at is None for each in await console.main.store.signing_keys())
    again = await owner.come("/console/sign-in?to=/console/keys&again=1", "of-owner")
    assert "Revoke a key" in text_of(again)
    done = await owner.do("/console/keys", "keys-revoke", kid=key.kid, confirm="REVOKE")
    assert done.status == 200
    assert [each.kid for each in await console.main.store.signing_keys() if each.revoked_at is not None] == [key.kid]
