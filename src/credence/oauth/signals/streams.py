"""Streams of signals: how receivers and operators create and change them (SSF §8.1)."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import new_stream_id
from credence.crypto.sealing import KeyEncryptionKeys, seal, unseal
from credence.oauth.signals.events import STREAM_UPDATED, SUPPORTED, VERIFICATION, delivery_of, due_at
from credence.store.contract import Store
from credence.store.deliveries import Delivery, added, dropped, due
from credence.store.signals import STREAMS, Method, SignalStream, Status
from credence.store.statements import Step

MAX_REMOVED = 1_000
"""Maximum number of accounts about which a receiver refuses signals."""

MIN_VERIFICATION_INTERVAL_SECONDS = 10
"""The minimum interval between two verifications of a stream, which limits the calls that a receiver can cause."""


class StreamRequest(NamedTuple):
    """The properties of a stream that its receiver requests."""

    method: Method
    endpoint: str = ""
    authorization: str | None = ""
    """The Authorization header of each push; None keeps the present one."""
    events: tuple[str, ...] = SUPPORTED
    description: str = ""


async def make(
    store: Store, digest_key: bytes, owner: str, requested: StreamRequest, now: Milliseconds
) -> SignalStream:
    """Store a new stream of an application; raises Conflict if the application has one."""
    new = SignalStream(new_stream_id(), owner, now, requested.method)
    made = _with(new, digest_key, requested)
    await store.save_signal_stream(made)
    return made


async def change(
    store: Store, digest_key: bytes, kept: SignalStream, requested: StreamRequest, now: Milliseconds
) -> SignalStream:
    """Store a change of a stream by its receiver; pending tokens use the new delivery method. Raises Conflict."""
    new = _with(msgspec.structs.replace(kept, version=kept.version + 1, method=requested.method), digest_key, requested)
    moved = due_at(new, now) if new.method != kept.method else None
    await store.save_signal_stream(new, [], moved)
    return new


_STATUSES: tuple[Status, ...] = ("enabled", "paused", "disabled")
"""In this order, each status stops more than the one before."""


def may_set(kept: SignalStream, status: Status) -> bool:
    """Return whether the receiver may set this status: what the operator stopped, it can only stop further."""
    return not kept.set_by_operator or _STATUSES.index(status) > _STATUSES.index(kept.status)


async def change_status(
    store: Store, kept: SignalStream, status: Status, reason: str, now: Milliseconds, *, notify: bool
) -> SignalStream:
    """Enable, pause or disable a stream, as `status_changed` says; raises Conflict."""
    new, also = status_changed(kept, status, reason, now, notify=notify)
    await store.save(STREAMS, new, also=also)
    return new


def status_changed(
    kept: SignalStream, status: Status, reason: str, now: Milliseconds, *, notify: bool
) -> tuple[SignalStream, Sequence[Step]]:
    """Return a stream with another status, and what is stored with it.

    Tokens are kept during a pause. A disabled stream loses its pending tokens (SSF §8.1.2), and again when it is enabled,
    because a node may have stored late ones in between. With `notify` the receiver gets `stream-updated`, as it must for a
    change that it did not make itself (§8.1.5): the operator made it, and until the operator enables the stream again, the
    receiver cannot undo it (`may_set`).
    """
    held = status != "enabled" if notify else kept.set_by_operator
    new = msgspec.structs.replace(kept, version=kept.version + 1, status=status, reason=reason, set_by_operator=held)
    notices = [_updated(new, now)] if notify else []
    new = msgspec.structs.replace(new, news=notices[0].id if notices else b"")
    if "disabled" in {status, kept.status}:
        return new, [dropped(new.id), added(notices)]
    return new, [due(new.id, due_at(new, now)), added(notices)] if status != kept.status else [added(notices)]


async def without_subject(store: Store, kept: SignalStream, username: str) -> SignalStream | None:
    """Store that a receiver refuses signals about an account; None if the stream has `MAX_REMOVED` of them.

    Raises Conflict.
    """
    if username in kept.removed:
        return kept
    if len(kept.removed) >= MAX_REMOVED:
        return None
    new = msgspec.structs.replace(kept, version=kept.version + 1, removed=(*kept.removed, username))
    await store.save_signal_stream(new)
    return new


async def with_subject(store: Store, kept: SignalStream, username: str) -> SignalStream:
    """Store that a receiver accepts signals about an account again. Raises Conflict."""
    if username not in kept.removed:
        return kept
    removed = tuple(each for each in kept.removed if each != username)
    new = msgspec.structs.replace(kept, version=kept.version + 1, removed=removed)
    await store.save_signal_stream(new)
    return new


def until_verification(stream: SignalStream, now: Milliseconds) -> int:
    """Return the seconds until a stream may be verified again; 0 if it may be now."""
    left = stream.verified_at + MIN_VERIFICATION_INTERVAL_SECONDS * 1_000 - now
    return -(-left // 1_000) if left > 0 else 0


async def verify(store: Store, kept: SignalStream, state: str | None, key: str, now: Milliseconds) -> None:
    """Store the delivery of a verification event, and the time of the request with the stream (SSF §8.1.4).

    Raises Conflict.
    """
    new = msgspec.structs.replace(kept, version=kept.version + 1, verified_at=now)
    members = {} if state is None else {"state": state}
    await store.save_signal_stream(new, [delivery_of(new, VERIFICATION, _itself(new), members, key, now)])


def authorization_of(stream: SignalStream, digest_key: bytes) -> str:
    """Return the Authorization header of each push; empty for none."""
    return unseal(_sealing(digest_key), _purpose(stream), stream.authorization).decode() if stream.authorization else ""


def _with(stream: SignalStream, digest_key: bytes, requested: StreamRequest) -> SignalStream:
    sealed = stream.authorization
    if requested.method == "poll" or requested.authorization == "":
        sealed = b""
    elif requested.authorization is not None:
        sealed = seal(_sealing(digest_key), _purpose(stream), requested.authorization.encode())
    return msgspec.structs.replace(
        stream,
        endpoint=requested.endpoint if requested.method == "push" else "",
        authorization=sealed,
        events=requested.events,
        description=requested.description,
    )


def _updated(stream: SignalStream, now: Milliseconds) -> Delivery:
    members = {"status": stream.status} | ({"reason": stream.reason} if stream.reason else {})
    found = delivery_of(stream, STREAM_UPDATED, _itself(stream), members, str(stream.version), now)
    # It is sent even if the stream is not enabled.
    return msgspec.structs.replace(found, due_at=now) if stream.method == "push" else found


def _itself(stream: SignalStream) -> dict[str, str]:
    return {"format": "opaque", "id": stream.id}


def _sealing(digest_key: bytes) -> KeyEncryptionKeys:
    return KeyEncryptionKeys((keyed_digest(digest_key, "signal receiver"),))


def _purpose(stream: SignalStream) -> str:
    return f"signals:{stream.id}"
