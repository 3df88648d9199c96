"""The second factors and passkeys of an account, as operators see and reset them (RFC 6238, threats E12)."""

from collections.abc import Mapping, Sequence

from credence.clock import Milliseconds
from credence.identity.accounts import with_everything_ended
from credence.management.instants import instant
from credence.store.contract import Store
from credence.store.people import Factor
from credence.store.records import Account


def described(factor: Factor) -> dict[str, object]:
    """Return what operators see of a factor, without keys and digests."""
    return {
        "kind": factor.kind,
        "name": factor.name,
        "created_at": instant(factor.created_at),
        "last_used_at": instant(factor.last_used_at or None),
    }


def removed(factors: Sequence[Factor]) -> Mapping[str, Mapping[str, object]]:
    """Return what the audit line says of the removal of these factors: their kinds."""
    return {"factors": {"before": [each.kind for each in factors], "after": []}}


async def remove_all(store: Store, account: Account, now: Milliseconds) -> int:
    """Remove every factor of an account and end its sessions; return the number of factors removed. Raises Conflict."""
    found = await store.factors_of(account.username)
    await store.save_account(with_everything_ended(account, now), now)  # first, so that sessions end before that
    return await store.remove_factors(account.username, [each.id for each in found])
