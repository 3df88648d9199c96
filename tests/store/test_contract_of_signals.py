"""The contract of the store for shared signals: written with the change itself (OpenID Shared Signals Framework 1.0)."""

import json

import msgspec
import pytest

from credence.crypto import base64url
from credence.store.contract import Conflict, Store
from credence.store.deliveries import HELD, Delivery, added, dropped
from credence.store.people import Factor, FactorKind
from credence.store.sign_ins import Consent
from credence.store.signals import NOTICES, STREAMS, Relation, SignalStream
from tests.store.records import DAY, NOW, account, application, family, log_in

OWNER = "crd_sbx_app_a"


def stream(identity: str = "st1", **changes: object) -> SignalStream:
    return msgspec.structs.replace(SignalStream(identity, OWNER, NOW, "push"), **changes)


def delivery(number: int = 1, receiver: str = "st1") -> Delivery:
    return Delivery(number.to_bytes(16, "big"), "signal", receiver, b"{}", NOW, NOW, NOW + DAY)


async def test_a_stream_is_stored_changed_and_deleted_and_an_owner_has_one(store: Store) -> None:
    await store.save_signal_stream(stream())
    for late in (stream(), stream("st2"), stream(version=3)):
        with pytest.raises(Conflict):
            await store.save_signal_stream(late, [delivery()])
    await store.save_signal_stream(stream("st2", owner="crd_sbx_app_b"))
    changed = stream(version=2, description="new")
    await store.save_signal_stream(changed, [delivery()])
    assert await store.signal_stream("st1") == changed
    assert await store.signal_stream("st\0") is None
    assert [each.id for each in await store.signal_streams()] == ["st1", "st2"]
    with pytest.raises(Conflict):
        await store.delete_signal_stream(stream())
    await store.delete_signal_stream(changed)
    assert await store.signal_stream("st1") is None
    assert await store.deliveries_of("st1") == []


async def test_changes_of_password_factors_and_address_make_signals_for_notices_without_a_stream(store: Store) -> None:
    """Recovery codes too; other changes of an account do not, nor does anything before the store is told."""
    await store.save_account(account(), NOW)
    await store.save_account(msgspec.structs.replace(account(version=2), password_version=2), NOW)
    assert await store.signals(10) == []
    await store.save_shared_value(NOTICES, 1, b"")
    kept = msgspec.structs.replace(account(version=2), password_version=2)
    for changes in ({"first_name": "A"}, {"password_version": 3}, {"email": "a@b.example"}, {"email": None}):
        kept = msgspec.structs.replace(kept, version=kept.version + 1, **changes)
        await store.save_account(kept, NOW)
    kinds: tuple[FactorKind, ...] = ("totp", "recovery", "passkey")
    factors = [Factor(bytes([number]), "ada", kind, "", NOW) for number, kind in enumerate(kinds)]
    await store.change_factors(kept, [], factors)
    await store.remove_factors("ada", [bytes([1])])
    found = await store.signals(20)
    assert sorted((each.kind, each.before, each.after) for each in found if each.kind == "factor") == [
        ("factor", "", "passkey"),
        ("factor", "", "recovery"),
        ("factor", "", "totp"),
        ("factor", "recovery", ""),
    ]
    states = [(json.loads(each.before), json.loads(each.after)) for each in found if each.kind == "account"]
    assert all("password_hash" not in state for pair in states for state in pair)
    assert sorted(f"{before.get('email')} {after.get('email')}" for before, after in states) == [
        "None None",
        "None a@b.example",
        "a@b.example None",
    ]


async def test_what_waits_for_a_stream_is_held_and_let_go(store: Store) -> None:
    await store.save_signal_stream(stream(), [delivery(), delivery(2, "other")])
    await store.save_signal_stream(stream(version=2), [], HELD)
    assert [each.due_at for each in await store.deliveries_of("st1")] == [HELD]
    assert [each.due_at for each in await store.deliveries_of("other")] == [NOW]
    backlog = await store.backlog()
    assert (backlog.waiting, backlog.given_up, backlog.oldest_due_at) == (1, 0, NOW)
    await store.save_signal_stream(stream(version=3), [], NOW + 1)
    assert [each.due_at for each in await store.deliveries_of("st1")] == [NOW + 1]


