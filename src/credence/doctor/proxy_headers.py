"""Checks of the proxy: header names, sizes, and the caller's address (threats P17, A9, D2, D26)."""

import json

from credence import paths
from credence.doctor.finding import Finding, failure, ok, warning
from credence.doctor.site import Reply, Site
from credence.screening.limits import KIB, Limits

FORGED = "192.0.2.1"
"""An address reserved for documentation (RFC 5737), which no caller has."""

_LIMITS = Limits()
"""The limits of the service (D16)."""

_OTHER_FIELDS_BYTES = 2 * KIB
"""Part of the head reserved for the fields that the client and the proxy add."""

_UNKNOWN_CLIENT = "doctor"
_JSON = {"Content-Type": "application/json"}


def names_with_underscores(site: Site) -> Finding:
    """Send client_id and client_secret as headers: the refusal for missing ones means the proxy dropped them (spec §7.2).

    Without a username in the body the request is refused before any comparison or count (D3).
    """
    check = "headers with underscores"
    reply = site.request(
        "POST", paths.TOKEN, {**_JSON, "client_id": _UNKNOWN_CLIENT, "client_secret": _UNKNOWN_CLIENT}, b"{}"
    )
    if reply.status == 400 and "'username'" in reply.message:
        return ok(check, "client_id and client_secret arrive")
    if reply.status != 400 or "'client_id'" not in reply.message:
        return failure(check, _summary(reply), "Unexpected response of the token endpoint: read the proxy's log.")
    alias = site.request(
        "POST", paths.TOKEN, {**_JSON, "client-id": _UNKNOWN_CLIENT, "client-secret": _UNKNOWN_CLIENT}, b"{}"
    )
    arrive = "'username'" in alias.message
    return failure(
        check,
        f"the proxy drops client_id; client-id {'arrives' if arrive else 'is dropped as well'}",
        "nginx: underscores_in_headers on;",
        "HAProxy, Caddy: they drop none; remove a rule that deletes headers, or check the proxies in front of them.",
        *(("Until then clients can spell client-id, client-secret, grant-type, refresh-token.",) if arrive else ()),
    )


def caller_address(site: Site) -> Finding:
    """Check which kind of address the service takes for the caller's, and that a forged field does not change it."""
    check = "caller's address"
    overwrite = (
        "nginx: proxy_set_header X-Forwarded-For $remote_addr;",
        "HAProxy: http-request set-header X-Forwarded-For %[src]",
        "Caddy: header_up X-Forwarded-For {remote_host}",
    )
    plain = _caller(site.request("GET", paths.CALLER))
    forged = _caller(site.request("GET", paths.CALLER, {"X-Forwarded-For": FORGED}))
    if plain is None or forged is None:
        return failure(check, f"{paths.CALLER} does not respond", "The proxy must pass this path to the service.")
    if forged["caller"] == "documentation":
        return failure(
            check,
            f"a forged X-Forwarded-For is accepted: the service takes {FORGED} for the caller",
            *overwrite,
            "CREDENCE_TRUSTED_PROXIES may contain proxies only, not networks with callers.",
        )
    if plain["forwarded"] == "ignored":
        return failure(
            check,
            "the proxy forwards the caller's address but is not trusted: every caller has the proxy's address",
            "CREDENCE_TRUSTED_PROXIES: add the address from which the proxy connects.",
        )
    if plain["caller"] == "private" and plain["forwarded"] == "none":
        return warning(
            check,
            "a private address, and no proxy forwards another: correct only for a caller in the same network",
            *overwrite,
            "CREDENCE_TRUSTED_PROXIES: add the address from which the proxy connects.",
        )
    source = {"believed": "as the proxy forwards it", "none": "of the connection, no proxy in between"}[
        plain["forwarded"]
    ]
    return ok(check, f"{plain['caller']}, {source}; a forged one is ignored")


def largest_body(site: Site) -> Finding:
    """Send a body of the largest size the service accepts: the response must come from the service."""
    check = "body limit"
    size = _LIMITS.body
    body = json.dumps({"username": ""}).encode().ljust(size)
    reply = site.request(
        "POST", paths.TOKEN, {**_JSON, "client-id": _UNKNOWN_CLIENT, "client-secret": _UNKNOWN_CLIENT}, body
    )
    if reply.is_from_service and reply.status == 400:
        return ok(check, f"{size:,} octets reach the service")
    return failure(
        check,
        f"{size:,} octets do not reach the service: {_summary(reply)}",
        "nginx: client_max_body_size 32k;",
        "HAProxy: tune.bufsize 65536",
        "Caddy: request_body { max_size 32KB }",
    )


def largest_head(site: Site) -> Finding:
    """Send headers of nearly the largest size the service accepts: the response must come from the service."""
    check = "header limit"
    sent = [_LIMITS.header_field] * (_LIMITS.header_block // _LIMITS.header_field)
    sent[-1] -= _OTHER_FIELDS_BYTES
    names = [f"X-Doctor-{number}" for number in range(len(sent))]
    reply = site.request(
        "GET", paths.LIVE, {name: "x" * (size - len(name)) for name, size in zip(names, sent, strict=True)}
    )
    octets = f"{sum(sent):,} octets, {sent[0]:,} of them in one field,"
    if reply.is_from_service and reply.status == 200:
        return ok(check, f"{octets} reach the service")
    return failure(
        check,
        f"{octets} do not reach the service: {_summary(reply)}",
        "nginx: large_client_header_buffers 8 16k;",
        "HAProxy: tune.bufsize 65536",
        "Caddy: servers { max_header_size 64KB }",
    )


def _caller(reply: Reply) -> dict[str, str] | None:
    document = reply.document
    known = reply.status == 200 and isinstance(document, dict) and {"caller", "forwarded"} <= document.keys()
    return document if known else None


def _summary(reply: Reply) -> str:
    return f"{reply.status} {reply.message}".strip() + ("" if reply.is_from_service else " (not from the service)")
