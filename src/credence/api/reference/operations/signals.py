"""Documentation of shared signals. The examples are invented."""

from dataclasses import replace

from credence import paths
from credence.oauth.signals.events import ACCOUNT_DISABLED, SESSION_REVOKED, SUPPORTED
from credence.oauth.signals.schema import (
    MAX_POLLED,
    PUSH,
    Configuration,
    NewStreamBody,
    PollBody,
    Polled,
    StatusBody,
    StreamBody,
    StreamState,
    SubjectBody,
    VerificationBody,
)
from credence.oauth.signals.schema import (
    POLL as POLL_METHOD,
)
from credence.refusals.requests import NOT_FOUND, UNSUPPORTED_MEDIA_TYPE
from credence.refusals.resources import (
    RESOURCE_CHANGED,
    RESOURCE_PARAMETER,
    RESOURCE_UNKNOWN,
    SIGNALS_FORBIDDEN,
    SIGNALS_MALFORMED,
    SIGNALS_TOO_MANY,
)
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "Shared signals"

_ISSUER = "https://api.example"
_ID = "st_2o6x4hk3tmy7q5c3"
_URL = "https://receiver.example/signals"
_TOKEN_ID = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"  # noqa: S105 - an id
_NEW = {
    "delivery": {"method": PUSH, "endpoint_url": _URL, "authorization_header": "Bearer of-the-receiver"},
    "events_requested": [SESSION_REVOKED, ACCOUNT_DISABLED],
    "description": "Ledger",
}
_STREAM = {
    "stream_id": _ID,
    "iss": _ISSUER,
    "aud": "crd_prd_app_x",
    "events_supported": list(SUPPORTED),
    "events_requested": [SESSION_REVOKED, ACCOUNT_DISABLED],
    "events_delivered": [SESSION_REVOKED, ACCOUNT_DISABLED],
    "delivery": {"method": PUSH, "endpoint_url": _URL},
    "min_verification_interval": 60,
    "description": "Ledger",
}
_STATUS = {"stream_id": _ID, "status": "paused", "reason": "Maintenance"}
_SUBJECT = {"stream_id": _ID, "subject": {"format": "iss_sub", "iss": _ISSUER, "sub": "ada"}}
_CONFIGURATION = {
    "spec_version": "1_0",
    "issuer": _ISSUER,
    "jwks_uri": f"{_ISSUER}{paths.KEYS}",
    "delivery_methods_supported": [PUSH, POLL_METHOD],
    "configuration_endpoint": f"{_ISSUER}{paths.SIGNAL_STREAMS}",
    "status_endpoint": f"{_ISSUER}{paths.SIGNAL_STATUS}",
    "add_subject_endpoint": f"{_ISSUER}{paths.SIGNAL_SUBJECTS_ADD}",
    "remove_subject_endpoint": f"{_ISSUER}{paths.SIGNAL_SUBJECTS_REMOVE}",
    "verification_endpoint": f"{_ISSUER}{paths.SIGNAL_VERIFICATION}",
    "authorization_schemes": [{"spec_urn": "urn:ietf:rfc:6749"}],
    "default_subjects": "ALL",
}
_OF_STREAM = Parameter("stream_id", "query", "The stream.", _ID)
_BODY = (UNSUPPORTED_MEDIA_TYPE, SIGNALS_MALFORMED)
_OF_KEPT = (*_BODY, RESOURCE_UNKNOWN, RESOURCE_CHANGED)

CONFIGURATION = Operation(
    id="signal_configuration",
    tag=TAG,
    summary="Transmitter metadata",
    description="Where streams are made and which methods deliver (Shared Signals Framework 1.0 §7).",
    answers=(Content(JSON, (Configuration,), {"Both methods": _CONFIGURATION}),),
    cacheable=True,
)

CONFIGURATION_WITH_PATH = replace(
    CONFIGURATION,
    id="signal_configuration_with_path",
    summary="Transmitter metadata, with a path",
    description="The same where the issuer has a path of its own, which then follows here. Any other is a 404.",
    parameters=(Parameter("path", "path", "That of the issuer.", "risk"),),
    refusals=(NOT_FOUND,),
)

MAKE_STREAM = Operation(
    id="make_stream",
    tag=TAG,
    summary="Make your stream",
    description=(
        "An application has one stream. It is about the accounts that use the application: by consent, or by a login that "
        "has not ended. Without `delivery` you read the tokens at the address in the answer."
    ),
    bodies=(Content(JSON, (NewStreamBody,), {"Push": _NEW, "Poll": {}}),),
    answers=(Content(JSON, (StreamState,), {"Made": _STREAM}, status=201),),
    refusals=(*_BODY, RESOURCE_CHANGED),
)

