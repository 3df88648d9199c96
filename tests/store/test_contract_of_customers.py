"""The contract of the store for customers of portfolios and the ledgers that they come from."""

from collections.abc import Mapping

import msgspec
import pytest

from credence.store.contract import Conflict, Full, Store
from credence.store.customers import Candidate, Customer, Merge, Merged, Owed
from credence.store.ledger_uploads import KEPT_MS, LedgerUpload
from credence.store.portfolios import Portfolio, WatchedCompany
from tests.store.records import NOW, customer

OWNER = "crd_sbx_app_a"
FIRST, SECOND = "00000001", "00000002"
UPLOAD = LedgerUpload("up1", "p1", "ledger.csv", "00", "ada", NOW, ("Name", "Balance"))
TAKEN = msgspec.structs.replace(UPLOAD, version=2, state="taken")


def these(*customers: Customer) -> Merge:
    return lambda _before, _watched: Merged(customers, len(customers), 0, 0)


async def filled(store: Store, *customers: Customer) -> Store:
    await store.save_portfolio(Portfolio("p1", OWNER, "Customers", NOW))
    await store.keep_ledger(UPLOAD, b"lines")
    await store.take_ledger(TAKEN, these(*customers), NOW)
    return store


async def test_the_exposure_of_a_company_is_the_sum_of_its_accounts_rounded_up(store: Store) -> None:
    await filled(store, customer("C1", 12_050, FIRST), customer("C2", 5_001, FIRST), customer("C3", -900, SECOND))
    assert await store.watched("p1", "", 10) == [
        WatchedCompany(FIRST, "C1", 171, "GBP"),
        WatchedCompany(SECOND, "C3", 0, "GBP"),
    ]


async def test_the_exposure_of_accounts_in_two_currencies_is_unknown(store: Store) -> None:
    await filled(store, customer("C1", 12_050, FIRST), customer("C2", 5_001, FIRST, currency="EUR"))
    assert await store.watched("p1", "", 10) == [WatchedCompany(FIRST, "C1", None, "")]


async def test_an_account_that_is_settled_leaves_the_exposure_and_what_is_overdue_known(store: Store) -> None:
    late = customer("C1", company=FIRST, owed=Owed(12_050, days_30=5_000))
    await filled(store, late, customer("C2", 0, FIRST, currency="EUR"), customer("C3", 700, SECOND))
    first, _ = await store.watched("p1", "", 10)
    assert (first.exposure, first.currency) == (121, "GBP")
    assert await store.overdue_by(OWNER) == {FIRST: 50, SECOND: None}
    assert await store.overdue_by(OWNER, [FIRST]) == {FIRST: 50}
    await store.exchange_customers([(late, msgspec.structs.replace(late, owed=Owed()))])
    assert (await store.overdue_by(OWNER))[FIRST] == 0
    assert (await store.watched("p1", "", 10))[0].exposure == 0


async def test_customers_are_read_by_reference_and_state(store: Store) -> None:
    kept = [customer("C1", company=FIRST), customer("C2"), customer("C3", state="none")]
    await filled(store, *kept)
    assert await store.customers("p1", "C1", 1) == [kept[1]]
    assert await store.customers_in("p1", "none", "", 10) == [kept[2]]
    assert await store.customer("p1", "C2") == kept[1]
    assert await store.count_customers("p1") == {"number": 1, "waiting": 1, "none": 1}


async def test_a_ledger_sees_the_customers_and_the_references_of_watched_companies(store: Store) -> None:
    await filled(store, customer("C1"))
    await store.watch("p1", [WatchedCompany(FIRST, "C2")], 10)
    seen: list[Mapping[str, object]] = []

    def merge(before: Mapping[str, Customer], watched: Mapping[str, str]) -> Merged:
        seen.extend((before, watched))
        return Merged((), 0, 0, 0)

    await store.take_ledger(msgspec.structs.replace(TAKEN, version=3), merge, NOW)
    assert seen == [{"C1": customer("C1")}, {"C2": FIRST}]


