"""Counts an attempt before it is made, and gives its place back if it was right (threats A4, L1).

Guesses that are sent together, to one node or to several, would otherwise all be checked before the first of them counts. So
an attempt takes its place in each tally first, by one conditional write for all of them.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from credence.clock import Milliseconds
from credence.identity.login_attempts import AdmittedAttempt, Throttled, ThrottleRules, increments, keys_of, throttle
from credence.refusals.refusal import Refusal, Refused
from credence.store.contract import Store
from credence.store.tallies import TallyIncrement

T = TypeVar("T")


async def checked(
    store: Store, rules: ThrottleRules, wrong: Refused, check: Callable[[], Awaitable[T | None]], now: Milliseconds
) -> tuple[T, AdmittedAttempt]:
    """Return what `check` finds, and what the tallies said about the attempt before it.

    Raises `wrong` if it finds nothing, Throttled without a check if too many attempts before this one were wrong.
    """
    found, places = await placed(store, rules, wrong.refusal, now)
    right = await check()
    if right is None:
        taken = {each.key for each in places}
        await store.count_failure([each for each in increments(rules) if each.key not in taken], now)
        raise wrong
    await store.give_back(places)
    return right, found


async def placed(
    store: Store, rules: ThrottleRules, refusal: Refusal, now: Milliseconds
) -> tuple[AdmittedAttempt, Sequence[TallyIncrement]]:
    """Count an attempt by each rule that decides about it and has one part; return what the tallies say and what counts.

    Raises Throttled with this refusal, and counts nothing, if one of them has no room.
    """
    found = await _throttle(store, rules, refusal, now)
    deciding = rules[:1] if found.trusted else rules
    places = increments(tuple(rule for rule in deciding if len(rule.parts) == 1))
    if not await store.count_within(places, now):
        await _throttle(store, rules, refusal, now)
        raise Throttled(refusal, rules[0].reason, 1)  # another attempt has given a place back since
    return found, places


async def _throttle(store: Store, rules: ThrottleRules, refusal: Refusal, now: Milliseconds) -> AdmittedAttempt:
    return throttle(rules, await store.tallies(keys_of(rules)), refusal, now)
