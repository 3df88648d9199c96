"""Client certificates through the recipes of `deploy/`, with the real programs (RFC 8705, RFC 9440, threats I8)."""

import base64
import json
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc.jwk import ECKey

from tests.deploy.proxies import missing, proxy
from tests.deploy.recipes import RECIPES, Ports
from tests.ports import free_port
from tests.running import RunningServer, start

NAME = "ledger.example.com"
MARK = "# mTLS: "
NO_CHAIN_OF_ITS_OWN = {"caddy"}
"""Programs that let no certificate in whose chain they cannot verify; the recipe says so."""


@dataclass(frozen=True)
class Certificate:
    """A certificate in a file with its key."""

    x509: x509.Certificate
    key: ec.EllipticCurvePrivateKey
    file: Path

    @property
    def der(self) -> str:
        return base64.b64encode(self.x509.public_bytes(Encoding.DER)).decode()


def certificate(folder: Path, called: str, by: Certificate | None = None, *, authority: bool = False) -> Certificate:
    """A certificate for `NAME`, signed by itself unless by another."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name.from_rfc4514_string(f"CN={called}")
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.x509.subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(by.key if by else key, SHA256())
    )
    file = folder / f"{called}.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(built.public_bytes(Encoding.PEM) + private)
    return Certificate(built, key, file)


@dataclass(frozen=True)
class Site:
    """A deployment behind a proxy that asks for certificates, and what its clients have."""

    program: str
    server: RunningServer
    address: str
    ca_file: Path
    issued: Certificate
    self_signed: Certificate
    by_name: str
    """The client_id of an application known by the name of its certificates, whose tokens are bound."""
    by_itself: str

    def client(self, shown: Certificate | None) -> httpx.Client:
        context = ssl.create_default_context(cafile=self.ca_file)
        if shown is not None:
            context.load_cert_chain(shown.file)
        return httpx.Client(base_url=self.address, verify=context, trust_env=False, timeout=20)

    def token(self, client_id: str, shown: Certificate | None, **headers: str) -> httpx.Response:
        form = {"grant_type": "client_credentials", "client_id": client_id}
        with self.client(shown) as client:
            return client.post("/oauth2/v1/token", data=form, headers=headers)


@pytest.fixture(scope="module", params=RECIPES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    recipe = RECIPES[request.param]
    if reason := missing(recipe):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(f"{recipe.program}_certificates")
    authority = certificate(folder, "authority", authority=True)
    issued, self_signed = certificate(folder, "issued", authority), certificate(folder, "self-signed")
    anchors = folder / "client-authorities.pem"
    anchors.write_bytes(authority.x509.public_bytes(Encoding.PEM))
    public = free_port()
    server = start(
        folder / "data",
        folder / "credence.txt",
        "--http",
        CREDENCE_BASE_URL=f"https://localhost:{public}",
        CREDENCE_TRUSTED_PROXIES="127.0.0.1",
        CREDENCE_CLIENT_CERTIFICATE_HEADER="Client-Cert",
        CREDENCE_UNVERIFIED_CERTIFICATE_HEADER="Client-Cert-Unverified",
    )
    changes = {MARK: "", "/etc/credence/client-authorities.pem": str(anchors)}
    if recipe.program == "haproxy":
        changes["alpn h2,http/1.1\n"] = f"alpn h2,http/1.1 ca-file {anchors} {OPTIONS_OF_BIND}\n"
    try:
        ports = Ports(public, free_port(), (server.client.base_url.port or 0,))
        with proxy(recipe, folder, ports, also=changes) as ca_file:
            by_name = register(
                server, "tls_client_auth", "--certificate-name", f"san_dns={NAME}", "--certificate-bound-tokens"
            )
            own = {**ECKey.import_key(self_signed.key.public_key()).as_dict(private=False), "x5c": [self_signed.der]}
            keys = folder / "keys.json"
            keys.write_text(json.dumps({"keys": [own]}))
            by_itself = register(server, "self_signed_tls_client_auth", "--jwks", str(keys))
            address = f"https://localhost:{public}"
            yield Site(recipe.program, server, address, ca_file, issued, self_signed, by_name, by_itself)
    finally:
        server.stop()


OPTIONS_OF_BIND = "verify optional ca-ignore-err all crt-ignore-err all"
"""As the recipe for HAProxy says to add to its line."""


def register(server: RunningServer, method: str, *options: str) -> str:
    arguments = ("--authentication", method, "--grant", "client_credentials", *options, "--json")
    done = server.command("app", "create", method, *arguments)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return str(made["client_id"])


def test_a_verified_certificate_with_the_registered_name_proves_the_client(site: Site) -> None:
    """RFC 8705 §2.1."""
    assert site.token(site.by_name, site.issued).status_code == 200
    assert site.token(site.by_name, None).status_code == 401


def test_a_certificate_that_names_itself_so_does_not(site: Site) -> None:
    """RFC 8705 §2.1: the chain is verified by who ends TLS, and a failure is passed on as such or ends the connection."""
    if site.program in NO_CHAIN_OF_ITS_OWN:
        with pytest.raises(httpx.TransportError):
            site.token(site.by_name, site.self_signed)
    else:
        assert site.token(site.by_name, site.self_signed).status_code == 401


def test_a_certificate_that_is_registered_proves_the_client(site: Site) -> None:
    """RFC 8705 §2.2."""
    assert site.token(site.by_itself, site.issued).status_code == 401
    if site.program in NO_CHAIN_OF_ITS_OWN:
        with pytest.raises(httpx.TransportError):
            site.token(site.by_itself, site.self_signed)
    else:
        assert site.token(site.by_itself, site.self_signed).status_code == 200


def test_a_resumed_connection_keeps_its_certificate_and_its_verdict(site: Site) -> None:
    """RFC 8446 §2.2: whoever resumes shows none again."""
    for shown, proven in ((site.issued, True), (site.self_signed, False)):
        if shown is site.self_signed and site.program in NO_CHAIN_OF_ITS_OWN:
            continue
        context = context_with(site, shown)
        with connected(site, context, None) as first:
            session = first.session
            assert (b"HTTP/1.1 200" in asked_for_token(site, first)) is proven
        with connected(site, context, session) as second:
            assert (
                second.session_reused or site.program == "nginx"
            )  # whose recipe resumes none: then nothing can go wrong
            assert (b"HTTP/1.1 200" in asked_for_token(site, second)) is proven


def context_with(site: Site, shown: Certificate) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=site.ca_file)
    context.maximum_version = ssl.TLSVersion.TLSv1_2  # there the session is known as soon as the handshake is over
    context.load_cert_chain(shown.file)
    return context


def connected(site: Site, context: ssl.SSLContext, session: ssl.SSLSession | None) -> ssl.SSLSocket:
    port = httpx.URL(site.address).port or 0
    plain = socket.create_connection(("127.0.0.1", port), timeout=60)
    return context.wrap_socket(plain, server_hostname="localhost", session=session)


def asked_for_token(site: Site, connection: ssl.SSLSocket) -> bytes:
    body = f"grant_type=client_credentials&client_id={site.by_name}"
    connection.sendall(
        "POST /oauth2/v1/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    return connection.recv(65_536)


@pytest.mark.parametrize(
    "header", ["Client-Cert", "CLIENT-CERT", "Client-Cert-Unverified", "Client_Cert", "client_cert"]
)
def test_nobody_writes_the_field_himself(site: Site, header: str) -> None:
    """threats I8: without a certificate, and beside one of his own."""
    forged = {header: f":{site.issued.der}:"}
    assert site.token(site.by_name, None, **forged).status_code == 401
    forged = {header: f":{site.self_signed.der}:"}
    assert site.token(site.by_itself, None, **forged).status_code == 401
    assert site.token(site.by_itself, site.issued, **forged).status_code == 401


def test_a_bound_token_opens_a_report_over_its_own_connection_alone(site: Site) -> None:
    """RFC 8705 §3."""
    token = site.token(site.by_name, site.issued).json()["access_token"]
    path = f"/risk/business/v1/registeredcompanycredit/{site.server.company_number}"
    for shown, status in ((site.issued, 200), (None, 401)):
        with site.client(shown) as client:
            assert client.get(path, headers={"Authorization": f"Bearer {token}"}).status_code == status
