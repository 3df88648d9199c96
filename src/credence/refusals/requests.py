"""Refusals of any request, before its credentials or its subject are judged, and of a service at fault (spec §7)."""

from dataclasses import replace

from credence.refusals.refusal import NOT_ALLOWED, SUPPORT_EMAIL, Refusal, bad_request, unauthorized

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
    FORM_UNSUPPORTED, name="form_charset", description="A form must be encoded in UTF-8."
)
NOT_FOUND = Refusal(  # D22
    "not_found", 404, "Not Found", "The requested resource was not found.", oauth_status=404
)
HOST_MALFORMED = bad_request("host_malformed", "The request must have one 'Host' header.")  # RFC 9112 §3.2
MISDIRECTED = Refusal(  # RFC 9110 §15.5.20, threats P12
    "misdirected",
    421,
    "Misdirected Request",
    "The service is not reached under the host of this request.",
    oauth_status=421,
)
THREAT = unauthorized("threat", NOT_ALLOWED, "invalid_request")
# The specification answers a request over its rate with 401 (D16); so does the standard dialect.
SPIKE_ARREST = unauthorized("spike_arrest", NOT_ALLOWED, "temporarily_unavailable", 401)
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
STORE_DAMAGED = Refusal(  # threats F2
    "store_damaged",
    503,
    "Service Unavailable",
    f"The service cannot answer until its operator has repaired it. Please contact {SUPPORT_EMAIL}",
    "temporarily_unavailable",
    503,
)
