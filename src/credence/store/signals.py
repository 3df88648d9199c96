"""What a store holds for shared signals, and what every implementation of it must do (`contract.py` has the rest).

The store itself writes a signal in the transaction of the change that it is about, while there are streams, so no way to
end a login or to change an account omits it. A signal is then replaced by deliveries of the outbox, one for each stream
that must send it.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from credence.clock import Milliseconds
from credence.store.deliveries import Delivery

KIND = "signal"
"""The `kind` of deliveries to streams."""

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
    """The state before: JSON of the account without credentials, or of the application's limit; or the factor's kind."""
    after: str


class Relation(NamedTuple):
    """An account's use of an application: it has given consent, or has a login there."""

    client_id: str
    username: str
    scope: str


class SignalStore(Protocol):
    """The part of the store that is about shared signals."""

    async def signal_stream(self, identity: str) -> SignalStream | None:
        """Return the stream with this id."""

    async def signal_streams(self) -> list[SignalStream]:
        """Return all streams, ordered by id."""

    async def save_signal_stream(
        self,
        stream: SignalStream,
        deliveries: Sequence[Delivery] = (),
        due_at: Milliseconds | None = None,
        *,
        emptied: bool = False,
    ) -> None:
        """Optimistic write: store if the stored version is `stream.version - 1` (or absent and the version is 1).

        In the same transaction, the pending deliveries of the stream are deleted if `emptied`, otherwise become due at
        `due_at` if that is given; then `deliveries` are stored. Raises Conflict, also for a second stream of an owner.
        """

    async def delete_signal_stream(self, stream: SignalStream) -> None:
        """Delete the stream and its deliveries if the stored version is this one; raises Conflict."""

    async def signals(self, limit: int) -> list[Signal]:
        """Return at most `limit` signals, in no particular order."""

    async def settle_signals(self, deliveries: Mapping[str, Sequence[Delivery]]) -> None:
        """Replace each signal, named by its id, by its deliveries, in one transaction; a concurrent call does nothing."""

    async def relations(self, usernames: Sequence[str], owners: Sequence[str], now: Milliseconds) -> list[Relation]:
        """Return each consent, and each login that has not ended, of these accounts at these applications."""


encode_stream = msgspec.json.Encoder().encode
STREAM = msgspec.json.Decoder(SignalStream)
