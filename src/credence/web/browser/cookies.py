"""The cookies of a browser: `__Host-`, so that no sibling host can set them (RFC 6265bis §4.1.3.2, D28)."""

from collections.abc import Mapping

SESSION = "__Host-credence-session"
"""The id of the session of the person."""

VISITOR = "__Host-credence-visitor"
"""A random value of this browser, to which its forms are bound before anybody has signed in."""

SITE = "__Host-credence-"
"""Followed by the name of a site of screens: the id of a person's session there."""

_ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax"
"""Lax: a person who comes from an application's site is still signed in."""


def read_cookie(headers: Mapping[str, str], name: str) -> str | None:
    """Return the value of a cookie; None without it, or with two of the name.

    Only a semicolon ends a cookie, and only spaces and tabs around it are left out (RFC 6265 §4.2.1). A sibling host may set
    a cookie whose value has a comma and then one of ours, or whose name begins with another white space: neither is ours.
    """
    pairs = (pair.strip(" \t").partition("=") for pair in headers.get("cookie", "").split(";"))
    found = [value for each, _, value in pairs if each == name and value]
    return found[0] if len(found) == 1 else None


def set_cookie(name: str, value: str) -> tuple[str, str]:
    """Return the field that sets a cookie until the browser is closed."""
    return ("set-cookie", f"{name}={value}; {_ATTRIBUTES}")


def set_strict_cookie(name: str, value: str) -> tuple[str, str]:
    """Return the field that sets a cookie which no request from another site carries (D28)."""
    return ("set-cookie", f"{name}={value}; {_ATTRIBUTES.replace('Lax', 'Strict')}")


def delete_cookie(name: str) -> tuple[str, str]:
    """Return the field that deletes a cookie."""
    return ("set-cookie", f"{name}=; Max-Age=0; {_ATTRIBUTES}")
