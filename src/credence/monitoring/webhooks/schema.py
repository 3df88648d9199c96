"""Webhooks as the API sends and reads them."""

from typing import Annotated, Literal

import msgspec

from credence.clock import Milliseconds, rfc3339
from credence.meanings import Input, meaning
from credence.monitoring.schema import Reference
from credence.monitoring.webhooks.message import signing
from credence.outgoing.target import MAX_URL_CHARACTERS
from credence.store.webhooks import Webhook, WebhookAttempt

Url = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_URL_CHARACTERS)]
Names = Annotated[tuple[Reference, ...], msgspec.Meta(max_length=200)]
Sequence = Annotated[int, msgspec.Meta(ge=0, le=10**15)]
Signature = Literal["ed25519", "hmac-sha256"]

_PORTFOLIO = "pf_2o6x4hk3tmy7q5c3"

STATES = {
    "unverified": "the endpoint has not answered the verification yet and gets nothing else",
    "active": "the endpoint gets its events",
    "disabled": "the endpoint gets nothing until it is verified again",
}
REASONS = {
    "": "it is not disabled",
    "gone": "the endpoint answered 410",
    "failing": "every attempt of five days failed",
    "by_hand": "the owner or the operator disabled it",
}
SIGNATURES = {
    "hmac-sha256": "symmetric, `v1`, which the published libraries verify",
    "ed25519": "asymmetric, `v1a`, for a verifier of your own",
}
"""How requests may be signed, the default first (D38)."""


class WebhookBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A webhook as its owner writes it."""

    url: Annotated[
        Url,
        meaning("Where requests are sent: https.", example="https://receiver.example/credence"),
        Input(argument=True, label="Address", hint="https, of a host that this service reaches."),
    ]
    description: Annotated[
        Reference, meaning("The owner's own words.", example="Ledger"), Input(default="none", hint="In your own words.")
    ] = ""
    portfolios: Annotated[
        Names,
        meaning("Only the events of these portfolios. Default: all.", example=[_PORTFOLIO]),
        Input(flag="--portfolio", default="all", in_form=False),
    ] = ()
    rules: Annotated[
        Names,
        meaning("Only the events of these rules. Default: all.", example=["band"]),
        Input(flag="--rule", default="all", in_form=False),
    ] = ()


class NewWebhookBody(WebhookBody, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A new webhook."""

    signature: Annotated[
        Signature,
        meaning("How requests are signed:", values=SIGNATURES),
        Input(
            f"{'; '.join(f'{name}: {words}' for name, words in SIGNATURES.items())}.",
            hint="",
            choices=tuple((name, f"{name}: {words}") for name, words in SIGNATURES.items()),
        ),
    ] = "hmac-sha256"


