"""Refusals of JSON resources, which are written as problem details (RFC 9457)."""

from credence.refusals.refusal import Refusal


def _of_resource(name: str, status: int, title: str, message: str) -> Refusal:
    return Refusal(name, status, title, message, oauth_status=status)


RESOURCE_UNKNOWN = _of_resource(
    "resource_unknown", 404, "Not Found", "The resource does not exist or belongs to another owner."
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
    "precondition_failed", 412, "Precondition Failed", "The version of the resource is not the one that If-Match names."
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
    "signals_too_many", 429, "Too Many Requests", "The stream cannot take more of these for now."
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
