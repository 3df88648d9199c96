"""The contract of the store for people: sessions, the families opened in them, and consents (D27, D28)."""

import asyncio
from typing import Any

import msgspec
import pytest

from credence.crypto import base64url
from credence.store.contract import Conflict, Store
from credence.store.deliveries import Backlog, Delivery
from credence.store.families import SignIn
from credence.store.records import TokenFamily
from credence.store.sign_ins import Consent, Session
from credence.store.sign_out_notices import read_notice
from tests.store.records import DAY, NOW, account, application, family

HOUR = 3_600_000


def session(identity: int = 1, username: str = "ada", signed_in_at: int = NOW) -> Session:
    return Session(bytes([identity]) * 32, username, signed_in_at, "pwd", NOW, NOW + HOUR, "Firefox on Linux")


def sign_in(opened: TokenFamily, key: bytes, *, offline: bool = False, client_id: str = "crd_sbx_app_a") -> SignIn:
    return SignIn(opened.id, key, client_id, "ada", NOW, "pwd otp", offline)


async def signed_in(store: Store, *, offline: bool = False, number: int = 1) -> TokenFamily:
    opened = family(number)
    await store.open_family(opened, account(), sign_in(opened, session().key, offline=offline))
    return opened


@pytest.fixture
async def people(store: Store) -> Store:
    """A store with one account, which is signed in."""
    await store.save_account(account(), NOW)
    await store.open_session(session(), account())
    return store


async def test_a_session_is_read_back_completely(people: Store) -> None:
    assert await people.session(session().key) == session()
    assert await people.session(b"another") is None


def test_a_notice_of_a_sign_out_names_the_login_name_even_with_a_colon_in_it() -> None:
    delivery = Delivery(b"id", "sign_out", "crd_sbx_app_a", b"00ff:a:da", NOW, NOW, NOW + HOUR)
    assert read_notice(delivery) == (b"\x00\xff", "a:da")


async def test_the_sessions_of_an_account_are_listed_newest_first(people: Store) -> None:
    await people.save_account(account("bob"), NOW)
    await people.open_session(session(2, "bob"), account("bob"))
    await people.open_session(session(3, signed_in_at=NOW + 1), account())
    assert await people.sessions_of("ada") == [session(3, signed_in_at=NOW + 1), session()]


@pytest.mark.parametrize(
    "change", [{"password_version": 2}, {"status": "suspended"}, {"not_before": NOW}], ids=lambda change: str(*change)
)
async def test_a_sign_in_verified_before_its_account_changed_opens_no_session(
    store: Store, change: dict[str, Any]
) -> None:
    """threats L3, as for a login."""
    await store.save_account(account(), NOW)
    await store.save_account(msgspec.structs.replace(account(version=2), **change), NOW)
    with pytest.raises(Conflict):
        await store.open_session(session(), account())
    assert await store.session(session().key) is None


async def test_the_use_of_a_session_is_noted(people: Store) -> None:
    await people.touch_session(session().key, NOW + 5)
    assert await people.session(session().key) == msgspec.structs.replace(session(), last_seen_at=NOW + 5)


async def test_a_family_opened_in_a_session_is_read_back_with_its_sign_in(people: Store) -> None:
    opened = await signed_in(people)
    assert await people.family(opened.id) == opened
    assert await people.sign_in(opened.id) == sign_in(opened, session().key)
    assert await people.sign_ins_of("ada") == [sign_in(opened, session().key)]


async def test_families_are_read_by_their_ids_ended_or_not_and_unknown_ids_are_left_out(people: Store) -> None:
    first, second, other = [await signed_in(people, number=number) for number in (1, 2, 3)]
    await people.end_family(second.id, NOW + 1, "revoked")
    unknown = [number.to_bytes(22, "big") for number in range(1, 3_000)]
    found = {each.id: each for each in await people.families_of([*unknown, first.id, second.id, first.id])}
    assert set(found) == {first.id, second.id}
    assert found[first.id] == first
    assert found[second.id].ended_because == "revoked"
    assert other.id not in found
    assert await people.families_of([]) == []


async def test_a_family_of_a_password_grant_has_no_sign_in(people: Store) -> None:
    await people.open_family(family(), account())
    assert await people.sign_in(family().id) is None


async def test_the_end_of_a_session_ends_its_families_and_logs_each(people: Store) -> None:
    first, second = await signed_in(people, number=1), await signed_in(people, number=2)
    before = (await people.changes(0))[-1].sequence
    assert await people.end_session(session().key, NOW + 1)
    assert await people.session(session().key) is None
    for each in (first, second):
        ended = await people.family(each.id)
        assert ended is not None
        assert (ended.ended_at, ended.ended_because) == (NOW + 1, "session_ended")
    logged = {(change.kind, change.subject) for change in await people.changes(before)}
    assert logged == {("family", base64url.encode(first.id)), ("family", base64url.encode(second.id))}