async def test_what_waits_is_deleted_with_the_change_of_its_stream_or_not_at_all(store: Store) -> None:
    await store.save_signal_stream(stream(), [delivery(), delivery(2, "other")])
    with pytest.raises(Conflict):
        await store.save(STREAMS, stream(version=3), also=[dropped("st1")])
    assert len(await store.deliveries_of("st1")) == 1
    await store.save(STREAMS, stream(version=2), also=[dropped("st1"), added([delivery(3)])])
    assert [each.id for each in await store.deliveries_of("st1")] == [delivery(3).id]
    assert len(await store.deliveries_of("other")) == 1


async def test_without_streams_no_signal_is_written(store: Store) -> None:
    await log_in(store, family(1))
    await store.end_family(family(1).id, NOW, "revoked")
    await store.save_account(msgspec.structs.replace(account(), version=2, status="suspended"), NOW)
    assert await store.signals(10) == []


async def test_the_end_of_a_login_and_a_change_of_an_account_are_signals_without_credentials(store: Store) -> None:
    await store.save_application(application(), NOW)
    await log_in(store, family(1))
    await store.save_signal_stream(stream())
    await store.end_family(family(1).id, NOW, "revoked")
    await store.end_family(family(1).id, NOW, "revoked")
    await store.save_account(msgspec.structs.replace(account(), version=2, status="suspended"), NOW)
    with pytest.raises(Conflict):
        await store.save_account(msgspec.structs.replace(account(), version=2), NOW)
    await store.save_application(msgspec.structs.replace(application(), version=2, not_before=NOW + 1), NOW)
    found = {each.kind: each for each in await store.signals(10)}
    assert sorted(found) == ["account", "application", "family"]
    assert found["family"].subject == base64url.encode(family(1).id)
    of_account = found["account"]
    before, after = json.loads(of_account.before), json.loads(of_account.after)
    assert (of_account.subject, before["status"], after["status"]) == ("ada", "active", "suspended")
    assert (before["version"], after["version"], after["password_version"]) == (1, 2, 1)
    assert not {"password_hash", "rules"} & (before.keys() | after.keys())
    of_application = found["application"]
    assert (json.loads(of_application.before), json.loads(of_application.after)) == (
        {"not_before": 0, "version": 1},
        {"not_before": NOW + 1, "version": 2},
    )


async def test_a_factor_that_is_added_or_removed_is_a_signal_and_a_recovery_code_is_none(store: Store) -> None:
    await log_in(store, family(1))
    await store.save_signal_stream(stream())
    factors = [Factor(b"a" * 16, "ada", "totp", "Telephone", NOW), Factor(b"b" * 16, "ada", "recovery", "", NOW)]
    await store.change_factors(account(), [], factors)
    await store.use_factor(b"a" * 16, 5, NOW)
    (added,) = await store.signals(10)
    assert added[1:] == ("factor", "ada", "", "totp")
    await store.settle_signals({added.id: []})
    await store.remove_factors("ada", [b"a" * 16, b"b" * 16])
    assert [each[1:] for each in await store.signals(10)] == [("factor", "ada", "totp", "")]


async def test_a_signal_is_replaced_by_its_deliveries_once(store: Store) -> None:
    await log_in(store, family(1))
    await store.save_signal_stream(stream())
    await store.end_family(family(1).id, NOW, "revoked")
    (found,) = await store.signals(10)
    await store.settle_signals({found.id: [delivery(1)]})
    await store.settle_signals({found.id: [delivery(2)], "unknown": [delivery(3)]})
    await store.settle_signals({})
    assert await store.signals(10) == []
    assert [each.id for each in await store.deliveries_of("st1")] == [delivery(1).id]


async def test_the_applications_of_an_account_are_those_with_its_consent_or_a_login_that_lasts(store: Store) -> None:
    await log_in(store, family(1))
    await log_in(store, family(2))
    await store.end_family(family(2).id, NOW, "revoked")
    await store.save_consent(Consent("ada", "crd_sbx_app_b", "openid email", b"t" * 16, NOW))
    of_login = family(1)
    expected = [
        Relation(of_login.client_id, "ada", of_login.scope),
        Relation("crd_sbx_app_b", "ada", "openid email"),
    ]
    owners = [of_login.client_id, "crd_sbx_app_b", "crd_sbx_app_c"]
    assert sorted(await store.relations(["ada", "bob"], owners, NOW)) == sorted(expected)
    assert await store.relations(["ada"], ["crd_sbx_app_c"], NOW) == []
    assert await store.relations(["bob"], owners, NOW) == []
    assert await store.relations(["ada"], [of_login.client_id], of_login.expires_at) == []
