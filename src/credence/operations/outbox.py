"""Deliveries to applications, webhooks and people that wait or were given up, and the operation that tries them again."""

from typing import Annotated, Final

from msgspec import UNSET, Struct, UnsetType

from credence.management.instants import instant
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_APPLICATIONS
from credence.operations.acting import READ, Access, Acting
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.operations.reading import reading
from credence.store.deliveries import HELD, Delivery

MAX_LISTED: Final = 100

REVIVED_MS: Final = 4 * 86_400_000
"""Milliseconds for which a delivery is kept when it is tried again: the longest schedule takes a little more than three
days."""


class Outbox(Struct):
    """The deliveries of the service in numbers."""

    waiting: Annotated[int, meaning("How many wait.")]
    given_up: Annotated[int, meaning("How many were given up.")]
    oldest_due: Annotated[
        str | None, meaning("Since when the oldest is due; null: none waits.", example="2026-11-22T09:30:00Z")
    ]


class DeliveryState(Struct):
    """A delivery, without its content."""

    receiver: Annotated[str, meaning("Whom it is for, such as a client_id or the id of a webhook.")]
    kind: Annotated[str, meaning("What it is: `sign_out`, `webhook`, `signal` or `mail`.")]
    created: Annotated[str | None, meaning("When it was made.")]
    attempts: Annotated[int, meaning("How often it was attempted.")]
    outcome: Annotated[str, meaning("The result of the last attempt: an HTTP status or a reason code.", example="410")]
    next_attempt: Annotated[
        str | None, meaning("When the next attempt is due; null: none is.", example="2026-11-22T09:30:00Z")
    ]
    given_up: Annotated[str | None, meaning("When it was given up; null: it was not.", example="2026-11-22T09:30:00Z")]


class DeliveryStates(Struct):
    """Deliveries of the outbox."""

    deliveries: Annotated[list[DeliveryState], meaning(f"The deliveries, at most {MAX_LISTED}.")]


class Revived(Struct):
    """What trying again has done."""

    receiver: Annotated[str, meaning("Whose deliveries they are.")]
    revived: Annotated[int, meaning("How many are attempted again.")]


async def _find(by: Acting, receiver: str) -> Revived | None:
    found = await by.means.store.deliveries_of(receiver, 1)
    return Revived(receiver, 0) if found else None


RECEIVER: Final[Noun[Revived]] = Noun(
    name="delivery",
    path="outbox/{receiver}",
    help="The receiver, as `outbox list` prints it.",
    example="<CLIENT_ID>",
    find=_find,
    state=as_it_is(Revived),
    identity=lambda found: found.receiver,
    member="receiver",
)


@reading("outbox status", on=RECEIVER, lists=True, api="status", access=READ, title="Count the deliveries")
async def count_deliveries(by: Acting, _found: None, _query: None) -> Outbox:
    """Print how many deliveries wait and were given up, and since when the oldest is due."""
    found = await by.means.store.backlog()
    return Outbox(found.waiting, found.given_up, instant(found.oldest_due_at))


class OfReceiver(Struct):
    """Which deliveries are listed."""

    receiver: Annotated[
        str | UnsetType,
        meaning("All of this receiver, such as a client_id. Default: those of any that were given up."),
        Input("All deliveries of this receiver, such as a client_id.", argument=True, default="given up"),
    ] = UNSET


@reading(
    "outbox list",
    on=RECEIVER,
    lists=True,
    access=READ,
    rows="deliveries",
    id="list_deliveries",
    title="List deliveries",
)
async def list_deliveries(by: Acting, _found: None, query: OfReceiver) -> DeliveryStates:
    """List deliveries, 100 at most: those that were given up, or all of one receiver. Contents are not printed."""
    store = by.means.store
    if query.receiver is UNSET:
        return DeliveryStates([_shown(each) for each in await store.given_up_deliveries(MAX_LISTED)])
    return DeliveryStates([_shown(each) for each in await store.deliveries_of(query.receiver, MAX_LISTED)])


@operation(
    "outbox retry",
    on=RECEIVER,
    api=("POST", "retry"),
    access=Access(MANAGE_APPLICATIONS, "operator"),
    title="Try deliveries again",
    id="retry_deliveries",
    answers=Revived,
)
async def retry(by: Acting, found: Revived, _body: None) -> Change[Revived]:
    """Attempt the given-up deliveries to a receiver again, from the first attempt."""
    store = by.means.store
    _, given_up = await store.count_deliveries(found.receiver)
    if not given_up:
        return Change(found, unchanged=found)

    async def revive() -> Revived:
        return Revived(found.receiver, await store.revive_deliveries(found.receiver, by.now, by.now + REVIVED_MS))

    return Change(found, effect=revive, effects={"given_up": {"before": given_up, "after": 0}})


def _shown(delivery: Delivery) -> DeliveryState:
    given_up = delivery.given_up_at > 0
    return DeliveryState(
        delivery.receiver,
        delivery.kind,
        instant(delivery.created_at),
        delivery.attempts,
        delivery.outcome,
        None if delivery.due_at >= HELD else instant(delivery.due_at),
        instant(delivery.given_up_at) if given_up else None,
    )


@members_of.register
def _of_receiver(_found: Revived) -> dict[str, object]:
    return {}
