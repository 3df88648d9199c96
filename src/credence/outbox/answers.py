"""What the answer of a receiver means for a delivery."""

from typing import TYPE_CHECKING

from credence.outbox.engine import Outcome
from credence.outgoing.target import CallRefused

if TYPE_CHECKING:
    from credence.outgoing.client import Call, OutgoingClient

_LATER = frozenset({408, 425, 429})
"""The faults of a request after which another attempt may succeed (RFC 9110 §15.5.9, RFC 8470, RFC 6585)."""


async def outcome_of(client: "OutgoingClient", call: "Call") -> Outcome:
    """Make a call for a delivery: 2xx is success, a fault of the request is final, and the rest is attempted again."""
    # Imported late: most deployments make no calls.
    from credence.outgoing.connecting import CallFailed

    try:
        answer = await client.call(call)
    except (CallRefused, CallFailed) as error:
        return Outcome(delivered=False, text=str(error))
    if 200 <= answer.status < 300:
        return Outcome(delivered=True, text=str(answer.status))
    final = 400 <= answer.status < 500 and answer.status not in _LATER
    return Outcome(False, str(answer.status), final, _retry_after_ms(answer.headers.get("retry-after", "")))


def _retry_after_ms(text: str) -> int:
    """Return the seconds of a Retry-After in milliseconds; 0 for a date, which no schedule of ours needs."""
    return int(text) * 1_000 if text.isascii() and text.isdigit() and len(text) < 7 else 0
