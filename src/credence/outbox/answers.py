"""Decides what the answer of a receiver means for a delivery."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from credence.outbox.engine import AttemptOutcome
from credence.outgoing.target import CallRefused

if TYPE_CHECKING:
    from credence.outgoing.client import Call, OutgoingClient

_LATER = frozenset({408, 425, 429})
"""4xx statuses after which another attempt may succeed (RFC 9110 §15.5.9, RFC 8470, RFC 6585)."""


_BUSY = frozenset({429, 502, 504})
"""Statuses of an overloaded receiver (Standard Webhooks 1.0.0, "Deliverability and reliability")."""


def is_fault_of_the_request(status: int) -> bool:
    """Return whether another attempt with the same request would fail as well."""
    return 400 <= status < 500 and status not in _LATER


async def outcome_of(
    client: "OutgoingClient", call: "Call", is_final: Callable[[int], bool] = is_fault_of_the_request
) -> AttemptOutcome:
    """Make a call for a delivery; return its outcome.

    2xx is success. After a status for which `is_final` is true, no further attempt is made.
    """
    # Imported only here: most deployments make no outgoing calls.
    from credence.outgoing.connecting import CallFailed
    from credence.outgoing.turns import NoTurn

    try:
        answer = await client.call(call)
    except NoTurn as error:
        return AttemptOutcome(delivered=False, text=str(error), attempted=False)
    except CallRefused as error:
        return AttemptOutcome(delivered=False, text=str(error))
    except CallFailed as error:
        return AttemptOutcome(delivered=False, text=str(error), milliseconds=error.milliseconds)
    if 200 <= answer.status < 300:
        return AttemptOutcome(delivered=True, text=str(answer.status), milliseconds=answer.milliseconds)
    return AttemptOutcome(
        delivered=False,
        text=str(answer.status),
        final=is_final(answer.status),
        retry_after_ms=_retry_after_ms(answer.headers.get("retry-after", "")),
        slow_down=answer.status in _BUSY,
        answer=answer.body,
        milliseconds=answer.milliseconds,
    )


def _retry_after_ms(text: str) -> int:
    """Return the seconds of a Retry-After in milliseconds; 0 for a date, which is ignored."""
    return int(text) * 1_000 if text.isascii() and text.isdigit() and len(text) < 7 else 0
