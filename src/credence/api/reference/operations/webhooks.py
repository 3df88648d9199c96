"""Documentation of webhooks. The examples are invented."""

from credence.api.reference.operations.monitoring import IF_MATCH, KEY, PAGES, TAG
from credence.api.resources.bodies import MERGE_PATCH
from credence.api.resources.refusals import OF_A_BODY, OF_A_VERSION, OF_IDEMPOTENCY
from credence.monitoring.webhooks.changing import MAX_REPLAYED, MAX_WEBHOOKS
from credence.monitoring.webhooks.schema import (
    Attempts,
    NewWebhookBody,
    ReplayBody,
    ReplayResult,
    TestMessage,
    Webhooks,
    WebhookState,
    WebhookWithSecret,
)
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_ID = "wh_2o6x4hk3tmy7q5c3"
_MESSAGE = "msg_5c1f0e6b8d3a4f2b9c7d1e0f2a3b4c5d"
_URL = "https://receiver.example/credence"
_BODY = {"url": _URL, "description": "Ledger", "rules": ["band"]}
_WEBHOOK = {
    "id": _ID,
    "url": _URL,
    "description": "Ledger",
    "portfolios": [],
    "rules": ["band"],
    "signature": "hmac-sha256",
    "keys": [{"created_at": "2026-11-22T09:30:00Z"}],
    "state": "unverified",
    "disabled_reason": "",
    "failing_since": "",
    "created_at": "2026-11-22T09:30:00Z",
}
_WITH_SECRET = {**_WEBHOOK, "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
_ASYMMETRIC = {
    **_WEBHOOK,
    "signature": "ed25519",
    "keys": [
        {
            "created_at": "2026-11-22T09:30:00Z",
            "public_key": "whpk_0bBQ6qpfdPNgoIdKKf4dlqj+mHdAnv2OtFPqO5eVIWE=",
        }
    ],
}
_ATTEMPT = {
    "webhook_id": _MESSAGE,
    "type": "monitoring.band",
    "sequence": 57,
    "at": "2026-11-22T09:30:00Z",
    "outcome": "500",
    "milliseconds": 212,
    "answer": "out of order",
}
_OF_WEBHOOK = Parameter("webhook", "path", "The id of the webhook.", _ID)

LIST_WEBHOOKS = Operation(
    id="list_webhooks",
    tag=TAG,
    summary="Your webhooks",
    description="The webhooks that this application made. Each has its state; none its secret.",
    parameters=PAGES,
    answers=(Content(JSON, (Webhooks,), {"One": {"webhooks": [_WEBHOOK], "next_page_token": ""}}),),
    refusals=(RESOURCE_PARAMETER,),
)

MAKE_WEBHOOK = Operation(
    id="make_webhook",
    tag=TAG,
    summary="Make a webhook",
    description=(
        "Every event of your portfolios, or those of some portfolios and rules, is sent to an address of yours by Standard "
        f"Webhooks 1.0.0. An application has at most {MAX_WEBHOOKS}. The address gets nothing before it has answered a "
        "signed request of type `endpoint.verification` with 2xx. Requests are signed with HMAC-SHA256 (`v1`), which the "
        "packages `standardwebhooks` and `svix` verify: this answer has the secret, and no later one has. With `ed25519` "
        "(`v1a`) the key that verifies is public, and the verifier your own."
    ),
    parameters=(KEY,),
    bodies=(Content(JSON, (NewWebhookBody,), {"HMAC": _BODY, "Ed25519": {"url": _URL, "signature": "ed25519"}}),),
    answers=(Content(JSON, (WebhookWithSecret,), {"HMAC": _WITH_SECRET, "Ed25519": _ASYMMETRIC}, status=201),),
    refusals=(*OF_A_BODY, RESOURCE_CHANGED, *OF_IDEMPOTENCY),
)

READ_WEBHOOK = Operation(
    id="read_webhook",
    tag=TAG,
    summary="One webhook",
    description="Its address, filters, public keys and state, with the entity tag that a change needs.",
    parameters=(_OF_WEBHOOK,),
    answers=(Content(JSON, (WebhookState,), {"A webhook": _WEBHOOK}),),
    refusals=(RESOURCE_UNKNOWN,),
    cacheable=True,
)

CHANGE_WEBHOOK = Operation(
    id="change_webhook",
    tag=TAG,
    summary="Change a webhook",
    description="A merge patch (RFC 7396). Another address is verified before it gets anything.",
    parameters=(_OF_WEBHOOK, IF_MATCH),
    bodies=(Content(MERGE_PATCH, (), {"Other rules": {"rules": ["band", "status"]}}),),
    answers=(Content(JSON, (WebhookState,), {"Changed": {**_WEBHOOK, "rules": ["band", "status"]}}),),
    refusals=(*OF_A_VERSION, *OF_A_BODY),
)

DELETE_WEBHOOK = Operation(
    id="delete_webhook",
    tag=TAG,
    summary="Delete a webhook",
    description="Deletes it with what waits for it and its attempts.",
    parameters=(_OF_WEBHOOK, IF_MATCH),
    answers=(Content("", (), status=204),),
    refusals=OF_A_VERSION,
)

VERIFY_WEBHOOK = Operation(
    id="verify_webhook",
    tag=TAG,
    summary="Verify a webhook again",
    description="Sends `endpoint.verification`. A webhook that was disabled is active again once its address answers 2xx.",
    parameters=(_OF_WEBHOOK,),
    answers=(Content(JSON, (WebhookState,), {"On its way": _WEBHOOK}, status=202),),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_CHANGED),
)

