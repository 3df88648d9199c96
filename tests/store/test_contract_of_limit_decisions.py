"""The contract of the store for decisions about limits: a chain for each company, of which nothing is lost."""

import msgspec
import pytest

from credence.store.contract import Conflict, Store
from credence.store.limit_decisions import LIMIT_DECISIONS, LimitDecision, NewestLimits
from tests.store.records import limit_decision

OWNER, STRANGER = "crd_sbx_app_a", "crd_sbx_app_b"
OTHER_COMPANY = "00000002"


async def kept(store: Store, *decisions: LimitDecision) -> None:
    for each in decisions:
        await store.save(LIMIT_DECISIONS, each)


async def test_of_two_decisions_at_once_the_second_is_not_stored(store: Store) -> None:
    await kept(store, limit_decision())
    with pytest.raises(Conflict):
        await store.save(LIMIT_DECISIONS, limit_decision(amount=900))
    assert [each.amount for each in await store.limit_history(OWNER, "00000001")] == [500]


async def test_the_history_of_a_company_is_its_owners_and_begins_with_the_newest(store: Store) -> None:
    first, second = limit_decision(), limit_decision(2, "waiting")
    await kept(store, first, second, limit_decision(company=OTHER_COMPANY), limit_decision(owner=STRANGER))
    assert await store.limit_history(OWNER, "00000001") == [second, first]
    assert [each.company for each in await store.limit_decisions_of(OWNER)] == ["00000001", "00000001", OTHER_COMPANY]
    assert await store.limit_decisions_of(OWNER, second.id) == [limit_decision(company=OTHER_COMPANY)]


async def test_the_newest_approved_decision_holds_whatever_came_after_it(store: Store) -> None:
    held = limit_decision(2, amount=900)
    await kept(
        store,
        limit_decision(),
        held,
        limit_decision(3, "waiting"),
        limit_decision(company=OTHER_COMPANY, state="refused"),
    )
    assert await store.newest_limits(OWNER, ["00000001", OTHER_COMPANY]) == {
        "00000001": NewestLimits(limit_decision(3).id, held.id),
        OTHER_COMPANY: NewestLimits(limit_decision(company=OTHER_COMPANY).id, None),
    }


async def test_what_is_open_is_what_holds_and_what_waits_and_was_not_replaced(store: Store) -> None:
    held, waits = limit_decision(2), limit_decision(3, "waiting", OTHER_COMPANY)
    await kept(
        store,
        limit_decision(1, "waiting"),
        held,
        limit_decision(3, "refused"),
        limit_decision(1, company=OTHER_COMPANY),
        limit_decision(2, company=OTHER_COMPANY),
        waits,
        limit_decision(owner=STRANGER),
    )
    assert await store.open_limits(OWNER) == [held, limit_decision(2, company=OTHER_COMPANY), waits]
    assert await store.open_limits(OWNER, held.id, 1) == [limit_decision(2, company=OTHER_COMPANY)]


async def test_a_decision_with_a_later_one_cannot_be_changed(store: Store) -> None:
    first = limit_decision(1, "waiting")
    await kept(store, first, limit_decision(2))
    approved = msgspec.structs.replace(first, state="approved", version=2)
    with pytest.raises(Conflict):
        await store.save(LIMIT_DECISIONS, approved)
    assert await store.get(LIMIT_DECISIONS, first.id) == first
