"""What is published and what must not be kept: issuer, caching, the clock (D12, D13, A12, T11)."""

import re

from credence import paths
from credence.clock import Milliseconds
from credence.doctor.finding import Finding, doubtful, fine, wrong
from credence.doctor.site import Reply, Site

CLOCK_MAY_DIFFER = 5_000
"""Milliseconds; a token from ten seconds ahead is still accepted by its verifiers (threats T11)."""


def issuer(site: Site) -> Finding:
    """Compare the issuer in the provider configuration with the address used (OpenID Connect Discovery §4.3)."""
    check = "issuer"
    reply = site.ask("GET", paths.CONFIGURATION)
    document = reply.document
    named = document.get("issuer") if isinstance(document, dict) else None
    if named == site.url:
        return fine(check, str(named))
    return wrong(
        check,
        f"the provider configuration says {named!r}" if named else f"no provider configuration: {reply.status}",
        f"CREDENCE_BASE_URL={site.url}, or give doctor the address that clients use.",
    )


def public_documents_are_kept(site: Site) -> Finding:
    """See that discovery and keys may be kept for a while, and that 304 answers one who holds them (D12, D13)."""
    check = "caching of public documents"
    for path in (paths.CONFIGURATION, paths.KEYS):
        first = site.ask("GET", path)
        age = re.search(r"max-age=([0-9]+)", first.headers.get("cache-control", ""))
        tag = first.headers.get("etag")
        if first.status != 200 or age is None or tag is None:
            return wrong(check, f"{path}: {first.status}, no max-age or no ETag", *_LEAVE_ALONE)
        again = site.ask("GET", path, {"If-None-Match": tag})
        if again.status != 304:
            return doubtful(check, f"{path}: {again.status} instead of 304 to one who holds it", *_LEAVE_ALONE)
    return fine(check, "both may be kept, and 304 says that a copy is good")


def tokens_are_not_kept(site: Site) -> Finding:
    """See that what the token endpoint says may not be kept, nor be read by pages of another origin (A12, E5)."""
    check = "caching of tokens"
    reply = site.ask(
        "POST", paths.TOKEN, {"Content-Type": "application/json", "Origin": "https://doctor.invalid"}, b"{}"
    )
    kept = reply.headers.get("cache-control", "")
    allowed = reply.headers.get("access-control-allow-origin")
    if "no-store" not in kept or "max-age" in kept:
        return wrong(check, f"Cache-Control is {kept!r}", *_LEAVE_ALONE)
    if allowed is not None:
        return wrong(check, f"Access-Control-Allow-Origin is {allowed!r}", "Take the CORS rule out of the proxy.")
    return fine(check, "no-store, and no other origin may read it")


def clock(site: Site, now: Milliseconds) -> Finding:
    """Compare the service's clock with this machine's, as it was when the examination began."""
    check = "clock"
    reply = site.ask("GET", paths.CALLER)
    told = _time(reply)
    if told is None:
        return wrong(check, f"{paths.CALLER} does not answer", "The proxy must pass this path to the service.")
    # `now` was read before: the service may be ahead by the time that the examination has taken so far.
    ahead = told - now
    if -CLOCK_MAY_DIFFER <= ahead <= CLOCK_MAY_DIFFER:
        return fine(check, "within five seconds of this machine's")
    word = "ahead of" if ahead > 0 else "behind"
    return doubtful(check, f"{abs(ahead) // 1000} s {word} this machine's", "Have both machines keep time by NTP.")


def _time(reply: Reply) -> Milliseconds | None:
    document = reply.document
    told = document.get("time") if isinstance(document, dict) else None
    return told if isinstance(told, int) else None


_LEAVE_ALONE = (
    "nginx: no proxy_cache, expires, add_header Cache-Control or proxy_hide_header for this site.",
    "HAProxy: no http-request cache-use and no http-response set-header cache-control.",
    "Caddy: no header directive for Cache-Control or ETag.",
)
