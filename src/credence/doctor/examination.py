"""Runs the checks of a site in their order, and those of the Python that runs the commands and of the applications (D35)."""

import sys
from collections.abc import Callable, Iterable, Iterator

from credence import paths
from credence.clock import Milliseconds
from credence.doctor import documents, proxy_headers, transport
from credence.doctor.finding import Finding, failure, ok, warning
from credence.doctor.site import Site, Unreachable
from credence.store.records import Application

Check = Callable[[], Finding]


def examine(site: Site, now: Milliseconds) -> Iterator[Finding]:
    """Yield a finding for each check; only the first when the site cannot be reached."""
    try:
        reply = site.request("GET", paths.LIVE)
    except Unreachable as error:
        if transport.needs_https(site):
            said, remedy = "no: the port speaks HTTPS only", f"Use https://{site.url.removeprefix('http://')}"
        else:
            said, remedy = f"no: {error}", "Is the address right, the proxy up, and its certificate trusted here?"
        yield failure("reached", said, remedy)
        return
    if not (reply.is_from_service and reply.status == 200):
        yield failure(
            "reached", f"{reply.status}, not from the service", "The proxy must pass this address to the service."
        )
        return
    yield ok("reached", site.url)
    checks: tuple[tuple[str, Check], ...] = (
        ("clock", lambda: documents.clock(site, now)),
        ("TLS versions", lambda: transport.protocols(site)),
        ("certificate", lambda: transport.certificate(site, now)),
        ("plain HTTP", lambda: transport.plain_http(site)),
        ("issuer", lambda: documents.issuer(site)),
        ("headers with underscores", lambda: proxy_headers.names_with_underscores(site)),
        ("caller's address", lambda: proxy_headers.caller_address(site)),
        ("body limit", lambda: proxy_headers.largest_body(site)),
        ("header limit", lambda: proxy_headers.largest_head(site)),
        ("caching of public documents", lambda: documents.public_documents_are_cacheable(site)),
        ("caching of tokens", lambda: documents.tokens_are_not_cacheable(site)),
    )
    for name, check in checks:
        try:
            yield check()
        except (Unreachable, OSError) as error:
            yield failure(name, f"no response: {error}", "The proxy's log has the reason why it closed the connection.")


_PYTHON = "Python"


def build_of_python(*, optimised: bool) -> Finding:
    """Return a warning if this Python was built without optimisations (docs/adr/speed.md, *The interpreter*)."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if optimised:
        return ok(_PYTHON, f"{version}, built with optimisations")
    return warning(
        _PYTHON,
        f"{version}, built without optimisations: an introspection takes a third longer",
        "Install Credence with the Python of your distribution, or with one configured with --enable-optimizations.",
    )


_PKCE = "PKCE of applications"
_NAMED = 10
"""The most applications that the finding names."""


def without_pkce(applications: Iterable[Application]) -> Finding:
    """Return a warning that names the enabled applications whose sign-ins need neither PKCE nor a nonce (RFC 9700 §4.5)."""
    found = [f"{each.name} ({each.client_id})" for each in applications if each.pkce == "off" and not each.disabled]
    if not found:
        return ok(_PKCE, "all need PKCE or a nonce")
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return warning(
        _PKCE,
        f"off for {', '.join(found[:_NAMED])}{more}: a stolen code could be injected into their sign-ins",
        "Switch PKCE or a nonce on in the program, and then: credence app set CLIENT_ID --pkce or_nonce",
    )
