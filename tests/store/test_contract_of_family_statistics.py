"""The lists and the statistics of families in the contract, checked for each implementation."""

import msgspec
import pytest

from credence.store.contract import Store
from credence.store.records import FamilyStatistics
from credence.store.tallies import last_key
from tests.store.records import DAY, NOW, account, application, family, log_in
from tests.store.test_contract_of_sign_ins import sign_in

CLIENT = "crd_sbx_app_a"


async def test_families_are_counted_for_each_application_with_the_newest_creation(store: Store) -> None:
    for client_id in ("crd_sbx_app_b", CLIENT, "crd_sbx_app_c"):
        await store.save_application(application(client_id), NOW)
    await log_in(store, family(1))
    await log_in(store, msgspec.structs.replace(family(2), created_at=NOW + 5))
    await log_in(store, msgspec.structs.replace(family(3), client_id="crd_sbx_app_b"))
    assert await store.family_statistics(NOW + 5) == [
        FamilyStatistics(CLIENT, signed_in=False, live=2, newest=NOW + 5),
        FamilyStatistics("crd_sbx_app_b", signed_in=False, live=1, newest=NOW),
    ]


async def test_families_that_people_opened_on_the_pages_are_counted_apart(store: Store) -> None:
    await store.save_application(application(), NOW)
    await log_in(store, family(1))
    for number in (2, 3):
        opened = msgspec.structs.replace(family(number), created_at=NOW + number)
        await store.open_family(opened, account(), sign_in(opened, b"", offline=True))
    await store.end_family(family(2).id, NOW + 3, "revoked")
    assert await store.family_statistics(NOW + 3) == [
        FamilyStatistics(CLIENT, signed_in=False, live=1, newest=NOW),
        FamilyStatistics(CLIENT, signed_in=True, live=1, newest=NOW + 3),
    ]


async def test_families_are_listed_page_by_page_from_the_one_that_expires_last(store: Store) -> None:
    await store.save_application(application(), NOW)
    opened = [family(number, NOW + number % 3 * DAY) for number in range(1, 8)]
    for each in opened:
        await log_in(store, each)
    await store.end_family(opened[0].id, NOW, "revoked")
    listed, before = list[bytes](), last_key(b"")
    while page := await store.families(before, 3):
        listed += [each.id for each in page]
        before = listed[-1]
    assert listed == sorted((each.id for each in opened), reverse=True)
    assert await store.families(opened[0].id, 0) == []


async def test_a_login_that_ended_is_no_longer_live_and_one_that_expired_is_not_counted(store: Store) -> None:
    await store.save_application(application(), NOW)
    await log_in(store, family(1))
    await log_in(store, family(2, expires_at=NOW + 2 * DAY))
    await store.end_family(family(1).id, NOW, "revoked")
    one = [FamilyStatistics(CLIENT, signed_in=False, live=1, newest=NOW)]
    assert await store.family_statistics(NOW) == one
    assert await store.family_statistics(NOW + 2 * DAY - 1) == one
    assert await store.family_statistics(NOW + 2 * DAY) == []


@pytest.mark.parametrize("owner", ["application", "account"])
@pytest.mark.parametrize(("not_before", "live"), [(NOW, 1), (NOW + 1, 0)])
async def test_families_created_before_not_before_are_not_live(
    store: Store, owner: str, not_before: int, live: int
) -> None:
    """threats L5: the strictest of the cut-offs wins."""
    await store.save_application(application(), NOW)
    await log_in(store, family())
    if owner == "application":
        await store.save_application(msgspec.structs.replace(application(version=2), not_before=not_before), NOW)
    else:
        await store.save_account(msgspec.structs.replace(account(version=2), not_before=not_before), NOW)
    assert await store.family_statistics(NOW) == [FamilyStatistics(CLIENT, signed_in=False, live=live, newest=NOW)]
