"""The console changes the stored record: what no operator chooses survives every act on it (D40)."""

from credence.sites.console.account import ACCOUNT
from credence.sites.console.applications import APPLICATION
from tests.console.conftest import Console
from tests.whole_records import require_kept, whole_account, whole_application

OF_APPLICATION: dict[str, tuple[dict[str, str], set[str]]] = {
    "app-end-secret": ({"secret": str(whole_application().secrets[0].created_at)}, {"secrets"}),
    "app-rotate-secret": ({"keep_old_seconds": "86400"}, {"secrets"}),
    "app-end-logins": ({}, {"not_before"}),
    "app-rules": ({"networks": "192.0.2.0/24"}, set()),
    "app-disable": ({}, {"not_before"}),
    "app-enable": ({}, {"not_before"}),
    "clock-advance": ({"to": "1h"}, {"clock"}),
    "clock-reset": ({}, {"clock", "secrets"}),
    "app-end-everything": ({}, {"secrets", "not_before"}),
}
"""Act on the screen of an application -> the values of its form, and the kept fields that it is to change."""

OF_ACCOUNT: dict[str, tuple[dict[str, str], set[str]]] = {
    "account-status": ({"status": "suspended"}, {"not_before"}),
    "account-end-all": ({}, {"not_before"}),
    "account-profile": ({"email": "kept@example.com", "first_name": "Kit"}, {"profile_updated_at", "email_verified"}),
    "account-sign-in": ({"policy": "passkey"}, {"not_before"}),
    "account-developer": ({}, {"developer"}),
    "account-rules": ({"networks": "192.0.2.0/24"}, set()),
    "account-end-everything": ({}, {"not_before", "password_hash", "password_version"}),
    "account-close": ({"confirm": "kept"}, {"not_before"}),
}
WITHOUT_A_CHANGE = {
    "account-end-session",
    "account-end-login",
    "account-withdraw-consent",
    "account-unlock",
    "account-reset-link",
    "account-remove-factors",
    "account-end-everything-effect",
}
"""The acts that do not save the account, which has no factor, and the preview."""


async def test_acts_on_an_application_keep_what_no_operator_chooses(console: Console) -> None:
    assert OF_APPLICATION.keys() | {"app-end-everything-effect"} == {act.name for act in APPLICATION.acts}
    operator = await console.operator("operator")
    before = whole_application()
    await console.main.store.save_application(before, console.main.now)
    for act, (values, changed) in OF_APPLICATION.items():
        page = await operator.do(f"/console/applications/{before.client_id}", act, **values)
        assert page.status == 200, (act, page)
        before = require_kept(before, await console.main.store.application(before.client_id), *changed)
    page = await operator.do("/console/limits", "app-rate", client_id=before.client_id, per_minute="7")
    assert page.status == 200
    after = require_kept(before, await console.main.store.application(before.client_id))
    assert after.spike_per_minute == 7


async def test_acts_on_an_account_keep_what_no_option_sets(console: Console) -> None:
    assert OF_ACCOUNT.keys() | WITHOUT_A_CHANGE == {act.name for act in ACCOUNT.acts}
    operator = await console.operator("operator")
    before = whole_account()
    await console.main.store.save_account(before, console.main.now)
    for act, (values, changed) in OF_ACCOUNT.items():
        page = await operator.do("/console/accounts/kept", act, **values)
        assert page.status == 200, (act, page)
        before = require_kept(before, await console.main.store.account("kept"), *changed)
