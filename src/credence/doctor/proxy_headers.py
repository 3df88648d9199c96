"""Do requests arrive as they were sent, and from whom? Header names, sizes, the caller's address (P17, A9, D2, D26)."""

import json

from credence import paths
from credence.doctor.finding import Finding, doubtful, fine, wrong
from credence.doctor.site import Reply, Site
from credence.screening.limits import KIB, Limits

FORGED = "192.0.2.1"
"""An address for documentation (RFC 5737), from which no caller comes."""

_LIMITS = Limits()
"""What the service reads (D16)."""

_REST = 2 * KIB
"""Octets of a head left for the fields that come by themselves."""

_NOBODY = "doctor"
_JSON = {"Content-Type": "application/json"}


def names_with_underscores(site: Site) -> Finding:
    """Send client_id and client_secret as headers: a refusal that misses them says that they were dropped (spec §7.2).

    There is no username in the body, so the refusal comes before anything is compared or counted (D3).
    """
    check = "headers with underscores"
    reply = site.ask("POST", paths.TOKEN, {**_JSON, "client_id": _NOBODY, "client_secret": _NOBODY}, b"{}")
    if reply.status == 400 and "'username'" in reply.message:
        return fine(check, "client_id and client_secret arrive")
    if reply.status != 400 or "'client_id'" not in reply.message:
        return wrong(check, _said(reply), "The token endpoint does not answer as it should: look at the proxy's log.")
    alias = site.ask("POST", paths.TOKEN, {**_JSON, "client-id": _NOBODY, "client-secret": _NOBODY}, b"{}")
    arrive = "'username'" in alias.message
    return wrong(
        check,
        f"client_id is dropped on the way; client-id {'arrives' if arrive else 'is dropped too'}",
        "nginx: underscores_in_headers on;",
        "HAProxy, Caddy: they drop none; look for a rule that deletes headers, or for something before them.",
        *(("Until then clients can spell client-id, client-secret, grant-type, refresh-token.",) if arrive else ()),
    )


def caller_address(site: Site) -> Finding:
    """Ask what kind of address the service takes the caller for, and whether it can be told another one."""
    check = "caller's address"
    overwrite = (
        "nginx: proxy_set_header X-Forwarded-For $remote_addr;",
        "HAProxy: http-request set-header X-Forwarded-For %[src]",
        "Caddy: header_up X-Forwarded-For {remote_host}",
    )
    plain = _origin(site.ask("GET", paths.CALLER))
    forged = _origin(site.ask("GET", paths.CALLER, {"X-Forwarded-For": FORGED}))
    if plain is None or forged is None:
        return wrong(check, f"{paths.CALLER} does not answer", "The proxy must pass this path to the service.")
    if forged["caller"] == "documentation":
        return wrong(
            check,
            f"a forged X-Forwarded-For gets through: the service takes the caller for {FORGED}",
            *overwrite,
            "CREDENCE_TRUSTED_PROXIES must name the proxies alone, not networks that callers are in.",
        )
    if plain["forwarded"] == "ignored":
        return wrong(
            check,
            "the proxy says who is calling and is not believed: every caller has the proxy's address",
            "CREDENCE_TRUSTED_PROXIES: name the address from which the proxy connects.",
        )
    if plain["caller"] == "private" and plain["forwarded"] == "none":
        return doubtful(
            check,
            "a private address, and no proxy said another: right only if you call from the same network",
            *overwrite,
            "CREDENCE_TRUSTED_PROXIES: name the address from which the proxy connects.",
        )
    said = {"believed": "as the proxy says", "none": "as the service sees it, no proxy between"}[plain["forwarded"]]
    return fine(check, f"{plain['caller']}, {said}; a forged one is ignored")


def largest_body(site: Site) -> Finding:
    """Send a body of the size that the service still reads: it must be the service that answers."""
    check = "body limit"
    size = _LIMITS.body
    body = json.dumps({"username": ""}).encode().ljust(size)
    reply = site.ask("POST", paths.TOKEN, {**_JSON, "client-id": _NOBODY, "client-secret": _NOBODY}, body)
    if reply.ours and reply.status == 400:
        return fine(check, f"{size:,} octets reach the service")
    return wrong(
        check,
        f"{size:,} octets do not reach the service: {_said(reply)}",
        "nginx: client_max_body_size 32k;",
        "HAProxy: tune.bufsize 65536",
        "Caddy: request_body { max_size 32KB }",
    )


def largest_head(site: Site) -> Finding:
    """Send headers of nearly the size that the service still reads: it must be the service that answers."""
    check = "header limit"
    sent = [_LIMITS.header_field] * (_LIMITS.header_block // _LIMITS.header_field)
    sent[-1] -= _REST
    names = [f"X-Doctor-{number}" for number in range(len(sent))]
    reply = site.ask(
        "GET", paths.LIVE, {name: "x" * (size - len(name)) for name, size in zip(names, sent, strict=True)}
    )
    octets = f"{sum(sent):,} octets, {sent[0]:,} of them in one field,"
    if reply.ours and reply.status == 200:
        return fine(check, f"{octets} reach the service")
    return wrong(
        check,
        f"{octets} do not reach the service: {_said(reply)}",
        "nginx: large_client_header_buffers 8 16k;",
        "HAProxy: tune.bufsize 65536",
        "Caddy: servers { max_header_size 64KB }",
    )


def _origin(reply: Reply) -> dict[str, str] | None:
    document = reply.document
    known = reply.status == 200 and isinstance(document, dict) and {"caller", "forwarded"} <= document.keys()
    return document if known else None


def _said(reply: Reply) -> str:
    return f"{reply.status} {reply.message}".strip() + ("" if reply.ours else " (not from the service)")
