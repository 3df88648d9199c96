"""The error table of the specification as values (spec §7, D3, D9, D21).

Any part may raise Refused; only the pipeline turns it into an answer. The caller gets `message`, the log gets `reason`,
which distinguishes refusals with the same message.
"""

from dataclasses import dataclass, replace

SUPPORT_EMAIL = "<SUPPORT_EMAIL>"
"""Placeholder in a message for the support address, which is a setting (D9)."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One row of the error table: status and message of the house dialect, code and status of RFC 6749 §5.2."""

    name: str
    status: int
    error_type: str
    message: str
    oauth_error: str = "invalid_request"
    oauth_status: int = 400
    description: str = ""
    """The `error_description` if it differs from `message` (RFC 6749 §5.2)."""


def because(refusal: Refusal, message: str) -> Refusal:
    """Return the refusal with a message that names the cause. The message is a constant, never input of the caller."""
    return replace(refusal, message=message)


class Refused(Exception):
    """Ends the request with a refusal.

    `reason` is a stable code for the operator, such as `json.depth`; it never contains input of the caller. `retry_after`
    is in whole seconds. `application` and `account` are existing names for the audit trail, given if only the raising code
    knows them.
    """

    def __init__(
        self,
        refusal: Refusal,
        reason: str,
        *,
        retry_after: int | None = None,
        application: str | None = None,
        account: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.refusal = refusal
        self.reason = reason
        self.retry_after = retry_after
        self.application = application
        self.account = account


def _bad_request(name: str, message: str, oauth_error: str = "invalid_request") -> Refusal:
    return Refusal(name, 400, "Bad Request", message, oauth_error)


def _unauthorized(name: str, message: str, oauth_error: str = "invalid_grant", oauth_status: int = 400) -> Refusal:
    return Refusal(name, 401, "Unauthorized", message, oauth_error, oauth_status)


_NOT_ALLOWED = "Access to the requested resource is not allowed."

# spec §7, in its order
INVALID_TOKEN = _unauthorized("invalid_token", "Access token is Invalid.")
CLIENT_MISSING = Refusal(  # RFC 6749 §5.2: in the standard dialect no client authentication is invalid_client
    "client_missing",
    400,
    "Bad Request",
    "The 'client_id' and 'client_secret' attributes are required.",
    "invalid_client",
    401,
)
METHOD_NOT_ALLOWED = Refusal(
    "method_not_allowed", 405, "Method Not Allowed", "The requested method is not allowed.", oauth_status=405
)
UNSUPPORTED_MEDIA_TYPE = Refusal(
    "unsupported_media_type", 415, "Unsupported Media Type", "Content-Type header is unsupported.", oauth_status=415
)
FORM_UNSUPPORTED = Refusal(  # D1
    "form_unsupported",
    415,
    "Unsupported Media Type",
    "Content-Type header is unsupported.",
    oauth_status=415,
    description="Send JSON; or a form with grant_type, which for the password grant needs HTTP Basic, a client assertion, "
    "or an application registered for client_secret_post.",
)
FORM_CHARSET = replace(  # D1
    FORM_UNSUPPORTED, name="form_charset", description="The charset of a form is UTF-8, also without being named."
)
USER_MISSING = _bad_request("user_missing", "The 'username' and 'password' attributes are required.")
WRONG_USER = _unauthorized("wrong_user", "Access is denied due to invalid username or password.")
WRONG_CLIENT = _unauthorized(
    "wrong_client", "Access is denied due to invalid client id or client secret.", "invalid_client", 401
)
ACCOUNT_NOT_ACTIVE = _unauthorized(
    "account_not_active",
    f"Your account is in invalid state. For further assistance, please contact {SUPPORT_EMAIL}",
)
THREAT = _unauthorized("threat", _NOT_ALLOWED, "invalid_request")
# The specification answers a request over its rate with 401 (D16); so does the standard dialect.
SPIKE_ARREST = _unauthorized("spike_arrest", _NOT_ALLOWED, "temporarily_unavailable", 401)
AUTHENTICATION_FAILED = _unauthorized("authentication_failed", _NOT_ALLOWED, "invalid_client", 401)
FORBIDDEN = Refusal(
    "forbidden", 403, "Forbidden", "Access to the requested resource is forbidden.", "access_denied", 403
)
INTERNAL = Refusal(
    "internal",
    500,
    "Internal Server Error",
    f"Internal Server Error. If problems persist, please contact {SUPPORT_EMAIL}",
    "server_error",
    500,
)

# Added by the decisions where the specification is silent
STORE_DAMAGED = Refusal(  # threats F2
    "store_damaged",
    503,
    "Service Unavailable",
    f"The service cannot answer until its operator has repaired it. Please contact {SUPPORT_EMAIL}",
    "temporarily_unavailable",
    503,
)
GRANT_UNKNOWN = _bad_request(  # D3
    "grant_unknown", "The 'grant_type' attribute is not supported.", "unsupported_grant_type"
)
GRANT_NOT_ALLOWED = _bad_request(  # D25
    "grant_not_allowed",
    "The 'grant_type' attribute is not allowed for this application.",
    "unauthorized_client",
)
CLIENT_PROVES_TWICE = _bad_request(  # RFC 6749 §2.3, §5.2
    "client_proves_twice", "The client must be authenticated in one way only."
)
CERTIFICATE_MISSING = _bad_request(  # RFC 8705 §3
    "certificate_missing", "The tokens of this application are bound to the certificate of the connection."
)
INVALID_SCOPE = _bad_request(  # RFC 6749 §5.2
    "invalid_scope", "The scope cannot be granted.", "invalid_scope"
)
INVALID_TARGET = _bad_request(  # RFC 8707 §2
    "invalid_target", "No token can be issued for the requested resource.", "invalid_target"
)
INSUFFICIENT_SCOPE = Refusal(  # RFC 6750 §3.1
    "insufficient_scope",
    403,
    "Forbidden",
    "Access to the requested resource is forbidden.",
    "insufficient_scope",
    403,
)
INSUFFICIENT_AUTHENTICATION = Refusal(  # RFC 9470 §3
    "insufficient_user_authentication",
    401,
    "Unauthorized",
    "A stronger or more recent sign-in is required.",
    "insufficient_user_authentication",
    401,
)
INVALID_DPOP_PROOF = _unauthorized(  # RFC 9449 §5.1, §7.1
    "invalid_dpop_proof", "The DPoP proof is invalid.", "invalid_dpop_proof"
)
USE_DPOP_NONCE = _unauthorized(  # RFC 9449 §8, §9
    "use_dpop_nonce", "The DPoP proof must hold the nonce of the DPoP-Nonce header.", "use_dpop_nonce"
)
DPOP_REQUIRED = _bad_request(  # RFC 9449 §5.2
    "dpop_required", "The application must ask for tokens with a DPoP proof.", "invalid_dpop_proof"
)
HOST_MALFORMED = _bad_request("host_malformed", "The request must have one 'Host' header.")  # RFC 9112 §3.2
MISDIRECTED = Refusal(  # RFC 9110 §15.5.20, threats P12
    "misdirected",
    421,
    "Misdirected Request",
    "The service is not reached under the host of this request.",
    oauth_status=421,
)
BEARER_MALFORMED = _bad_request(  # RFC 6750 §3.1
    "bearer_malformed", "The access token must come once: in the 'Authorization' header or in a form."
)
INVALID_CLIENT_METADATA = _bad_request(  # RFC 7591 §3.2.2
    "invalid_client_metadata", "The client metadata cannot be registered.", "invalid_client_metadata"
)
INVALID_REDIRECT_URI = _bad_request(  # RFC 7591 §3.2.2
    "invalid_redirect_uri", "A redirect URI cannot be registered, or is missing.", "invalid_redirect_uri"
)
REGISTRATION_CHANGED = Refusal(  # threats E10
    "registration_changed", 409, "Conflict", "The registration has been changed meanwhile.", oauth_status=409
)
REGISTRATION_TOKEN_INVALID = _unauthorized(  # RFC 7591 §3.2.2, RFC 7592 §2, RFC 6750 §3.1
    "registration_token_invalid", "Access token is Invalid.", "invalid_token", 401
)
CODE_MISSING = _bad_request("code_missing", "The 'code' attribute is required.")  # RFC 6749 §4.1.3
INVALID_CODE = _unauthorized("invalid_code", "The authorization code is invalid.")  # RFC 6749 §5.2
DEVICE_CODE_MISSING = _bad_request("device_code_missing", "The 'device_code' attribute is required.")  # RFC 8628 §3.4
INVALID_DEVICE_CODE = _unauthorized("invalid_device_code", "The device code is invalid.")
DEVICE_PENDING = _bad_request(  # RFC 8628 §3.5, as the three after it
    "device_pending", "The person has not decided yet.", "authorization_pending"
)
DEVICE_TOO_FAST = _bad_request(
    "device_too_fast", "The device asks too often. It must wait five seconds longer from now on.", "slow_down"
)
DEVICE_REFUSED = _bad_request("device_refused", "The person refused.", "access_denied")
DEVICE_CODE_EXPIRED = _bad_request("device_code_expired", "The device code has expired.", "expired_token")
USER_CODE_UNKNOWN = _bad_request("user_code_unknown", "No device waits for this code.")
AUTHORIZATION_REQUEST = _bad_request(  # RFC 6749 §4.1.2.1
    "authorization_request", "The authorization request cannot be answered."
)
PUSHED_REQUEST = _bad_request(  # RFC 9126 §2.3
    "pushed_request", "The pushed authorization request cannot be answered."
)
PUSHED_REQUEST_TOO_LONG = Refusal(  # RFC 9126 §2.3
    "pushed_request_too_long",
    413,
    "Content Too Large",
    "The pushed authorization request is too long.",
    oauth_status=413,
)
STEP_LOST = _bad_request("step_lost", "The form is too old, or another browser's.")  # threats E5
REFRESH_TOKEN_MISSING = _bad_request("refresh_token_missing", "The 'refresh_token' attribute is required.")  # D7
SUBJECT_TOKEN_MISSING = _bad_request(  # RFC 8693 §2.1
    "subject_token_missing", "The 'subject_token' and 'subject_token_type' attributes are required."
)
TOKEN_TYPE_UNKNOWN = _bad_request(  # RFC 8693 §2.1, §2.2.2
    "token_type_unknown", "A token type is not supported, or stands without its token."
)
EXCHANGE_REFUSED = _bad_request(  # RFC 8693 §2.2.2
    "exchange_refused", "A token in the request is not acceptable."
)
TOKEN_MISSING = _bad_request("token_missing", "The 'token' attribute is required.")  # D11
COMPANY_NUMBER_MISSING = _bad_request("company_number_missing", "The company number is required.")  # D19
NOT_FOUND = Refusal(  # D22
    "not_found", 404, "Not Found", "The requested resource was not found.", oauth_status=404
)


def _unprocessable(name: str, message: str) -> Refusal:
    return Refusal(name, 422, "Unprocessable Entity", message, oauth_status=422)


# D21: the credit API sends these as its own `Error` object
COMPANY_UNKNOWN = Refusal("company_unknown", 404, "Not Found", "No company with this number is held.", oauth_status=404)
COMPANY_NUMBER_MALFORMED = _unprocessable(
    "company_number_malformed",
    "The company number must be up to 8 digits, or a prefix of the register before digits, such as SC, NI or OC: "
    "01234567, SC123456.",
)
DIRECTOR_UNKNOWN = Refusal(
    "director_unknown", 404, "Not Found", "No director with this number is held.", oauth_status=404
)
SEARCH_MALFORMED = _unprocessable("search_malformed", "A search parameter is missing or malformed.")

REPORT_PARAMETER = _unprocessable("report_parameter", "The parameters of a report are 'RegNumber' and 'sections'.")
DISPUTE_MALFORMED = _unprocessable(
    "dispute_malformed", "A dispute must be JSON with RegNumber, Field and Claim, texts of at most 500 characters."
)
POLICY_UNKNOWN = Refusal("policy_unknown", 404, "Not Found", "No policy with this name is installed.", oauth_status=404)
BATCH_MALFORMED = _unprocessable("batch_malformed", "The body must be a list of company numbers, as JSON or CSV.")


def _of_resource(name: str, status: int, title: str, message: str) -> Refusal:
    return Refusal(name, status, title, message, oauth_status=status)


# JSON resources: written as problem details (RFC 9457)
RESOURCE_UNKNOWN = _of_resource(
    "resource_unknown", 404, "Not Found", "There is no such resource, or it is another owner's."
)
RESOURCE_MALFORMED = _of_resource(
    "resource_malformed", 422, "Unprocessable Content", "The body must have the documented members and no others."
)
RESOURCE_PARAMETER = _of_resource(
    "resource_parameter", 422, "Unprocessable Content", "A parameter of the query is unknown or malformed."
)
RESOURCE_CHANGED = _of_resource(
    "resource_changed", 409, "Conflict", "The resource is being changed by another request."
)
PRECONDITION_FAILED = _of_resource(  # RFC 9110 §15.5.13
    "precondition_failed", 412, "Precondition Failed", "The resource has another version than If-Match names."
)
PRECONDITION_REQUIRED = _of_resource(  # RFC 6585 §3
    "precondition_required", 428, "Precondition Required", "A change needs If-Match with the tag of the version read."
)
IDEMPOTENCY_KEY = _of_resource(
    "idempotency_key", 400, "Bad Request", "Idempotency-Key must have 1 to 100 characters of ASCII."
)
IDEMPOTENCY_MISMATCH = _of_resource(
    "idempotency_mismatch", 422, "Unprocessable Content", "This Idempotency-Key belongs to a request with another body."
)
IDEMPOTENCY_IN_PROGRESS = _of_resource(
    "idempotency_in_progress", 409, "Conflict", "The first request with this Idempotency-Key is not answered yet."
)
IDEMPOTENCY_OUTCOME_UNKNOWN = _of_resource(
    "idempotency_outcome_unknown", 409, "Conflict", "It is unknown whether the first request with this key acted."
)
SIGNALS_MALFORMED = _of_resource(  # SSF 1.0 §8.1
    "signals_malformed", 400, "Bad Request", "The body must have the members of the Shared Signals Framework."
)
SIGNALS_FORBIDDEN = _of_resource(  # SSF 1.0 §8.1.1.5, §8.1.2.2
    "signals_forbidden", 403, "Forbidden", "The operator of the service has set the status of the stream."
)
SIGNALS_TOO_MANY = _of_resource(  # SSF 1.0 §8.1.3.3, §8.1.4.2
    "signals_too_many", 429, "Too Many Requests", "The stream takes no more of this for now."
)
RESOURCE_ERRORS = frozenset(
    each.name
    for each in (
        RESOURCE_UNKNOWN,
        RESOURCE_MALFORMED,
        RESOURCE_PARAMETER,
        RESOURCE_CHANGED,
        PRECONDITION_FAILED,
        PRECONDITION_REQUIRED,
        IDEMPOTENCY_KEY,
        IDEMPOTENCY_MISMATCH,
        IDEMPOTENCY_IN_PROGRESS,
        IDEMPOTENCY_OUTCOME_UNKNOWN,
        SIGNALS_MALFORMED,
        SIGNALS_FORBIDDEN,
        SIGNALS_TOO_MANY,
    )
)
"""The names of the refusals that only JSON resources use."""

CREDIT_ERRORS = frozenset(
    each.name
    for each in (
        COMPANY_UNKNOWN,
        COMPANY_NUMBER_MALFORMED,
        DIRECTOR_UNKNOWN,
        SEARCH_MALFORMED,
        REPORT_PARAMETER,
        POLICY_UNKNOWN,
        BATCH_MALFORMED,
        DISPUTE_MALFORMED,
    )
)
"""The names of the refusals that are written in the form of the credit API (D21)."""

_BY_NAME = {value.name: value for value in tuple(globals().values()) if isinstance(value, Refusal)}


def named(name: str) -> Refusal | None:
    """Return the refusal with this name."""
    return _BY_NAME.get(name)
