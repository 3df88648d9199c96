"""Checks of TLS versions, the certificate and plain HTTP (threats E6, spec §5.11)."""

import socket
import ssl
import warnings
from http.client import HTTPConnection
from ipaddress import ip_address

from credence import paths
from credence.clock import Milliseconds
from credence.doctor.finding import Finding, failure, ok, warning
from credence.doctor.site import TIMEOUT_SECONDS, Site, Unreachable, send

_DAY_MS = 86_400_000

RENEWAL_DAYS = 21
"""A certificate with automatic renewal is valid for longer than this."""


def protocols(site: Site) -> Finding:
    """Check that TLS 1.2 and 1.3 are offered and no older version (RFC 8996)."""
    check = "TLS versions"
    if not site.secure:
        return _without_tls(check, site)
    offered = [name for name, version in _VERSIONS.items() if _offers(site, version)]
    only = (
        "nginx: ssl_protocols TLSv1.2 TLSv1.3;",
        "HAProxy: ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets",
        "Caddy: tls { protocols tls1.2 tls1.3 }",
    )
    if {"TLS 1.0", "TLS 1.1"} & set(offered):
        return failure(check, f"{', '.join(offered)} are offered", *only)
    if "TLS 1.3" not in offered:
        return warning(check, f"{', '.join(offered) or 'none'} is offered, TLS 1.3 is not", *only)
    return ok(check, f"{', '.join(offered)}; nothing older")


def needs_https(site: Site) -> bool:
    """Return whether the address has http:// and its port speaks TLS.

    Such a port answers plain HTTP with an alert (RFC 8446 §6).
    """
    return not site.secure and any(_offers(site, _VERSIONS[name]) for name in ("TLS 1.2", "TLS 1.3"))


def certificate(site: Site, now: Milliseconds) -> Finding:
    """Check how long the certificate is valid. An earlier request has already verified it."""
    check = "certificate"
    if not site.secure:
        return _without_tls(check, site)
    with (
        socket.create_connection(site.address, timeout=TIMEOUT_SECONDS) as plain,
        site.trust.wrap_socket(plain, server_hostname=site.host) as connection,
    ):
        presented = connection.getpeercert() or {}
    ends = presented.get("notAfter")
    if not isinstance(ends, str):
        return failure(check, "none was presented")
    days = (ssl.cert_time_to_seconds(ends) * 1000 - now) // _DAY_MS
    if days < RENEWAL_DAYS:
        return warning(check, f"{days:.0f} days left", "Renew it, and check why it was not renewed automatically.")
    return ok(check, f"verifies, {days:.0f} days left")


def plain_http(site: Site) -> Finding:
    """Check that the service does not respond without TLS: on port 80, or on the port of the address if it has one."""
    check = "plain HTTP"
    if not site.secure:
        return _without_tls(check, site)
    host, port = site.address
    port = 80 if port == 443 else port
    try:
        reply = send(HTTPConnection(host, port, timeout=TIMEOUT_SECONDS), "GET", paths.LIVE, {"Host": site.host})
    except Unreachable:
        return ok(check, f"no response on port {port}")
    if reply.headers.get("location", "").startswith("https://"):
        return ok(check, f"port {port} redirects to HTTPS")
    if reply.status >= 400 and not reply.is_from_service:
        return ok(check, f"port {port} refuses it")
    return failure(
        check,
        f"port {port} responds {reply.status} without TLS",
        "nginx: return 301 https://$host$request_uri;",
        "HAProxy: http-request redirect scheme https code 301 unless { ssl_fc }",
        "Caddy: nothing to add; remove the http:// site.",
    )


_VERSIONS = {
    "TLS 1.0": ssl.TLSVersion.TLSv1,
    "TLS 1.1": ssl.TLSVersion.TLSv1_1,
    "TLS 1.2": ssl.TLSVersion.TLSv1_2,
    "TLS 1.3": ssl.TLSVersion.TLSv1_3,
}


def _offers(site: Site, version: ssl.TLSVersion) -> bool:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # no data is sent: only the version is negotiated
    context.verify_mode = ssl.CERT_NONE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # an old version is offered on purpose
        context.minimum_version = context.maximum_version = version
    context.set_ciphers("ALL:@SECLEVEL=0")
    try:
        with (
            socket.create_connection(site.address, timeout=TIMEOUT_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=site.host),
        ):
            return True
    except OSError:
        return False


def _without_tls(check: str, site: Site) -> Finding:
    if _is_loopback(site.host):
        return warning(check, "plain HTTP, which is acceptable on this machine only")
    return failure(check, "plain HTTP: passwords and tokens are sent in clear text", "Give doctor the HTTPS address.")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
