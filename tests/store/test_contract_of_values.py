"""Every value that a stored application or account may have comes back, in each implementation of the contract."""

from typing import Any

import msgspec
import pytest

from credence.access.rules import AccessRules, Window
from credence.store.contract import Store
from credence.store.records import CertificateName, ClientKey, ClientSecret, Registration
from credence.store.saved_views import SavedView, SavedViews, save_views, saved_views
from tests.store.records import NOW, account, application

WORDS_OF_APPLICATIONS = {
    "authentication": (
        *("client_secret", "client_secret_basic", "client_secret_post", "private_key_jwt"),
        *("tls_client_auth", "self_signed_tls_client_auth", "none"),
    ),
    "profile": ("fapi2",),
    "sign_in": ("password", "factor", "passkey"),
    "application_type": ("web", "native"),
    "certificate_name": [
        CertificateName(kind, "ledger")  # RFC 8705 §2.1.2
        for kind in ("subject_dn", "san_dns", "san_uri", "san_ip", "san_email")
    ],
}
WORDS_OF_ACCOUNTS = {
    "type": ("service", "user"),
    "status": ("active", "suspended", "locked", "expired", "closed"),
    "sign_in": ("password", "factor", "passkey"),
    "console_role": ("none", "reader", "support", "operator", "owner"),
}

PARTS_OF_APPLICATIONS: dict[str, Any] = {
    "secrets": (ClientSecret(b"\x00\xff" * 16, NOW, NOW + 1), ClientSecret(b"\x01" * 32, NOW)),
    "keys": (ClientKey('{"kty":"OKP"}', "MII="), ClientKey('{"kty":"EC"}')),
    "keys_uri": "https://ledger.example/keys",
    "scopes": (),
    "rules": AccessRules(("192.0.2.0/24", "2001:db8::/32"), (Window((0, 6), 0, 1440),)),
    "registration": Registration(b"\xfe" * 32, ("client_credentials",), ("openid",), ("scopes",), unverified=True),
    "document_digest": b"\x80" * 16,
    "name": "Bücher & Söhne \u2028",
    "spike_per_minute": 0,
    "disabled": True,
    "not_before": NOW + 1,
}


@pytest.mark.parametrize("field", [*WORDS_OF_APPLICATIONS])
async def test_each_word_that_an_application_may_have_is_read_back(store: Store, field: str) -> None:
    for version, word in enumerate(WORDS_OF_APPLICATIONS[field], 1):
        changed = msgspec.structs.replace(application(version=version), **{field: word})
        await store.save_application(changed, NOW)
        assert await store.application(changed.client_id) == changed


@pytest.mark.parametrize("field", [*WORDS_OF_ACCOUNTS])
async def test_each_word_that_an_account_may_have_is_read_back(store: Store, field: str) -> None:
    for version, word in enumerate(WORDS_OF_ACCOUNTS[field], 1):
        changed = msgspec.structs.replace(account(version=version), **{field: word})
        await store.save_account(changed, NOW)
        assert await store.account(changed.username) == changed


async def test_each_part_that_an_application_may_have_is_read_back(store: Store) -> None:
    whole = msgspec.structs.replace(application(), **PARTS_OF_APPLICATIONS)
    await store.save_application(whole, NOW)
    assert await store.application(whole.client_id) == whole


@pytest.mark.parametrize(("status", "remain"), [("suspended", True), ("closed", False)])
async def test_the_saved_views_of_a_person_are_deleted_when_the_account_is_closed(
    store: Store, status: Any, remain: bool
) -> None:
    for name in ("ada", "grace"):
        await store.save_account(account(name), NOW)
        views = SavedViews(name, "crd_app_1", 1).having(SavedView("North", {"q": "north"}))
        await save_views(store, views)
    await store.save_account(msgspec.structs.replace(account("ada", 2), status=status), NOW)
    found = [await saved_views(store, name, "crd_app_1") for name in ("ada", "grace")]
    assert [bool(each.views) for each in found] == [remain, True]
