"""Counts an attempt before it is made, and gives its place back if it was right (threats A4, L1).

Guesses that are sent together, to one node or to several, would otherwise all be checked before the first of them counts. So
an attempt takes its place in each tally first, by one conditional write for all of them.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from credence.clock import Milliseconds
from credence.identity.login_attempts import Rules, Standing, Throttled, increments, keys_of, standing
from credence.refusals.refusal import Refusal, Refused
from credence.store.contract import Store
from credence.store.tallies import TallyIncrement

T = TypeVar("T")


async def checked(
    store: Store, rules: Rules, wrong: Refused, check: Callable[[], Awaitable[T | None]], now: Milliseconds
) -> tuple[T, Standing]:
    """Return what `check` finds, and the standing of the attempt before it.

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
    store: Store, rules: Rules, refusal: Refusal, now: Milliseconds
) -> tuple[Standing, Sequence[TallyIncrement]]:
    """Count an attempt by each rule that decides about it and has one part; return its standing and what was counted.

    Raises Throttled with this refusal, and counts nothing, if one of them has no room.
    """
    found = await _standing(store, rules, refusal, now)
    deciding = rules[:1] if found.trusted else rules
    places = increments(tuple(rule for rule in deciding if len(rule.parts) == 1))
    if not await store.count_within(places, now):
        await _standing(store, rules, refusal, now)
        raise Throttled(refusal, rules[0].reason, 1)  # another attempt has given a place back since
    return found, places


async def _standing(store: Store, rules: Rules, refusal: Refusal, now: Milliseconds) -> Standing:
    return standing(rules, await store.tallies(keys_of(rules)), refusal, now)