async def test_a_ledger_that_is_too_long_or_comes_second_changes_nothing(store: Store) -> None:
    await filled(store, customer("C1"))
    with pytest.raises(Conflict):
        await store.take_ledger(TAKEN, these(customer("C2", company=FIRST)), NOW)
    with pytest.raises(Full):
        await store.take_ledger(msgspec.structs.replace(TAKEN, version=3), these(customer("C2")), NOW, 1)
    assert await store.customers("p1") == [customer("C1")]
    assert await store.watched("p1", "", 10) == []


async def test_the_lines_of_an_upload_wait_a_day_and_end_when_it_is_taken(store: Store) -> None:
    await store.save_portfolio(Portfolio("p1", OWNER, "Customers", NOW))
    await store.keep_ledger(UPLOAD, b"lines")
    assert await store.ledger_lines("up1", NOW + KEPT_MS - 1) == b"lines"
    assert await store.ledger_lines("up1", NOW + KEPT_MS) is None
    taken = await store.take_ledger(TAKEN, these(customer()), NOW)
    assert await store.ledger_lines("up1", NOW) is None
    assert taken == msgspec.structs.replace(TAKEN, added=1)
    assert await store.ledger_uploads("p1", 10) == [taken]


async def test_an_accepted_company_is_stored_unless_the_customer_changed_meanwhile(store: Store) -> None:
    await filled(store, customer("C1"), customer("C2"))
    accepted = customer("C1", company=FIRST, state="accepted")
    stale = customer("C2", 99)
    assert await store.exchange_customers([(customer("C1"), accepted), (stale, customer("C2", company=SECOND))]) == [
        "C1"
    ]
    assert await store.customers("p1") == [accepted, customer("C2")]
    assert [each.exposure for each in await store.watched("p1", "", 10)] == [121]


async def test_a_corrected_company_loses_the_exposure_and_the_right_one_gets_it(store: Store) -> None:
    await filled(store, customer("C1", company=FIRST))
    await store.exchange_customers([(customer("C1", company=FIRST), customer("C1", company=SECOND))])
    assert [(each.company, each.exposure) for each in await store.watched("p1", "", 10)] == [(FIRST, 0), (SECOND, 121)]


async def test_a_customer_that_waits_is_claimed_by_one_search_at_a_time(store: Store) -> None:
    await filled(store, customer("C1"), customer("C2", company=FIRST))
    assert await store.claim_customers(NOW, NOW + 60, 10) == [customer("C1")]
    assert await store.claim_customers(NOW + 59, NOW + 120, 10) == []
    assert await store.claim_customers(NOW + 60, NOW + 120, 10) == [customer("C1")]
    found = customer("C1", state="proposed", candidates=(Candidate(SECOND, "ONE LIMITED", 97),))
    await store.exchange_customers([(customer("C1"), found)])
    assert await store.claim_customers(NOW + 999, NOW + 1999, 10) == []


async def test_customers_end_with_their_portfolio(store: Store) -> None:
    await filled(store, customer())
    await store.delete_portfolio(Portfolio("p1", OWNER, "Customers", NOW))
    assert (await store.customers("p1"), await store.ledger_uploads("p1", 10)) == ([], [])


async def test_accounts_without_a_company_are_counted_in_all_portfolios_or_in_one(store: Store) -> None:
    await filled(store, customer("C1", 100, ""), customer("C2", 100, ""), customer("C3", 100, FIRST))
    await store.save_portfolio(Portfolio("p2", OWNER, "Others", NOW))
    await store.save_portfolio(Portfolio("p3", "crd_sbx_app_b", "Of another", NOW))
    assert [await store.count_unmatched(OWNER, each) for each in ("", "p1", "p2")] == [2, 2, 0]
    assert await store.count_unmatched("crd_sbx_app_b", "p1") == 0
