"""`credence account sign-in` and `factors` (RFC 6238)."""

import asyncio

from credence.cli.deployment import opened, settings_of
from credence.store.people import Factor
from tests.cli.deployment import PASSWORD, Deployment


def with_app(deployment: Deployment) -> None:
    async def act() -> None:
        async with opened(settings_of(deployment.data_dir)) as store:
            account = await store.account("ada")
            assert account is not None
            await store.change_factors(account, [], [Factor(b"a" * 16, "ada", "totp", "Telephone", 1_700_000_000_000)])

    asyncio.run(act())


def test_a_second_factor_is_required_and_no_longer(deployment: Deployment) -> None:
    deployment.json("account", "create", "ada", "--type", "user", "--password-stdin", stdin=PASSWORD)
    assert deployment.json("account", "show", "ada")["sign_in"] == "password"
    before = deployment.json("account", "show", "ada")["tokens_valid_from"]
    assert deployment.json("account", "sign-in", "Ada", "factor")["sign_in"] == "factor"
    after = deployment.json("account", "show", "ada")
    assert after["sign_in"] == "factor"
    assert (before, bool(after["tokens_valid_from"])) == (None, True)
    assert deployment.json("account", "sign-in", "ada", "password")["sign_in"] == "password"


def test_factors_are_listed_without_their_keys_and_removed(deployment: Deployment) -> None:
    deployment.json("account", "create", "ada", "--type", "user", "--password-stdin", stdin=PASSWORD)
    assert deployment.json("account", "factors", "ada") == []
    with_app(deployment)
    listed = {"kind": "totp", "name": "Telephone", "created_at": "2023-11-14T22:13:20Z", "last_used_at": None}
    assert deployment.json("account", "factors", "ada") == [listed]
    assert deployment.json("account", "remove-factors", "ada")["username"] == "ada"
    assert deployment.json("account", "factors", "ada") == []
    assert deployment.json("account", "show", "ada")["tokens_valid_from"] is not None


def test_an_application_says_what_a_sign_in_to_it_needs(deployment: Deployment) -> None:
    made = deployment.json("app", "create", "Ledger", "--sign-in", "factor")
    assert deployment.json("app", "show", made["client_id"])["sign_in"] == "factor"
    assert deployment.json("app", "set", made["client_id"], "--sign-in", "password")["sign_in"] == "password"
