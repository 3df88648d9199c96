"""Examples of the bodies and answers of operations, for documents: model -> title -> example of an invented deployment."""

from collections.abc import Mapping

from credence.operations.clocks import ClockBody, ClockState
from credence.operations.data_holds import HoldBody, HoldState
from credence.operations.signing_keys import Signing, SigningKeys, SigningKeyState

_CLOCK = {
    "client_id": "<CLIENT_ID>",
    "ahead_seconds": 604800,
    "moves": [{"at": "2026-11-22T09:30:00Z", "ahead_seconds": 604800}],
    "resets": 0,
    "time": "2026-11-29T09:30:05Z",
}

_HOLD = {
    "source": "register",
    "held": True,
    "since": "2026-11-22T09:30:00Z",
    "by": "ada",
    "reason": "The snapshot of November is incomplete.",
    "effect": "Served: 5,000,000 companies, as of 2026-11-01. Loads of it are refused.",
}

_KEY = {
    "kid": "<KID>",
    "algorithm": "RS256",
    "state": "signing",
    "published_at": "2026-11-21T09:30:00Z",
    "signs_from": "2026-11-22T09:30:00Z",
}

EXAMPLES: Mapping[type, Mapping[str, object]] = {
    ClockBody: {"By a week": {"by": "7d"}, "To a time": {"to": "2027-01-01T00:00:00Z"}},
    ClockState: {"A week ahead": _CLOCK},
    HoldBody: {"With a reason": {"reason": _HOLD["reason"]}},
    HoldState: {"Held": _HOLD},
    SigningKeys: {"One": {"keys": [_KEY]}},
    SigningKeyState: {"Revoked": {**_KEY, "state": "removed", "revoked_at": "2026-11-23T09:30:00Z"}},
    Signing: {"Rolled": {"algorithm": "RS256", "signs_now": "<KID>"}},
}
