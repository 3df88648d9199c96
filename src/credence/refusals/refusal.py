"""What a row of the error table has, and the exception that carries one to the pipeline (spec §7, D9).

The caller gets `message`, the log gets `reason`, which distinguishes refusals with the same message.
"""

from dataclasses import dataclass, replace

SUPPORT_EMAIL = "<SUPPORT_EMAIL>"
"""Placeholder in a message for the support address, which is a setting (D9)."""

NOT_ALLOWED = "Access to the requested resource is not allowed."
"""The message that several rows of the specification share (spec §7)."""


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


def bad_request(name: str, message: str, oauth_error: str = "invalid_request") -> Refusal:
    """Return a row with status 400 in both dialects."""
    return Refusal(name, 400, "Bad Request", message, oauth_error)


def unauthorized(name: str, message: str, oauth_error: str = "invalid_grant", oauth_status: int = 400) -> Refusal:
    """Return a row with status 401 in the house dialect."""
    return Refusal(name, 401, "Unauthorized", message, oauth_error, oauth_status)
