"""The check of what applications were allowed for the sake of old programs (D35)."""

from collections.abc import Iterable

from credence.doctor.finding import Finding, ok, warning
from credence.store.records import Application

_CHECK = "PKCE of applications"
_NAMED = 10
"""The most applications that the finding names."""


def without_pkce(applications: Iterable[Application]) -> Finding:
    """Return a warning that names the enabled applications whose sign-ins need neither PKCE nor a nonce (RFC 9700 §4.5)."""
    found = [f"{each.name} ({each.client_id})" for each in applications if each.pkce == "off" and not each.disabled]
    if not found:
        return ok(_CHECK, "all need PKCE or a nonce")
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return warning(
        _CHECK,
        f"off for {', '.join(found[:_NAMED])}{more}: a stolen code could be injected into their sign-ins",
        "Switch PKCE or a nonce on in the program, and then: credence app set CLIENT_ID --pkce or_nonce",
    )
