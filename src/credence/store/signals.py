"""Shared signals in a store.

The store itself writes a signal in the transaction of the change that it is about, while there are streams or people get
notices (`NOTICES`), so no way to end a login or to change an account omits it. A signal is then replaced by deliveries of
the outbox: one for each stream that must send it, and the notices to people.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.store.collections import Collection, Collections
from credence.store.deliveries import Delivery, added, dropped, due
from credence.store.statements import Act, do, in_parts

KIND = "signal"
"""The `kind` of deliveries to streams."""

NOTICES = "notices"
"""The name of the shared value with which changes of a password, a factor or an address make signals without a stream."""

KEPT_MS = 34 * 86_400_000
"""How long a security event token waits for its receiver."""

Method = Literal["push", "poll"]
Status = Literal["enabled", "paused", "disabled"]
SignalKind = Literal["family", "account", "application", "factor"]


class SignalStream(msgspec.Struct, frozen=True):
    """The stream of one application. Its id is the `receiver` of its deliveries."""

    id: str
    owner: str
    """The client_id of the application that made it."""
    created_at: Milliseconds
    method: Method
    version: int = 1
    endpoint: str = ""
    """The address to which tokens are pushed; empty for a polled stream."""
    authorization: bytes = b""
    """The sealed value of the Authorization header of each push; empty for none."""
    events: tuple[str, ...] = ()
    """The URIs of the events that its receiver requests."""
    description: str = ""
    status: Status = "enabled"
    reason: str = ""
    set_by_operator: bool = False
    """Whether the operator paused or disabled it; its receiver then cannot undo that."""
    removed: tuple[str, ...] = ()
    """The login names about which its receiver wants no signals."""
    news: bytes = b""
    """The id of the newest delivery that says how its status was changed; empty if its receiver made each change."""
    verified_at: Milliseconds = 0
    """When its receiver last requested a verification event; 0 for never."""


class Signal(NamedTuple):
    """A change of an account, an application or a login, from which tokens for streams are made."""

    id: str
    """A random id."""
    kind: SignalKind
    subject: str
    """The subject of the change: a family id as in the change log, a login name, or a client_id."""
    before: str
    """The state before: JSON of the account without credentials, or of the application's limit; or the factor's kind.

    Recovery codes make signals for notices alone.
    """
    after: str


class Relation(NamedTuple):
    """An account's use of an application: it has given consent, or has a login there."""

    client_id: str
    username: str
    scope: str


def _deleting(stream: SignalStream, _at: Milliseconds) -> Act[None]:
    yield dropped(stream.id)


STREAMS = Collection(table="signal_streams", type=SignalStream, columns=("owner",), deleting=_deleting)
_SIGNALS = "SELECT id, kind, subject, before, after FROM signals ORDER BY id LIMIT :limit"
_SETTLE = "DELETE FROM signals WHERE id = ANY(:ids::text[]) RETURNING id"
_OF_BOTH = "username = ANY(:usernames::text[]) AND client_id = ANY(:owners::text[])"
_RELATIONS = (
    f"SELECT client_id, username, scope FROM consents WHERE {_OF_BOTH} UNION "  # noqa: S608 - constants
    f"SELECT client_id, username, scope FROM families WHERE {_OF_BOTH} AND ended_at IS NULL AND expires_at > :now"
)


class Signals(Collections):
    """The part of a store that is about shared signals."""

    async def signal_stream(self, identity: str) -> SignalStream | None:
        """Return the stream with this id."""
        return await self.get(STREAMS, identity)

    async def signal_streams(self) -> list[SignalStream]:
        """Return all streams, ordered by id."""
        return await self.page(STREAMS)

    async def save_signal_stream(
        self,
        stream: SignalStream,
        deliveries: Sequence[Delivery] = (),
        due_at: Milliseconds | None = None,
    ) -> None:
        """Store a stream (see `save`). Raises Conflict also for a second stream of an owner.

        In the same transaction, the pending deliveries of the stream become due at `due_at` if that is given; then
        `deliveries` are stored.
        """
        pending = [] if due_at is None else [due(stream.id, due_at)]
        await self.save(STREAMS, stream, also=[*pending, added(deliveries)])

    async def delete_signal_stream(self, stream: SignalStream) -> None:
        """Delete the stream and its deliveries if the stored version is this one; raises Conflict."""
        await self.delete(STREAMS, stream)

    async def signals(self, limit: int) -> list[Signal]:
        """Return at most `limit` signals, in no particular order."""
        return [Signal(*row) for row in await self._rows(_SIGNALS, limit=limit)]

    async def settle_signals(self, deliveries: Mapping[str, Sequence[Delivery]]) -> None:
        """Replace each signal, named by its id, by its deliveries, in one transaction; a concurrent call does nothing."""

        def settling() -> Act[None]:
            for part in in_parts(sorted(deliveries)):
                settled = yield do(_SETTLE, ids=part)
                yield added(each for (identity,) in settled for each in deliveries[identity])

        await self._transact(settling)

    async def relations(self, usernames: Sequence[str], owners: Sequence[str], now: Milliseconds) -> list[Relation]:
        """Return each consent, and each login that has not ended, of these accounts at these applications.

        One account may have very many logins.
        """
        values = {"usernames": list(usernames), "owners": list(owners), "now": now}
        return [Relation(*row) for row in await self._long_query(_RELATIONS, **values)]
