"""Refusals of client registration (RFC 7591, RFC 7592)."""

from credence.refusals.refusal import Refusal, bad_request, because, unauthorized

INVALID_CLIENT_METADATA = bad_request(  # RFC 7591 §3.2.2
    "invalid_client_metadata", "The client metadata cannot be registered.", "invalid_client_metadata"
)
NAME_NOT_ALLOWED = because(
    INVALID_CLIENT_METADATA,
    "The client_name must not have quotation marks, mix scripts, or look like the name of the service's operator.",
)
INVALID_REDIRECT_URI = bad_request(  # RFC 7591 §3.2.2
    "invalid_redirect_uri", "A redirect URI cannot be registered, or is missing.", "invalid_redirect_uri"
)
REGISTRATION_CHANGED = Refusal(  # threats E10
    "registration_changed", 409, "Conflict", "The registration has been changed meanwhile.", oauth_status=409
)
REGISTRATION_TOKEN_INVALID = unauthorized(  # RFC 7591 §3.2.2, RFC 7592 §2, RFC 6750 §3.1
    "registration_token_invalid", "Access token is Invalid.", "invalid_token", 401
)