READ_STREAMS = Operation(
    id="read_streams",
    tag=TAG,
    summary="Your stream",
    description="With `stream_id` the stream. Without it, an array that has your stream, or nothing.",
    parameters=(_OF_STREAM,),
    answers=(Content(JSON, (StreamState,), {"One": _STREAM}),),
    refusals=(RESOURCE_PARAMETER, RESOURCE_UNKNOWN),
)

CHANGE_STREAM = Operation(
    id="change_stream",
    tag=TAG,
    summary="Change your stream",
    description="Changes what the body names. What waits goes by the new method.",
    bodies=(Content(JSON, (StreamBody,), {"Poll instead": {"stream_id": _ID, "delivery": {"method": POLL_METHOD}}}),),
    answers=(Content(JSON, (StreamState,), {"Changed": _STREAM}),),
    refusals=_OF_KEPT,
)

REPLACE_STREAM = Operation(
    id="replace_stream",
    tag=TAG,
    summary="Replace your stream",
    description="As a new stream, with the same id.",
    bodies=(Content(JSON, (StreamBody,), {"Push": {"stream_id": _ID, **_NEW}}),),
    answers=(Content(JSON, (StreamState,), {"Replaced": _STREAM}),),
    refusals=_OF_KEPT,
)

DELETE_STREAM = Operation(
    id="delete_stream",
    tag=TAG,
    summary="Delete your stream",
    description="Deletes it with what waits for you.",
    parameters=(_OF_STREAM,),
    answers=(Content("", (), status=204),),
    refusals=(RESOURCE_PARAMETER, RESOURCE_UNKNOWN, RESOURCE_CHANGED, SIGNALS_FORBIDDEN),
)

READ_STATUS = Operation(
    id="read_stream_status",
    tag=TAG,
    summary="The status of your stream",
    description="Whether tokens are sent.",
    parameters=(_OF_STREAM,),
    answers=(Content(JSON, (StatusBody,), {"Paused": _STATUS}),),
    refusals=(RESOURCE_PARAMETER, RESOURCE_UNKNOWN),
)

CHANGE_STATUS = Operation(
    id="change_stream_status",
    tag=TAG,
    summary="Enable, pause or disable your stream",
    description="During a pause what happens waits for you; a disabled stream loses it, and what waited.",
    bodies=(Content(JSON, (StatusBody,), {"Pause": _STATUS}),),
    answers=(Content(JSON, (StatusBody,), {"Paused": _STATUS}),),
    refusals=(*_OF_KEPT, SIGNALS_FORBIDDEN),
)

ADD_SUBJECT = Operation(
    id="add_subject",
    tag=TAG,
    summary="Receive signals about an account again",
    description="After its removal. The answer is the same if there is no such account, or it does not use you.",
    bodies=(Content(JSON, (SubjectBody,), {"An account": _SUBJECT}),),
    answers=(Content(JSON, (), {"Added": {}}),),
    refusals=_OF_KEPT,
)

REMOVE_SUBJECT = Operation(
    id="remove_subject",
    tag=TAG,
    summary="Receive no signals about an account",
    description="The answer is the same if there is no such account.",
    bodies=(Content(JSON, (SubjectBody,), {"An account": _SUBJECT}),),
    answers=(Content("", (), status=204),),
    refusals=(*_OF_KEPT, SIGNALS_TOO_MANY),
)

VERIFY = Operation(
    id="verify_stream",
    tag=TAG,
    summary="Verify your stream",
    description=(
        "Sends a verification event by the stream, with `state` as you give it; at most once in "
        "`min_verification_interval` seconds."
    ),
    bodies=(Content(JSON, (VerificationBody,), {"With state": {"stream_id": _ID, "state": "abc"}}),),
    answers=(Content("", (), status=204),),
    refusals=(*_OF_KEPT, SIGNALS_TOO_MANY),
)

POLL = Operation(
    id="poll_stream",
    tag=TAG,
    summary="Read your tokens",
    description=(
        f"At most {MAX_POLLED} tokens that you have not acknowledged, the oldest first (RFC 8936). Unless you say "
        "`returnImmediately`, the answer waits up to twenty seconds for one."
    ),
    parameters=(Parameter("stream", "path", "The stream.", _ID),),
    bodies=(Content(JSON, (PollBody,), {"Acknowledge": {"ack": [_TOKEN_ID], "returnImmediately": True}}),),
    answers=(Content(JSON, (Polled,), {"One": {"sets": {_TOKEN_ID: "eyJ…"}, "moreAvailable": False}}),),
    refusals=(*_BODY, RESOURCE_UNKNOWN),
)
