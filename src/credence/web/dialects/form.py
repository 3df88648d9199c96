"""Reads a form (RFC 6749 appendix B): flat, each name once but for those that may repeat."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from credence.crypto.jws import LONGEST_TOKEN
from credence.refusals import THREAT, Refused
from credence.screening.limits import Limits

TOKENS = frozenset({"refresh_token", "token", "access_token", "subject_token", "actor_token", "client_assertion"})
"""May be as long as a token may be (threats T10), which is longer than other text."""

REPEATABLE = frozenset({"resource", "audience"})
"""May come more than once (RFC 8707 §2, RFC 8693 §2.1)."""


def read_form(body: bytes, limits: Limits) -> Mapping[str, str | list[str]]:
    """Return the fields, each that may repeat as a list; Refused as a threat when the body is no such form."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=limits.members,
        )
    except ValueError:  # a pair without "=", foreign octets, bad UTF-8, too many fields
        raise Refused(THREAT, "form.syntax") from None
    fields: dict[str, str] = {}
    repeated: dict[str, list[str]] = {}
    for name, value in pairs:
        if len(name) > limits.name or len(value) > (LONGEST_TOKEN if name in TOKENS else limits.string):
            raise Refused(THREAT, "form.string")
        if "\0" in name or "\0" in value:
            raise Refused(THREAT, "form.character")
        if name in REPEATABLE:
            repeated.setdefault(name, []).append(value)
        elif name in fields:  # RFC 6749 §3.1: a parameter comes once
            raise Refused(THREAT, "form.repeated")
        else:
            fields[name] = value
    return {**fields, **repeated}
