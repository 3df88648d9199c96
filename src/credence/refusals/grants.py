"""Refusals of grants, and of requests to revoke or to introspect a token (RFC 6749 §5.2)."""

from credence.refusals.refusal import bad_request, unauthorized

GRANT_UNKNOWN = bad_request(  # D3
    "grant_unknown", "The 'grant_type' attribute is not supported.", "unsupported_grant_type"
)
GRANT_NOT_ALLOWED = bad_request(  # D25
    "grant_not_allowed",
    "The 'grant_type' attribute is not allowed for this application.",
    "unauthorized_client",
)
INVALID_SCOPE = bad_request(  # RFC 6749 §5.2
    "invalid_scope", "The scope cannot be granted.", "invalid_scope"
)
INVALID_AUTHORIZATION_DETAILS = bad_request(  # RFC 9396 §5
    "invalid_authorization_details",
    "The authorization details cannot be granted.",
    "invalid_authorization_details",
)
INVALID_TARGET = bad_request(  # RFC 8707 §2
    "invalid_target", "No token can be issued for the requested resource.", "invalid_target"
)
REFRESH_TOKEN_MISSING = bad_request("refresh_token_missing", "The 'refresh_token' attribute is required.")  # D7
TOKEN_MISSING = bad_request("token_missing", "The 'token' attribute is required.")  # D11
CODE_MISSING = bad_request("code_missing", "The 'code' attribute is required.")  # RFC 6749 §4.1.3
INVALID_CODE = unauthorized("invalid_code", "The authorization code is invalid.")  # RFC 6749 §5.2
DEVICE_CODE_MISSING = bad_request("device_code_missing", "The 'device_code' attribute is required.")  # RFC 8628 §3.4
INVALID_DEVICE_CODE = unauthorized("invalid_device_code", "The device code is invalid.")
DEVICE_PENDING = bad_request(  # RFC 8628 §3.5, as the three after it
    "device_pending", "The person has not decided yet.", "authorization_pending"
)
DEVICE_TOO_FAST = bad_request(
    "device_too_fast",
    "The device polls too often. It must wait 5 seconds longer between requests from now on.",
    "slow_down",
)
DEVICE_REFUSED = bad_request("device_refused", "The person refused.", "access_denied")
DEVICE_CODE_EXPIRED = bad_request("device_code_expired", "The device code has expired.", "expired_token")
ASSERTION_MISSING = bad_request("assertion_missing", "The 'assertion' attribute is required.")  # RFC 7523 §2.1
ASSERTION_REFUSED = unauthorized("assertion_refused", "The assertion is not valid.")  # RFC 7523 §3.1
SUBJECT_TOKEN_MISSING = bad_request(  # RFC 8693 §2.1
    "subject_token_missing", "The 'subject_token' and 'subject_token_type' attributes are required."
)
TOKEN_TYPE_UNKNOWN = bad_request(  # RFC 8693 §2.1, §2.2.2
    "token_type_unknown", "A token type is not supported or is missing its token."
)
EXCHANGE_REFUSED = bad_request(  # RFC 8693 §2.2.2
    "exchange_refused", "A token in the request is not acceptable."
)