async def test_a_node_knows_at_once_that_it_has_ended_families_with_their_session(people: Store) -> None:
    """threats L3: a request after the answer must not wait for a notification."""
    await signed_in(people)
    before = people.change_marker()
    assert await people.end_session(session().key, NOW + 1)
    assert people.change_marker() != before


async def test_an_offline_family_outlives_its_session(people: Store) -> None:
    opened = await signed_in(people, offline=True)
    await people.end_session(session().key, NOW + 1)
    assert await people.family(opened.id) == opened


async def test_a_session_ends_once(people: Store) -> None:
    assert await people.end_session(session().key, NOW)
    assert not await people.end_session(session().key, NOW)


async def test_no_family_is_opened_in_a_session_that_has_ended(people: Store) -> None:
    await people.end_session(session().key, NOW)
    with pytest.raises(Conflict):
        await signed_in(people)
    assert await people.family(family().id) is None
    assert await people.sign_in(family().id) is None


async def test_a_family_and_the_end_of_its_session_at_once_leave_nothing_alive(opened: Any) -> None:
    """Whichever is first: the family is refused, or it ends with the session."""
    async with opened() as store:
        await store.save_account(account(), NOW)
        for number in range(1, 11):
            await store.open_session(session(number), account())
            new = family(number)
            outcomes = await asyncio.gather(
                store.open_family(new, account(), sign_in(new, session(number).key)),
                store.end_session(session(number).key, NOW),
                return_exceptions=True,
            )
            kept = await store.family(new.id)
            assert isinstance(outcomes[0], Conflict) or (kept is not None and kept.ended_at == NOW)


async def test_of_two_families_with_one_id_the_second_is_refused(people: Store) -> None:
    """D27: the family id is in the authorization code, so the second use of a code is noticed on every node."""
    await signed_in(people)
    with pytest.raises(Conflict):
        await signed_in(people)


async def test_a_new_sign_in_takes_the_families_of_the_session_that_it_replaces(people: Store) -> None:
    opened = await signed_in(people)
    await people.open_session(session(2), account(), replaces=session().key)
    assert await people.session(session().key) is None
    await people.end_session(session(2).key, NOW + 1)
    ended = await people.family(opened.id)
    assert ended is not None
    assert ended.ended_at == NOW + 1


async def test_a_consent_is_read_back_and_replaced(people: Store) -> None:
    first = Consent("ada", "crd_sbx_app_a", "openid", b"t" * 16, NOW)
    await people.save_consent(first)
    second = Consent("ada", "crd_sbx_app_a", "openid credit:report", b"u" * 16, NOW + 1)
    await people.save_consent(second)
    other = Consent("ada", "crd_sbx_app_0", "openid", b"t" * 16, NOW)
    await people.save_consent(other)
    assert await people.consents_of("ada") == [other, second]
    assert await people.consents_of("bob") == []


async def test_the_consents_to_an_application_are_read_by_login_name(people: Store) -> None:
    given = [Consent(name, "crd_sbx_app_a", "openid", b"t" * 16, NOW) for name in ("bob", "ada", "cleo")]
    for each in (*given, Consent("ada", "crd_sbx_app_0", "openid", b"t" * 16, NOW)):
        await people.save_consent(each)
    assert [each.username for each in await people.consents_to("crd_sbx_app_a", 9)] == ["ada", "bob", "cleo"]
    assert [each.username for each in await people.consents_to("crd_sbx_app_a", 2)] == ["ada", "bob"]
    assert await people.consents_to("crd_sbx_app_none", 9) == []


async def test_a_session_is_read_together_with_the_consents_of_its_account(people: Store) -> None:
    assert await people.session_with_consents(session().key) == (session(), [])
    consents = [Consent("ada", f"crd_sbx_app_{letter}", "openid", b"t" * 16, NOW) for letter in "ab"]
    for each in (*reversed(consents), Consent("bob", "crd_sbx_app_a", "openid", b"t" * 16, NOW)):
        await people.save_consent(each)
    assert await people.session_with_consents(session().key) == (session(), consents)
    assert await people.session_with_consents(b"another") is None


async def test_a_withdrawn_consent_ends_the_families_of_that_application_alone(people: Store) -> None:
    opened = await signed_in(people, offline=True)
    other = family(2)
    await people.open_family(other, account(), sign_in(other, session().key, client_id="crd_sbx_app_0"))
    await people.save_consent(Consent("ada", "crd_sbx_app_a", "openid", b"", NOW))
    assert await people.withdraw_consent("ada", "crd_sbx_app_a", NOW + 1)
    assert await people.consents_of("ada") == []
    ended = await people.family(opened.id)
    assert ended is not None
    assert (ended.ended_at, ended.ended_because) == (NOW + 1, "consent_withdrawn")
    assert await people.family(other.id) == other
    assert not await people.withdraw_consent("ada", "crd_sbx_app_a", NOW + 2)


