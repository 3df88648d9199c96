"""The contract of the store for devices that wait for a person (RFC 8628)."""

import asyncio

import msgspec
import pytest

from credence.store.contract import Conflict, Store
from credence.store.devices import DeviceRequest
from tests.store.records import NOW

REQUEST = DeviceRequest(
    key=b"k" * 32,
    client_id="crd_sbx_app_tv",
    scope="openid credit:report",
    resources="",
    address="192.0.2.7",
    created_at=NOW,
    expires_at=NOW + 600_000,
    pause=5_000,
)
ALLOWED = msgspec.structs.replace(REQUEST, decision="allowed", username="ada", signed_in_at=NOW - 5, methods="pwd")


async def test_a_request_is_read_back_completely(store: Store) -> None:
    await store.add_device_request(ALLOWED)
    assert await store.device_request(ALLOWED.key) == ALLOWED
    assert await store.device_request(b"other") is None


async def test_a_key_that_exists_is_refused_and_the_request_stays(store: Store) -> None:
    await store.add_device_request(REQUEST)
    with pytest.raises(Conflict):
        await store.add_device_request(msgspec.structs.replace(REQUEST, client_id="another"))
    assert await store.device_request(REQUEST.key) == REQUEST


async def test_a_poll_is_noted_and_neither_value_decreases(store: Store) -> None:
    await store.add_device_request(REQUEST)
    await store.note_device_poll(REQUEST.key, NOW + 9_000, 10_000)
    await store.note_device_poll(REQUEST.key, NOW + 8_000, 5_000)
    await store.note_device_poll(b"other", NOW + 9_000, 10_000)
    assert await store.device_request(REQUEST.key) == msgspec.structs.replace(
        REQUEST, polled_at=NOW + 9_000, pause=10_000
    )


async def test_one_of_many_decisions_at_once_counts(store: Store) -> None:
    await store.add_device_request(REQUEST)
    refused = msgspec.structs.replace(REQUEST, decision="refused", username="bob")
    outcomes = await asyncio.gather(
        *(store.decide_device_request(each, NOW + 1) for each in (ALLOWED, refused) for _ in range(4))
    )
    assert sorted(outcomes) == [False] * 7 + [True]
    assert await store.device_request(REQUEST.key) == (ALLOWED if any(outcomes[:4]) else refused)


async def test_nobody_decides_about_a_request_that_has_expired_or_is_unknown(store: Store) -> None:
    assert not await store.decide_device_request(ALLOWED, NOW)
    await store.add_device_request(REQUEST)
    assert not await store.decide_device_request(ALLOWED, REQUEST.expires_at)
    assert await store.device_request(REQUEST.key) == REQUEST


async def test_an_expired_request_is_swept(store: Store) -> None:
    await store.add_device_request(REQUEST)
    await store.sweep(REQUEST.expires_at - 1)
    assert await store.device_request(REQUEST.key) == REQUEST
    await store.sweep(REQUEST.expires_at)
    assert await store.device_request(REQUEST.key) is None
