"""Refusals of authorization requests and of the forms that people send (RFC 6749 §4.1.2.1, RFC 9126 §2.3)."""

from credence.refusals.refusal import Refusal, bad_request

AUTHORIZATION_REQUEST = bad_request(  # RFC 6749 §4.1.2.1
    "authorization_request", "The authorization request cannot be answered."
)
PUSHED_REQUEST = bad_request(  # RFC 9126 §2.3
    "pushed_request", "The pushed authorization request cannot be answered."
)
PUSHED_REQUEST_TOO_LONG = Refusal(  # RFC 9126 §2.3
    "pushed_request_too_long",
    413,
    "Content Too Large",
    "The pushed authorization request is too long.",
    oauth_status=413,
)
STEP_LOST = bad_request("step_lost", "This form has expired or was opened in another browser.")  # threats E5
USER_CODE_UNKNOWN = bad_request("user_code_unknown", "No device waits for this code.")
