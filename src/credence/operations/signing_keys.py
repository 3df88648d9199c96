"""Operations on signing keys: an early or urgent replacement (D13, D30, threats §5)."""

from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, Final

from msgspec import Struct

from credence.clock import Milliseconds
from credence.errors import OperatorError
from credence.management.instants import instant
from credence.meanings import meaning
from credence.oauth.applications_index import algorithms_of
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.keys.schedule import KEY_SET_MAX_AGE_SECONDS, SAFE_AFTER_MS, KeyState, PlannedKey, plan, state
from credence.oauth.parameters.scopes import MANAGE_KEYS
from credence.operations.acting import READ, Access, Acting, Means
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.operations.reading import reading
from credence.store.contract import Store


class SigningKeyState(Struct):
    """A signing key (D13)."""

    kid: Annotated[str, meaning("Its id in the key set.")]
    algorithm: Annotated[str, meaning("The algorithm of its signatures.")]
    state: Annotated[
        str,
        meaning(
            "Its state, in this order.",
            values={
                "published": "verifiers have it, and it does not sign yet",
                "signing": "it signs",
                "retired": "it verifies what it signed",
                "removed": "it is not in the key set",
            },
        ),
    ]
    published_at: Annotated[str | None, meaning("When verifiers could first read it.")]
    signs_from: Annotated[str | None, meaning("When it signs from.")]
    retires_at: Annotated[str | None, meaning("When its successor signs.", example="2027-02-22T09:30:00Z")] = None
    removed_at: Annotated[str | None, meaning("When it leaves the key set.", example="2027-02-23T09:30:00Z")] = None
    revoked_at: Annotated[str | None, meaning("When it was revoked.", example="2027-02-24T09:30:00Z")] = None


class SigningKeys(Struct):
    """The signing keys."""

    keys: Annotated[list[SigningKeyState], meaning("The keys, by the time from which they sign.")]


class Signing(Struct):
    """Which key signs now."""

    algorithm: Annotated[str, meaning("The algorithm.")]
    signs_now: Annotated[str, meaning("The id of the key that signs from now on.")]


class KeyNotReady(OperatorError):
    """No key may start signing now: none is published, or verifiers may not have the published one yet."""


async def _find_key(by: Acting, kid: str) -> PlannedKey | None:
    return next((each for each in await _planned(by.means) if each.kid == kid), None)


async def _key_state(by: Acting, key: PlannedKey) -> SigningKeyState:
    return SigningKeyState(
        key.kid,
        key.algorithm,
        str(state(key, by.now)),
        *map(instant, (key.published_at, key.signs_from, key.retires_at, key.removed_at, key.revoked_at)),
    )


async def _revoke(by: Acting, _found: PlannedKey | None, changed: PlannedKey) -> None:
    await by.means.store.revoke_signing_key(changed.kid, by.now)
    await _publish_next(by)


async def _find_signing(by: Acting, algorithm: str) -> Signing | None:
    there = any(each.algorithm == algorithm for each in await _planned(by.means))
    return Signing(algorithm, "") if there else None


async def _roll(by: Acting, _found: Signing | None, changed: Signing) -> None:
    await by.means.store.advance_signing_key(changed.signs_now, by.now, by.now)
    await _publish_next(by)


KEY: Final[Noun[PlannedKey]] = Noun(
    name="signing key",
    path="keys/{kid}",
    help="The key's id, as in the key set.",
    example="<KID>",
    find=_find_key,
    save=_revoke,
    state=_key_state,
    identity=lambda key: key.kid,
    member="kid",
)
ALGORITHM: Final[Noun[Signing]] = Noun(
    name="algorithm",
    path="keys/{algorithm}",
    help="The algorithm.",
    example="RS256",
    find=_find_signing,
    save=_roll,
    state=as_it_is(Signing),
    identity=lambda signing: signing.algorithm,
)


@reading("keys list", on=KEY, lists=True, rows="keys", access=READ, title="List the signing keys")
async def list_keys(by: Acting, _found: None, _query: None) -> SigningKeys:
    """List the keys with their states and dates."""
    return SigningKeys([await _key_state(by, each) for each in await _planned(by.means)])


@operation(
    "keys roll",
    on=ALGORITHM,
    api=("POST", "roll"),
    access=Access(MANAGE_KEYS, "operator", recent=True),
    title="Start signing with the next key",
    button="Start signing now",
    id="roll_key",
)
async def roll(by: Acting, found: Signing, _body: None) -> Change[Signing]:
    """Let the next key of an algorithm sign now, if it was published long enough. Tokens of the last key stay valid."""
    key = await next_key(by.means.store, found.algorithm, by.now)
    keys = await _planned(by.means)
    last = [each.kid for each in keys if each.algorithm == found.algorithm and state(each, by.now) is KeyState.SIGNING]
    return Change(
        Signing(found.algorithm, key.kid),
        effects={"signs_now": {**({"before": last[0]} if last else {}), "after": key.kid}},
        said=f"The key {key.kid} signs from now on. Tokens of the last one stay valid.",
    )


@operation(
    "keys revoke",
    on=KEY,
    api=("POST", "revoke"),
    access=Access(MANAGE_KEYS, "owner", recent=True),
    title="Revoke a key",
    button="Revoke the key",
    id="revoke_key",
    dangerous=True,
    confirm="REVOKE",
)
async def revoke(by: Acting, found: PlannedKey, _body: None) -> Change[PlannedKey]:
    """Remove a key from the key set at once: every token that it signed is refused here, and the next key signs."""
    if found.revoked_at is not None:
        return Change(found, said="The key is revoked already.")
    return Change(
        replace(found, revoked_at=by.now),
        said=f"The key {found.kid} is revoked. Access tokens that it signed are refused from now on; their clients refresh "
        "or sign in again. Another verifier with a cached key set may accept them for up to "
        f"{KEY_SET_MAX_AGE_SECONDS} seconds more.",
    )


async def next_key(store: Store, algorithm: str, now: Milliseconds) -> PlannedKey:
    """Return the published key of this algorithm that may start signing now; raises KeyNotReady."""
    for key in plan(await store.signing_keys()):
        if key.algorithm == algorithm and state(key, now) is KeyState.PUBLISHED:
            break
    else:
        raise KeyNotReady(f"No {algorithm} key is waiting to sign.")
    knows = key.published_at + SAFE_AFTER_MS
    if now < knows:
        raise KeyNotReady(
            f"Verifiers may not have the next key before {instant(knows)}: it was published less than "
            f"{SAFE_AFTER_MS // 1000} seconds ago. In an emergency use: credence keys revoke."
        )
    return key


@members_of.register
def _of_algorithm(_signing: Signing) -> dict[str, object]:
    return {}  # which key signs depends on the time, so that the act itself says it


@members_of.register
def _of_key(key: PlannedKey) -> dict[str, object]:
    return {"revoked_at": instant(key.revoked_at)}


async def _planned(means: Means) -> Collection[PlannedKey]:
    return plan(await means.store.signing_keys())


async def _publish_next(by: Acting) -> None:
    """Publish the successor of the key that signs now."""
    in_use = algorithms_of(await by.means.store.applications())
    await rotate_keys(by.means.store, by.means.read_keks(), by.means.settings, in_use, by.now)