class KeyState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key that signs the requests of a webhook."""

    created_at: Annotated[str, meaning("When it was made, in UTC.", example="2026-11-22T09:30:00Z")]
    public_key: Annotated[
        str, meaning("The Ed25519 key that verifies.", example="whpk_0bBQ6qpfdPNgoIdKKf4dlqj+mHdAnv2OtFPqO5eVIWE=")
    ] = ""
    until: Annotated[str, meaning("When it stops signing, in UTC.", example="2026-11-23T09:30:00Z")] = ""


class WebhookState(msgspec.Struct, frozen=True):
    """A webhook."""

    id: Annotated[str, meaning("Its id.", example="wh_2o6x4hk3tmy7q5c3")]
    url: Annotated[str, meaning("Where requests are sent.", example="https://receiver.example/credence")]
    description: Annotated[str, meaning("The owner's own words.", example="Ledger")]
    portfolios: Annotated[
        tuple[str, ...], meaning("Only the events of these portfolios; empty: of all.", example=[_PORTFOLIO])
    ]
    rules: Annotated[tuple[str, ...], meaning("Only the events of these rules; empty: of all.", example=["band"])]
    signature: Annotated[str, meaning("How requests are signed:", values=SIGNATURES)]
    keys: Annotated[tuple[KeyState, ...], meaning("The keys that sign now, the newest first.")]
    state: Annotated[str, meaning("Its state:", values=STATES)]
    disabled_reason: Annotated[str, meaning("Why it is disabled:", values=REASONS)]
    failing_since: Annotated[str, meaning("When attempts began to fail, in UTC; empty if they do not.", example="")]
    created_at: Annotated[str, meaning("When it was made, in UTC.", example="2026-11-22T09:30:00Z")]


class WebhookWithSecret(WebhookState, frozen=True, omit_defaults=True):
    """A webhook with the secret that is shown once."""

    secret: Annotated[
        str,
        meaning(
            "The HMAC secret. It is shown in this answer only.",
            example="whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        ),
    ] = ""


class Webhooks(msgspec.Struct, frozen=True):
    """A page of webhooks."""

    webhooks: Annotated[tuple[WebhookState, ...], meaning("The webhooks, ordered by id.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


class ReplayBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What to deliver again: one event, the events of a range, or, without members, every delivery that was given up."""

    event: Annotated[Sequence | None, meaning("The number of one event.", example=57), Input(default="none")] = None
    after: Annotated[Sequence | None, meaning("The events above this number.", example=40), Input(default="none")] = (
        None
    )
    until: Annotated[
        Sequence | None, meaning("With `after`: the last event of the range.", example=90), Input(default="none")
    ] = None


class ReplayResult(msgspec.Struct, frozen=True):
    """What a replay came to."""

    deliveries: Annotated[int, meaning("How many deliveries were made due.", example=12)]
    next: Annotated[int, meaning("The number to say `after` for the rest of the range; 0 if it is done.", example=0)]


class TestMessage(msgspec.Struct, frozen=True):
    """A test message that is on its way."""

    webhook_id: Annotated[str, meaning("Its `webhook-id`.", example="msg_5c1f0e6b8d3a4f2b9c7d1e0f2a3b4c5d")]


class AttemptState(msgspec.Struct, frozen=True):
    """One attempt at a delivery."""

    webhook_id: Annotated[
        str,
        meaning("The id of the message, the same in every attempt.", example="msg_5c1f0e6b8d3a4f2b9c7d1e0f2a3b4c5d"),
    ]
    type: Annotated[str, meaning("The type of the message.", example="monitoring.band")]
    sequence: Annotated[int, meaning("The number of the event; 0 if the message is not about one.", example=57)]
    at: Annotated[str, meaning("When it was made, in UTC.", example="2026-11-22T09:30:00Z")]
    outcome: Annotated[str, meaning("The status, or why there was none.", example="500")]
    milliseconds: Annotated[int, meaning("How long it took.", unit="ms", example=212)]
    answer: Annotated[str, meaning("The first kilobyte of the answer, if the attempt failed.", example="")]


class Attempts(msgspec.Struct, frozen=True):
    """A page of attempts."""

    attempts: Annotated[tuple[AttemptState, ...], meaning("The attempts of the last thirty days, the newest first.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


def state_of(webhook: Webhook, now: Milliseconds) -> WebhookState:
    """Return a webhook as it is sent."""
    return WebhookState(
        id=webhook.id,
        url=webhook.url,
        description=webhook.description,
        portfolios=webhook.portfolios,
        rules=webhook.rules,
        signature=webhook.signature,
        keys=tuple(
            KeyState(rfc3339(each.created_at), each.public, rfc3339(each.until) if each.until else "")
            for each in signing(webhook, now)
        ),
        state=webhook.state,
        disabled_reason=webhook.disabled_reason,
        failing_since=rfc3339(webhook.failing_since) if webhook.failing_since else "",
        created_at=rfc3339(webhook.created_at),
    )


def attempt_of(attempt: WebhookAttempt) -> AttemptState:
    """Return an attempt as it is sent."""
    return AttemptState(
        attempt.message_id,
        attempt.type,
        attempt.sequence,
        rfc3339(attempt.at),
        attempt.outcome,
        attempt.milliseconds,
        attempt.answer,
    )
