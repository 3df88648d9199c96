"""Checks of public documents, caching and the clock (D12, D13, threats A12, T11)."""

import re

from credence import paths
from credence.clock import Milliseconds
from credence.clock_tolerances import DOCTOR_TOLERANCE_MS
from credence.doctor.finding import Finding, failure, ok, warning
from credence.doctor.site import Reply, Site


def issuer(site: Site) -> Finding:
    """Compare the issuer in the provider configuration with the address used (OpenID Connect Discovery §4.3)."""
    check = "issuer"
    reply = site.request("GET", paths.CONFIGURATION)
    document = reply.document
    named = document.get("issuer") if isinstance(document, dict) else None
    if named == site.url:
        return ok(check, str(named))
    return failure(
        check,
        f"the provider configuration has {named!r}" if named else f"no provider configuration: {reply.status}",
        f"CREDENCE_BASE_URL={site.url}, or give doctor the address that clients use.",
    )


def public_documents_are_cacheable(site: Site) -> Finding:
    """Check that metadata and keys can be cached, and that a cached copy gets 304 (D12, D13)."""
    check = "caching of public documents"
    for path in (paths.CONFIGURATION, paths.KEYS):
        first = site.request("GET", path)
        age = re.search(r"max-age=([0-9]+)", first.headers.get("cache-control", ""))
        tag = first.headers.get("etag")
        if first.status != 200 or age is None or tag is None:
            return failure(check, f"{path}: {first.status}, no max-age or no ETag", *_LEAVE_ALONE)
        again = site.request("GET", path, {"If-None-Match": tag})
        if again.status != 304:
            return warning(check, f"{path}: {again.status} instead of 304 for a cached copy", *_LEAVE_ALONE)
    return ok(check, "both can be cached, and a cached copy gets 304")


def tokens_are_not_cacheable(site: Site) -> Finding:
    """Check that responses of the token endpoint cannot be cached or read by other origins (threats A12, E5)."""
    check = "caching of tokens"
    reply = site.request(
        "POST", paths.TOKEN, {"Content-Type": "application/json", "Origin": "https://doctor.invalid"}, b"{}"
    )
    cache_control = reply.headers.get("cache-control", "")
    allowed = reply.headers.get("access-control-allow-origin")
    if "no-store" not in cache_control or "max-age" in cache_control:
        return failure(check, f"Cache-Control is {cache_control!r}", *_LEAVE_ALONE)
    if allowed is not None:
        return failure(check, f"Access-Control-Allow-Origin is {allowed!r}", "Remove the CORS rule from the proxy.")
    return ok(check, "no-store, and no other origin can read them")


def clock(site: Site, now: Milliseconds) -> Finding:
    """Compare the service's clock with this machine's; `now` is the time at which the checks began."""
    check = "clock"
    reply = site.request("GET", paths.CALLER)
    served = _time(reply)
    if served is None:
        return failure(check, f"{paths.CALLER} does not respond", "The proxy must pass this path to the service.")
    # `now` was read at the start, so the service appears ahead by the duration of the checks so far.
    ahead = served - now
    if -DOCTOR_TOLERANCE_MS <= ahead <= DOCTOR_TOLERANCE_MS:
        return ok(check, "within five seconds of this machine's")
    word = "ahead of" if ahead > 0 else "behind"
    return warning(check, f"{abs(ahead) // 1000} s {word} this machine's", "Synchronise both machines by NTP.")


def _time(reply: Reply) -> Milliseconds | None:
    document = reply.document
    time = document.get("time") if isinstance(document, dict) else None
    return time if isinstance(time, int) else None


_LEAVE_ALONE = (
    "nginx: no proxy_cache, expires, add_header Cache-Control or proxy_hide_header for this site.",
    "HAProxy: no http-request cache-use and no http-response set-header cache-control.",
    "Caddy: no header directive for Cache-Control or ETag.",
)
