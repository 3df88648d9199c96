"""The cookies of a browser, with the prefix `__Host-`, so that no sibling host can set them (RFC 6265bis §4.1.3.2, D28)."""

from collections.abc import Mapping

SESSION = "__Host-credence-session"
"""Cookie with the id of the person's session."""

VISITOR = "__Host-credence-visitor"
"""Cookie with a random value of this browser, to which its forms are bound before a person signs in."""

KNOWN_BROWSER = "__Host-credence-known"
"""Cookie of a browser in which people have signed in before. It is kept when the browser is closed."""

SITE = "__Host-credence-"
"""Prefix of the session cookie of a site; the name of the site follows."""

_ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax"
"""Attributes of the cookies. With SameSite=Lax a person who comes from an application's site is still signed in."""


def read_cookie(headers: Mapping[str, str], name: str) -> str | None:
    """Return the value of a cookie; None if it is missing or occurs twice.

    Only a semicolon ends a cookie, and only spaces and tabs around it are removed (RFC 6265 §4.2.1). A sibling host may
    set a cookie whose value contains a comma and one of our names, or whose name begins with other white space: neither
    is accepted.
    """
    if "cookie" not in headers:
        return None
    pairs = (pair.strip(" \t").partition("=") for pair in headers["cookie"].split(";"))
    found = [value for each, _, value in pairs if each == name and value]
    return found[0] if len(found) == 1 else None


def set_cookie(name: str, value: str) -> tuple[str, str]:
    """Return the header field that sets a cookie until the browser is closed."""
    return ("set-cookie", f"{name}={value}; {_ATTRIBUTES}")


def set_strict_cookie(name: str, value: str) -> tuple[str, str]:
    """Return the header field that sets a cookie which the browser sends with no request from another site (D28)."""
    return ("set-cookie", f"{name}={value}; {_ATTRIBUTES.replace('Lax', 'Strict')}")


def set_kept_cookie(name: str, value: str, seconds: int) -> tuple[str, str]:
    """Return the header field that sets a strict cookie for a number of seconds, also when the browser is closed."""
    name_of_field, content = set_strict_cookie(name, value)
    return (name_of_field, f"{content}; Max-Age={seconds}")


def delete_cookie(name: str) -> tuple[str, str]:
    """Return the header field that deletes a cookie."""
    return ("set-cookie", f"{name}=; Max-Age=0; {_ATTRIBUTES}")
