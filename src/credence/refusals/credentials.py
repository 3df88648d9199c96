"""Refusals of client authentication, passwords, access tokens and their keys (spec §7, RFC 6749 §5.2, RFC 6750 §3.1)."""

from dataclasses import replace

from credence.refusals.refusal import NOT_ALLOWED, SUPPORT_EMAIL, Refusal, bad_request, unauthorized

CLIENT_MISSING = Refusal(  # RFC 6749 §5.2: in the standard dialect no client authentication is invalid_client
    "client_missing",
    400,
    "Bad Request",
    "The 'client_id' and 'client_secret' attributes are required.",
    "invalid_client",
    401,
)
WRONG_CLIENT = unauthorized(
    "wrong_client", "Access is denied due to invalid client id or client secret.", "invalid_client", 401
)
AUTHENTICATION_FAILED = unauthorized("authentication_failed", NOT_ALLOWED, "invalid_client", 401)
CLIENT_PROVES_TWICE = bad_request(  # RFC 6749 §2.3, §5.2
    "client_proves_twice", "The client must be authenticated in one way only."
)
CERTIFICATE_MISSING = bad_request(  # RFC 8705 §3
    "certificate_missing", "The tokens of this application are bound to the certificate of the connection."
)
USER_MISSING = bad_request("user_missing", "The 'username' and 'password' attributes are required.")
WRONG_USER = unauthorized("wrong_user", "Access is denied due to invalid username or password.")
ACCOUNT_NOT_ACTIVE = unauthorized(
    "account_not_active",
    f"Your account is in invalid state. For further assistance, please contact {SUPPORT_EMAIL}",
)
INVALID_TOKEN = unauthorized("invalid_token", "Access token is Invalid.")
REFRESH_TOKEN_REFUSED = replace(  # the row of INVALID_TOKEN; the description is for the program that sent it (RFC 6749 §5.2)
    INVALID_TOKEN,
    description="The refresh token is not valid and never will be again. Do not repeat it: start a new authorization.",
)
BEARER_MALFORMED = bad_request(  # RFC 6750 §3.1
    "bearer_malformed", "The access token must be sent once: in the 'Authorization' header or in a form."
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
INVALID_DPOP_PROOF = unauthorized(  # RFC 9449 §5.1, §7.1
    "invalid_dpop_proof", "The DPoP proof is invalid.", "invalid_dpop_proof"
)
USE_DPOP_NONCE = unauthorized(  # RFC 9449 §8, §9
    "use_dpop_nonce", "The DPoP proof must hold the nonce of the DPoP-Nonce header.", "use_dpop_nonce"
)
DPOP_REQUIRED = bad_request(  # RFC 9449 §5.2
    "dpop_required", "The application must ask for tokens with a DPoP proof.", "invalid_dpop_proof"
)