DISABLE_WEBHOOK = Operation(
    id="disable_webhook",
    tag=TAG,
    summary="Disable a webhook",
    description="Ends deliveries until it is verified again. What waits is given up and can be replayed.",
    parameters=(_OF_WEBHOOK,),
    answers=(
        Content(JSON, (WebhookState,), {"Disabled": {**_WEBHOOK, "state": "disabled", "disabled_reason": "by_hand"}}),
    ),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_CHANGED),
)

EXCHANGE_KEYS = Operation(
    id="exchange_webhook_keys",
    tag=TAG,
    summary="Give a webhook a new key",
    description="For a day every request has two signatures, of the new key and of the one before.",
    parameters=(_OF_WEBHOOK, KEY),
    answers=(Content(JSON, (WebhookWithSecret,), {"HMAC": _WITH_SECRET}, status=201),),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_CHANGED, *OF_IDEMPOTENCY),
)

TEST_WEBHOOK = Operation(
    id="test_webhook",
    tag=TAG,
    summary="Send a test message",
    description="Sends a message of type `endpoint.test`, delivered like any other.",
    parameters=(_OF_WEBHOOK,),
    answers=(Content(JSON, (TestMessage,), {"On its way": {"webhook_id": _MESSAGE}}, status=202),),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_CHANGED),
)

REPLAY = Operation(
    id="replay_webhook",
    tag=TAG,
    summary="Deliver again",
    description=(
        "One event, the events of a range, also those that were made before the webhook, or without members all "
        f"that was given up. At most {MAX_REPLAYED:,} events; `next` says where to go on. A message keeps its `webhook-id`."
    ),
    parameters=(_OF_WEBHOOK,),
    bodies=(
        Content(
            JSON,
            (ReplayBody,),
            {"One event": {"event": 57}, "A range": {"after": 40, "until": 90}, "All that was given up": {}},
        ),
    ),
    answers=(Content(JSON, (ReplayResult,), {"Twelve": {"deliveries": 12, "next": 0}}, status=202),),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_CHANGED, *OF_A_BODY),
)

LIST_ATTEMPTS = Operation(
    id="list_webhook_attempts",
    tag=TAG,
    summary="The attempts at deliveries",
    description="Each with its outcome, how long it took, and the first kilobyte of the answer of an attempt that failed.",
    parameters=(_OF_WEBHOOK, *PAGES),
    answers=(Content(JSON, (Attempts,), {"One": {"attempts": [_ATTEMPT], "next_page_token": ""}}),),
    refusals=(RESOURCE_UNKNOWN, RESOURCE_PARAMETER),
)
