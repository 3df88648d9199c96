"""The registration of the console as an application: what a start repairs, and what operators have set (D15, D27)."""

import msgspec

from credence.access.rules import AccessRules
from credence.management.site_applications import CONSOLE, register_site
from credence.store.records import Application
from tests.console.conftest import Console, text_of
from tests.deployment import NOW


async def registered(console: Console) -> Application:
    found = await console.main.store.application(CONSOLE.client_id(console.main.service.settings))
    assert found is not None
    return found


async def test_a_start_keeps_what_operators_have_set_and_repairs_what_the_site_needs(console: Console) -> None:
    before = await registered(console)
    changed = msgspec.structs.replace(
        before,
        rules=AccessRules(networks=("192.0.2.0/24",)),
        spike_per_minute=30,
        sign_in="passkey",
        grants=("password",),
        redirect_uris=(),
        signed_requests_required=True,
        version=before.version + 1,
    )
    await console.main.store.save_application(changed, NOW)
    await register_site(console.main.store, console.main.service.settings, CONSOLE, NOW + 1)
    after = await registered(console)
    assert (after.rules, after.spike_per_minute, after.sign_in) == (changed.rules, 30, "passkey")
    assert (after.grants, after.redirect_uris) == (before.grants, before.redirect_uris)
    assert (after.signed_requests_required, after.created_at) == (False, before.created_at)
    await register_site(console.main.store, console.main.service.settings, CONSOLE, NOW + 2)
    assert (await registered(console)).version == after.version


async def test_only_an_owner_disables_the_console_or_ends_its_logins(console: Console) -> None:
    """D40: an operator could otherwise lock the owners out."""
    before = await registered(console)
    path = f"/console/applications/{before.client_id}"
    operator, owner = await console.operator("operator"), await console.operator("owner")
    for page in (
        await operator.do(path, "app-disable"),
        await operator.do("/console/tokens", "app-end-logins", client_id=before.client_id),
    ):
        assert page.status == 422
        assert "Only an owner changes the Operator console." in text_of(page)
    assert await registered(console) == before
    assert (await operator.do("/console/limits", "app-rate", client_id=before.client_id, per_minute="60")).status == 200
    assert (await owner.do(path, "app-disable")).status == 303  # to the sign-in: its own console is disabled
    assert (await registered(console)).disabled


async def test_the_clock_of_the_console_does_not_move(console: Console) -> None:
    before = await registered(console)
    owner = await console.operator("owner")
    page = await owner.do(f"/console/applications/{before.client_id}", "clock-advance", to="1h")
    assert page.status == 422
    assert "which sets clock at each start" in text_of(page)
    assert await registered(console) == before