async def test_expired_sessions_and_sign_ins_are_deleted(people: Store) -> None:
    opened = await signed_in(people)
    await people.sweep(NOW + HOUR - 1)
    assert await people.session(session().key) == session()
    await people.sweep(NOW + HOUR)
    assert await people.session(session().key) is None
    assert await people.sign_in(opened.id) is not None
    await people.sweep(NOW + DAY)
    assert await people.sign_in(opened.id) is None


ADDRESS = "https://app.example/signed-out"


def notice(family_id: bytes, sid: bytes, client_id: str = "crd_sbx_app_a", at: int = NOW + 1) -> Delivery:
    return Delivery(family_id, "sign_out", client_id, f"{sid.hex()}:ada".encode(), at, at, at + HOUR)


async def with_addresses(store: Store, *client_ids: str) -> None:
    for client_id in client_ids:
        named = msgspec.structs.replace(application(client_id), backchannel_logout_uri=ADDRESS)
        await store.save_application(named, NOW)


async def opened_for(store: Store, number: int, client_id: str, key: bytes | None = None) -> bytes:
    opened = msgspec.structs.replace(family(number), client_id=client_id)
    await store.open_family(opened, account(), sign_in(opened, key or session().key, client_id=client_id))
    return opened.id


async def test_the_end_of_a_session_adds_a_notice_for_each_application_that_it_reached(people: Store) -> None:
    """OpenID Connect Back-Channel Logout §2.3; one for each, however many families it has."""
    await with_addresses(people, "a", "b", "other")
    await people.save_application(application("c"), NOW)
    first = await opened_for(people, 1, "a")
    await opened_for(people, 2, "a")
    of_b = await opened_for(people, 3, "b")
    await opened_for(people, 4, "c")
    sid = session().key[:16]
    assert await people.end_session(session().key, NOW + 1)
    assert await people.deliveries_of("a") == [notice(first, sid, "a")]
    assert await people.deliveries_of("b") == [notice(of_b, sid, "b")]
    assert await people.backlog() == Backlog(2, 0, NOW + 1)
    assert not await people.end_session(session().key, NOW + 2)
    assert (await people.backlog()).waiting == 2


async def test_an_application_gets_the_session_by_which_it_knows_it_after_a_new_sign_in(people: Store) -> None:
    await with_addresses(people, "a")
    first = await opened_for(people, 1, "a")
    await people.open_session(session(2), account(), replaces=session().key)
    second = await opened_for(people, 2, "a", session(2).key)
    found = await people.sign_in(first)
    assert found is not None
    assert (found.session, found.sid) == (session(2).key, session().key[:16])
    await people.open_session(session(3), account(), replaces=session(2).key)
    await people.end_session(session(3).key, NOW + 1)
    assert await people.deliveries_of("a") == [
        notice(first, session().key[:16], "a"),
        notice(second, session(2).key[:16], "a"),
    ]


async def test_a_change_of_the_account_that_ends_sessions_adds_their_notices(people: Store) -> None:
    """By a new password, a state or the operator: all raise `not_before`."""
    await with_addresses(people, "a")
    await people.open_session(session(2), account())
    first, second = await opened_for(people, 1, "a"), await opened_for(people, 2, "a", session(2).key)
    harmless = msgspec.structs.replace(account(version=2), first_name="Ada")
    await people.save_account(harmless, NOW + 1)
    assert await people.deliveries_of("a") == []
    ending = msgspec.structs.replace(harmless, version=3, not_before=NOW + 1)
    with pytest.raises(Conflict):
        await people.save_account(msgspec.structs.replace(ending, version=5), NOW + 1)
    assert await people.deliveries_of("a") == []
    await people.save_account(ending, NOW + 1)
    assert await people.deliveries_of("a") == [
        notice(first, session().key[:16], "a"),
        notice(second, session(2).key[:16], "a"),
    ]
    for each in await people.deliveries_of("a"):
        await people.end_delivery(each)
    await people.save_account(msgspec.structs.replace(ending, version=4, not_before=NOW + 9), NOW + 2)
    assert await people.deliveries_of("a") == []


async def test_a_change_of_one_account_ends_no_session_of_another_nor_one_that_was_over(people: Store) -> None:
    await with_addresses(people, "a")
    await people.save_account(account("bob"), NOW)
    await opened_for(people, 1, "a")
    await people.save_account(msgspec.structs.replace(account("bob", version=2), not_before=NOW + 1), NOW + 1)
    later = NOW + HOUR
    await people.save_account(msgspec.structs.replace(account(version=2), not_before=later), later)
    assert await people.backlog() == Backlog(0, 0, None)
