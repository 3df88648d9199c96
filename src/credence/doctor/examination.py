"""Runs all checks in their order."""

from collections.abc import Callable, Iterator

from credence import paths
from credence.clock import Milliseconds
from credence.doctor import documents, proxy_headers, transport
from credence.doctor.finding import Finding, failure, ok
from credence.doctor.site import Site, Unreachable

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
