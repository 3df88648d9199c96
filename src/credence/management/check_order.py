"""The checks of a request, by the protection of its route, in the order of `web/pipeline.py` and the endpoints (D3)."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckKind:
    """One check. `reasons` are the reason codes with which it refuses a request, or prefixes of them."""

    name: str
    rule: str
    reasons: tuple[str, ...]


HEAD = (
    CheckKind("route", "A route has the path, letter for letter.", ("path.",)),
    CheckKind("method", "The route has the method.", ("method.",)),
    CheckKind(
        "size and form",
        "URL, header fields and body are of a size and form that HTTP and D3 allow.",
        ("url.", "header.", "body.", "query.repeated"),
    ),
)
_SCREENING = CheckKind("patterns", "No value has the form of an attack.", ("pattern.",))
_SPIKE = CheckKind("rate", "Application, account and address stay below their rates (D16).", ("spike.",))
_NETWORK = CheckKind("network", "The address is in the networks of application and account (D15).", ("access.network",))
_HOURS = CheckKind("hours", "The hour is in the windows of application and account (D15).", ("access.hours",))
_TOKEN_KEY = CheckKind(
    "key of the token",
    "A bound token comes with its key or certificate.",
    ("dpop.", "token.bound", "token.not_bound", "certificate."),
)
_SIGN_IN = CheckKind("sign-in", "The person signed in strongly and recently enough (RFC 9470).", ("step_up.",))
_ENDPOINT = CheckKind("endpoint", "What the request is about exists and may be had.", ("",))

CHECKS: Mapping[str, tuple[CheckKind, ...]] = {
    "public": (*HEAD, _ENDPOINT),
    "browser": (*HEAD, _SPIKE, _ENDPOINT),
    "person": (*HEAD, _SPIKE, _NETWORK, _HOURS, _SIGN_IN, _ENDPOINT),
    "registration": (*HEAD, _SCREENING, _ENDPOINT),
    "client": (
        *HEAD,
        CheckKind("media type", "The body has a media type of the route.", ("media_type.",)),
        CheckKind(
            "structure",
            "The body is well-formed, and each attribute is text that occurs once.",
            ("form.", "json.", "xml."),
        ),
        _SCREENING,
        CheckKind(
            "attributes",
            "The attributes of the grant are there.",
            (
                "client.missing",
                "client.conflicting_values",
                "grant_type.unknown",
                "password.attribute",
                "refresh_token.attribute",
                "token_exchange.attribute",
                "authorization_code.attribute",
                "device_code.attribute",
                "token.missing",
            ),
        ),
        _SPIKE,
        CheckKind(
            "client",
            "The application is enabled, and proves who it is by its method.",
            ("client.", "assertion.", "certificate."),
        ),
        CheckKind("grant", "The application may use the grant.", ("grant_type.",)),
        _TOKEN_KEY,
        CheckKind(
            "password, code or token",
            "What the grant exchanges is valid.",
            ("password.", "refresh_token.", "code.", "exchange.", "device_code."),
        ),
        CheckKind("account", "The account is active.", ("account.",)),
        _NETWORK,
        _HOURS,
        CheckKind(
            "scope and resource", "The application may have the scopes, for the resource.", ("scope.", "resource.")
        ),
        _ENDPOINT,
    ),
    "bearer": (
        *HEAD,
        _SCREENING,
        CheckKind(
            "token",
            "The access token is valid, of this service, and its owners are active.",
            ("bearer.", "token.", "resource.not_granted"),
        ),
        _TOKEN_KEY,
        _SPIKE,
        _NETWORK,
        _HOURS,
        _SIGN_IN,
        CheckKind("scope", "The token has the scope of the route (RFC 6750 §3.1).", ("scope.insufficient",)),
        _ENDPOINT,
    ),
}
"""Protection of a route -> its checks in order.

A refusal belongs to the check with the longest prefix of its reason code.
"""
