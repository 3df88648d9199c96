"""Streams of signals as the API sends and reads them (SSF §7, §8.1; RFC 8936)."""

from typing import Annotated, Any, Literal

import msgspec

from credence import paths
from credence.meanings import meaning
from credence.oauth.signals.events import SESSION_REVOKED, SUPPORTED
from credence.oauth.signals.streams import MIN_VERIFICATION_INTERVAL_SECONDS
from credence.outgoing.target import MAX_URL_CHARACTERS
from credence.settings import Settings
from credence.store.signals import Method, SignalStream

PUSH = "urn:ietf:rfc:8935"
POLL = "urn:ietf:rfc:8936"

METHODS: dict[str, Method] = {PUSH: "push", POLL: "poll"}
_METHOD_WORDS = {PUSH: "tokens are pushed to you", POLL: "you read them"}
STATUSES = {
    "enabled": "tokens are sent",
    "paused": "what happens waits",
    "disabled": "nothing is sent, and what happens is lost",
}

_ID = "st_2o6x4hk3tmy7q5c3"
_URL = "https://receiver.example/signals"
MAX_POLLED = 100

Text = Annotated[str, msgspec.Meta(max_length=200)]
Uris = Annotated[tuple[Text, ...], msgspec.Meta(max_length=50)]


class DeliveryBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """How tokens reach the receiver."""

    method: Annotated[str, meaning("The method:", values=_METHOD_WORDS)]
    endpoint_url: Annotated[
        str, msgspec.Meta(max_length=MAX_URL_CHARACTERS), meaning("Where tokens are pushed, or read.", example=_URL)
    ] = ""
    authorization_header: Annotated[
        Annotated[str, msgspec.Meta(max_length=2_000)] | None,
        meaning("The Authorization field of each push. No answer has it.", example="Bearer of-the-receiver"),
    ] = None


class NewStreamBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stream as its receiver wants it. Other members are ignored."""

    delivery: Annotated[DeliveryBody, meaning("How tokens reach you; without it you read them.")] = DeliveryBody(POLL)
    events_requested: Annotated[
        Uris | None, meaning("The events that you want; without it all.", example=[SESSION_REVOKED])
    ] = None
    description: Annotated[Text, meaning("Your own words.", example="Ledger")] = ""


class StreamBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change of a stream. What you leave out stays with PATCH, and becomes as in a new stream with PUT."""

    stream_id: Annotated[Text, meaning("The stream.", example=_ID)]
    delivery: Annotated[DeliveryBody | None, meaning("How tokens reach you.")] = None
    events_requested: Annotated[Uris | None, meaning("The events that you want.", example=[SESSION_REVOKED])] = None
    description: Annotated[Text | None, meaning("Your own words.", example="Ledger")] = None
    iss: Annotated[Text | None, meaning("If given, the issuer of the stream.", example="https://api.example")] = None
    aud: Annotated[Text | None, meaning("If given, the audience of the stream.", example="crd_prd_app_x")] = None


class StreamState(msgspec.Struct, frozen=True):
    """A stream."""

    stream_id: Annotated[str, meaning("Its id.", example=_ID)]
    iss: Annotated[str, meaning("The issuer of its tokens.", example="https://api.example")]
    aud: Annotated[str, meaning("Their audience: your client_id.", example="crd_prd_app_x")]
    events_supported: Annotated[tuple[str, ...], meaning("The events that there are.", example=[SESSION_REVOKED])]
    events_requested: Annotated[tuple[str, ...], meaning("The events that you want.", example=[SESSION_REVOKED])]
    events_delivered: Annotated[tuple[str, ...], meaning("The events that you get.", example=[SESSION_REVOKED])]
    delivery: Annotated[DeliveryBody, meaning("How tokens reach you.")]
    min_verification_interval: Annotated[
        int, meaning("Between two requests for a verification event, at least.", unit="seconds", example=10)
    ]
    description: Annotated[str, meaning("Your own words.", example="Ledger")]


class StatusBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status of a stream."""

    stream_id: Annotated[Text, meaning("The stream.", example=_ID)]
    status: Annotated[Literal["enabled", "paused", "disabled"], meaning("Its status:", values=STATUSES)]
    reason: Annotated[Text, meaning("Why.", example="Maintenance")] = ""


class SubjectBody(msgspec.Struct, frozen=True):
    """An account, by `iss_sub` or `opaque` (RFC 9493)."""

    stream_id: Annotated[Text, meaning("The stream.", example=_ID)]
    subject: Annotated[
        dict[str, Any],
        meaning("The account.", example={"format": "iss_sub", "iss": "https://api.example", "sub": "ada"}),
    ]


class VerificationBody(msgspec.Struct, frozen=True):
    """A request for a verification event."""

    stream_id: Annotated[Text, meaning("The stream.", example=_ID)]
    state: Annotated[
        Annotated[str, msgspec.Meta(max_length=1_000)] | None, meaning("Comes back in the event.", example="abc")
    ] = None


class SetError(msgspec.Struct, frozen=True):
    """Why a token was not accepted."""

    err: Annotated[Text, meaning("The code (RFC 8935 §2.4).", example="invalid_key")] = ""
    description: Annotated[str, meaning("In words.", example="The key is unknown.")] = ""


Ids = Annotated[tuple[Text, ...], msgspec.Meta(max_length=MAX_POLLED)]


class PollBody(msgspec.Struct, frozen=True, rename="camel"):
    """The tokens that a receiver acknowledges, and how many it requests (RFC 8936 §2.2)."""

    max_events: Annotated[
        Annotated[int, msgspec.Meta(ge=0)] | None, meaning(f"Tokens at most; {MAX_POLLED} are the most.", example=10)
    ] = None
    return_immediately: Annotated[bool, meaning("Whether not to wait for a token.", example=True)] = False
    ack: Annotated[
        Ids, meaning("Ids of tokens that you have taken.", example=["0f1e2d3c4b5a69788796a5b4c3d2e1f0"])
    ] = ()
    set_errs: Annotated[dict[str, SetError], meaning("Ids of tokens that you cannot use, and why.", example={})] = {}


class Polled(msgspec.Struct, frozen=True, rename="camel"):
    """Tokens."""

    sets: Annotated[dict[str, str], meaning("Id -> token.", example={"0f1e2d3c4b5a69788796a5b4c3d2e1f0": "eyJ…"})]
    more_available: Annotated[bool, meaning("Whether more wait.", example=False)]


class Configuration(msgspec.Struct, frozen=True):
    """The metadata of the transmitter (SSF §7.1)."""

    spec_version: Annotated[str, meaning("The version of the framework.", example="1_0")]
    issuer: Annotated[str, meaning("The issuer of its tokens.", example="https://api.example")]
    jwks_uri: Annotated[str, meaning("Its keys.", example="https://api.example/oauth2/v1/keys")]
    delivery_methods_supported: Annotated[tuple[str, ...], meaning("The delivery methods.", example=[PUSH, POLL])]
    configuration_endpoint: Annotated[str, meaning("Streams.", example=f"https://api.example{paths.SIGNAL_STREAMS}")]
    status_endpoint: Annotated[str, meaning("Their status.", example=f"https://api.example{paths.SIGNAL_STATUS}")]
    add_subject_endpoint: Annotated[
        str, meaning("Where accounts are added.", example=f"https://api.example{paths.SIGNAL_SUBJECTS_ADD}")
    ]
    remove_subject_endpoint: Annotated[
        str, meaning("Where accounts are removed.", example=f"https://api.example{paths.SIGNAL_SUBJECTS_REMOVE}")
    ]
    verification_endpoint: Annotated[
        str, meaning("Verification.", example=f"https://api.example{paths.SIGNAL_VERIFICATION}")
    ]
    authorization_schemes: Annotated[
        tuple[dict[str, str], ...], meaning("How requests are authorized.", example=[{"spec_urn": "urn:ietf:rfc:6749"}])
    ]
    default_subjects: Annotated[str, meaning("Which accounts a new stream is about.", example="ALL")]


def configuration(settings: Settings) -> Configuration:
    """Return the metadata of this deployment, which pushes only if it may call out."""
    issuer = settings.issuer
    return Configuration(
        spec_version="1_0",
        issuer=issuer,
        jwks_uri=f"{issuer}{paths.KEYS}",
        delivery_methods_supported=(PUSH, POLL) if settings.calls_out else (POLL,),
        configuration_endpoint=f"{issuer}{paths.SIGNAL_STREAMS}",
        status_endpoint=f"{issuer}{paths.SIGNAL_STATUS}",
        add_subject_endpoint=f"{issuer}{paths.SIGNAL_SUBJECTS_ADD}",
        remove_subject_endpoint=f"{issuer}{paths.SIGNAL_SUBJECTS_REMOVE}",
        verification_endpoint=f"{issuer}{paths.SIGNAL_VERIFICATION}",
        authorization_schemes=({"spec_urn": "urn:ietf:rfc:6749"},),
        default_subjects="ALL",
    )


def state_of(stream: SignalStream, issuer: str) -> StreamState:
    """Return a stream as it is sent."""
    poll = stream.method == "poll"
    endpoint = f"{issuer}{paths.SIGNAL_POLL}/{stream.id}" if poll else stream.endpoint
    return StreamState(
        stream_id=stream.id,
        iss=issuer,
        aud=stream.owner,
        events_supported=SUPPORTED,
        events_requested=stream.events,
        events_delivered=tuple(each for each in SUPPORTED if each in stream.events),
        delivery=DeliveryBody(POLL if poll else PUSH, endpoint),
        min_verification_interval=MIN_VERIFICATION_INTERVAL_SECONDS,
        description=stream.description,
    )
