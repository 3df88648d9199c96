"""What carries the requests: HTTPS and nothing older or plainer (E6, spec §5.11)."""

import socket
import ssl
import warnings
from http.client import HTTPConnection
from ipaddress import ip_address

from credence import paths
from credence.clock import Milliseconds
from credence.doctor.finding import Finding, doubtful, fine, wrong
from credence.doctor.site import WAIT, Site, Unreachable, asked

_DAY = 86_400_000

RENEW_DAYS = 21
"""A certificate that is renewed by itself has more than this left."""


def protocols(site: Site) -> Finding:
    """See that TLS 1.2 and 1.3 are spoken and nothing older (RFC 8996)."""
    check = "TLS versions"
    if not site.secure:
        return _plain(check, site)
    spoken = [name for name, version in _VERSIONS.items() if _speaks(site, version)]
    only = (
        "nginx: ssl_protocols TLSv1.2 TLSv1.3;",
        "HAProxy: ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets",
        "Caddy: tls { protocols tls1.2 tls1.3 }",
    )
    if {"TLS 1.0", "TLS 1.1"} & set(spoken):
        return wrong(check, f"{', '.join(spoken)} are spoken", *only)
    if "TLS 1.3" not in spoken:
        return doubtful(check, f"{', '.join(spoken) or 'none'} is spoken, TLS 1.3 is not", *only)
    return fine(check, f"{', '.join(spoken)}; nothing older")


def certificate(site: Site, now: Milliseconds) -> Finding:
    """See how long the certificate is still good. That it verifies is settled: without that, nothing was asked."""
    check = "certificate"
    if not site.secure:
        return _plain(check, site)
    with (
        socket.create_connection((site.host, site.port), timeout=WAIT) as plain,
        site.trust.wrap_socket(plain, server_hostname=site.host) as connection,
    ):
        presented = connection.getpeercert() or {}
    ends = presented.get("notAfter")
    if not isinstance(ends, str):
        return wrong(check, "none was presented")
    days = (ssl.cert_time_to_seconds(ends) * 1000 - now) // _DAY
    if days < RENEW_DAYS:
        return doubtful(check, f"{days:.0f} days left", "Renew it, and see why it was not renewed by itself.")
    return fine(check, f"verifies, {days:.0f} days left")


def plain_http(site: Site) -> Finding:
    """See that the service cannot be had without TLS: on port 80, or on the port of the address when it names one."""
    check = "plain HTTP"
    if not site.secure:
        return _plain(check, site)
    port = 80 if site.port == 443 else site.port
    try:
        reply = asked(HTTPConnection(site.host, port, timeout=WAIT), "GET", paths.LIVE, {})
    except Unreachable:
        return fine(check, f"no answer on port {port}")
    if reply.headers.get("location", "").startswith("https://"):
        return fine(check, f"port {port} points to HTTPS")
    if reply.status >= 400 and not reply.ours:
        return fine(check, f"port {port} refuses it")
    return wrong(
        check,
        f"port {port} answers {reply.status} without TLS",
        "nginx: return 301 https://$host$request_uri;",
        "HAProxy: http-request redirect scheme https code 301 unless { ssl_fc }",
        "Caddy: nothing to add; take the http:// site out.",
    )


_VERSIONS = {
    "TLS 1.0": ssl.TLSVersion.TLSv1,
    "TLS 1.1": ssl.TLSVersion.TLSv1_1,
    "TLS 1.2": ssl.TLSVersion.TLSv1_2,
    "TLS 1.3": ssl.TLSVersion.TLSv1_3,
}


def _speaks(site: Site, version: ssl.TLSVersion) -> bool:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # nothing is sent: only whether the other side agrees is asked
    context.verify_mode = ssl.CERT_NONE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # to ask for an old version is the point
        context.minimum_version = context.maximum_version = version
    context.set_ciphers("ALL:@SECLEVEL=0")
    try:
        with (
            socket.create_connection((site.host, site.port), timeout=WAIT) as plain,
            context.wrap_socket(plain, server_hostname=site.host),
        ):
            return True
    except OSError:
        return False


def _plain(check: str, site: Site) -> Finding:
    if _is_loopback(site.host):
        return doubtful(check, "plain HTTP, which is well on this machine alone")
    return wrong(check, "plain HTTP: passwords and tokens go over the wire in clear", "Give doctor the HTTPS address.")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
