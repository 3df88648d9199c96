"""The contract of the store for factors: authenticator apps, recovery codes, passkeys."""

import asyncio

import msgspec
import pytest

from credence.store.contract import Conflict, Store
from credence.store.people import Factor, FactorKind
from tests.store.records import NOW, account, family

APP = Factor(b"a" * 16, "ada", "totp", "Telephone", NOW, 0, 0, b"sealed")
CODE = Factor(b"c" * 32, "ada", "recovery", "", NOW + 1)


@pytest.fixture
async def people(store: Store) -> Store:
    await store.save_account(account(), NOW)
    await store.save_account(account("bob"), NOW)
    await store.change_factors(account(), [], [APP, CODE])
    return store


async def test_factors_are_read_back_completely_and_by_account(people: Store) -> None:
    await people.change_factors(account("bob"), [], [msgspec.structs.replace(APP, id=b"b", username="bob")])
    assert await people.factors_of("ada") == [APP, CODE]
    assert await people.factors_of("nobody") == []
    assert await people.factor(APP.id) == APP
    assert await people.factor(b"other") is None


async def test_new_factors_replace_the_ones_that_are_named(people: Store) -> None:
    new = msgspec.structs.replace(APP, id=b"new", secret=b"other")
    await people.change_factors(account(), [APP, CODE], [new], [APP.id])
    assert await people.factors_of("ada") == [new, CODE]


async def test_an_id_that_exists_is_refused_and_nothing_is_replaced(people: Store) -> None:
    with pytest.raises(Conflict):
        await people.change_factors(account(), [APP, CODE], [msgspec.structs.replace(CODE, name="again")], [APP.id])
    assert await people.factors_of("ada") == [APP, CODE]


async def test_no_factor_is_added_to_an_account_that_changed_meanwhile(people: Store) -> None:
    """threats L3, as for a login."""
    await people.save_account(msgspec.structs.replace(account(version=2), password_version=2), NOW)
    with pytest.raises(Conflict):
        await people.change_factors(account(), [APP, CODE], [msgspec.structs.replace(APP, id=b"new")])
    assert await people.factors_of("ada") == [APP, CODE]


@pytest.mark.parametrize("before", [[], [APP, CODE]], ids=len)
async def test_of_changes_at_once_that_were_decided_on_the_same_factors_one_is_made(
    store: Store, before: list[Factor]
) -> None:
    """Two enrolments made two apps, and two tabs removed the last two passkeys."""
    await store.save_account(account(), NOW)
    await store.change_factors(account(), [], before)
    new = [msgspec.structs.replace(APP, id=bytes([number])) for number in range(8)]
    changes = [store.change_factors(account(), before, [each], [kept.id for kept in before]) for each in new]
    outcomes = await asyncio.gather(*changes, return_exceptions=True)
    assert sorted(type(each).__name__ for each in outcomes) == ["Conflict"] * 7 + ["NoneType"]
    assert len(await store.factors_of("ada")) == 1


@pytest.mark.parametrize("found", [[], [APP], [APP, CODE, msgspec.structs.replace(CODE, id=b"gone")]], ids=len)
async def test_a_change_that_was_decided_on_other_factors_is_not_made(people: Store, found: list[Factor]) -> None:
    with pytest.raises(Conflict):
        await people.change_factors(account(), found, remove=[APP.id])
    assert await people.factors_of("ada") == [APP, CODE]


@pytest.mark.parametrize("kind", ["totp", "passkey", "recovery"])
async def test_a_login_for_those_without_factors_is_opened_for_nobody_who_has_an_app_or_a_passkey(
    store: Store, kind: FactorKind
) -> None:
    """Recovery codes alone are no factor. Other logins are opened for everybody."""
    await store.save_account(account(), NOW)
    await store.open_family(family(1), account(), unless_enrolled=True)
    await store.change_factors(account(), [], [msgspec.structs.replace(APP, kind=kind)])
    if kind == "recovery":
        await store.open_family(family(2), account(), unless_enrolled=True)
        return
    with pytest.raises(Conflict):
        await store.open_family(family(2), account(), unless_enrolled=True)
    assert await store.family(family(2).id) is None
    await store.open_family(family(3), account())


async def test_a_time_step_is_used_once_however_many_try_at_once(people: Store) -> None:
    """RFC 6238 §5.2."""
    outcomes = await asyncio.gather(*(people.use_factor(APP.id, 57, NOW + 5) for _ in range(8)))
    assert sorted(outcomes) == [False] * 7 + [True]
    assert not await people.use_factor(APP.id, 56, NOW + 6)
    assert (await people.factors_of("ada"))[0] == msgspec.structs.replace(APP, counter=57, last_used_at=NOW + 5)


async def test_a_passkey_without_a_counter_is_used_again_and_again(people: Store) -> None:
    """WebAuthn §6.1.1: many authenticators always report 0. One that counted must not go back to it."""
    assert await people.use_factor(APP.id, 0, NOW + 1)
    assert await people.use_factor(APP.id, 0, NOW + 2)
    assert await people.use_factor(APP.id, 1, NOW + 3)
    assert not await people.use_factor(APP.id, 0, NOW + 4)


async def test_a_recovery_code_is_removed_once_however_many_try_at_once(people: Store) -> None:
    outcomes = await asyncio.gather(*(people.remove_factors("ada", [CODE.id]) for _ in range(8)))
    assert sorted(outcomes) == [0] * 7 + [1]
    assert await people.factors_of("ada") == [APP]


async def test_the_factor_of_another_account_is_not_removed(people: Store) -> None:
    assert await people.remove_factors("bob", [APP.id, CODE.id]) == 0
    assert await people.factors_of("ada") == [APP, CODE]
