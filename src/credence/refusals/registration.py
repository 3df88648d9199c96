"""Refusals of client registration (RFC 7591, RFC 7592)."""

from credence.refusals.refusal import Refusal, bad_request, unauthorized

INVALID_CLIENT_METADATA = bad_request(  # RFC 7591 §3.2.2
    "invalid_client_metadata", "The client metadata cannot be registered.", "invalid_client_metadata"
)
INVALID_REDIRECT_URI = bad_request(  # RFC 7591 §3.2.2
    "invalid_redirect_uri", "A redirect URI cannot be registered, or is missing.", "invalid_redirect_uri"
)
REGISTRATION_CHANGED = Refusal(  # threats E10
    "registration_changed", 409, "Conflict", "The registration has been changed in the meantime.", oauth_status=409
)
REGISTRATIONS_TOO_MANY = Refusal(  # RFC 6585 §4
    "registrations_too_many",
    429,
    "Too Many Requests",
    "There are too many registrations. Try again after the number of seconds in 'Retry-After'.",
    "temporarily_unavailable",
    429,
)
REGISTRATION_TOKEN_INVALID = unauthorized(  # RFC 7591 §3.2.2, RFC 7592 §2, RFC 6750 §3.1
    "registration_token_invalid", "Access token is Invalid.", "invalid_token", 401
)
