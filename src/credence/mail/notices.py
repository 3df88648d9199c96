"""Notices to people of changes of their password, factors and address, also those that an operator makes.

The store writes a signal in the transaction of each change (`store/signals.py`), once `keep_notices` has been called. So no
command, screen or endpoint can omit the notice. The signals of an account that are found together become one message.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from credence.clock import Milliseconds
from credence.mail.message import Notice, delivery_of
from credence.mail.texts import CHANGES
from credence.oauth.authority import Authority
from credence.store.contract import Conflict, Store
from credence.store.deliveries import Delivery
from credence.store.signals import NOTICES, Signal


class _State(msgspec.Struct, frozen=True):
    """What a signal has of an account before or after a change."""

    password_version: int
    email: str | None = None


_state = msgspec.json.Decoder(_State).decode


async def keep_notices(store: Store) -> None:
    """Let the store write a signal with each change of which people get a notice, from now on."""
    try:
        await store.save_shared_value(NOTICES, 1, b"")
    except Conflict:
        return  # as before


async def notices_of(
    authority: Authority, signals: Sequence[Signal], now: Milliseconds
) -> Mapping[str, Sequence[Delivery]]:
    """Return the notices that follow from these signals, under the id of the last signal of each account."""
    changes: defaultdict[str, set[str]] = defaultdict(set)
    addresses: defaultdict[str, set[str]] = defaultdict(set)
    last: dict[str, str] = {}
    for each in signals:
        found = _changes(each)
        if found:
            changes[each.subject].update(found)
            last[each.subject] = each.id
        if "address" in found:
            addresses[each.subject].update(filter(None, (_state(each.before).email, _state(each.after).email)))
    notices = {}
    for username, identity in last.items():
        account = await authority.store.account(username)
        to = addresses[username] | ({account.email} if account and account.email else set())
        if "recovery added" in changes[username]:
            changes[username].discard("recovery removed")  # those before
        said = tuple(each for each in CHANGES if each in changes[username])
        key = authority.secrets.digest
        notices[identity] = [
            delivery_of(key, Notice(each, username, said, now), username, now, f"{identity} {each}") for each in to
        ]
    return notices


def _changes(signal: Signal) -> set[str]:
    """Return what a signal says, as keys of `CHANGES`."""
    if signal.kind == "factor":
        return {f"{signal.after} added" if signal.after else f"{signal.before} removed"}
    if signal.kind != "account":
        return set()
    before, after = _state(signal.before), _state(signal.after)
    found = {"password"} if before.password_version != after.password_version else set()
    return found | ({"address"} if before.email != after.email else set())
