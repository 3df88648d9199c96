"""`credence config check` finds a certificate that clients of the base address refuse (RFC 9525 §6, RFC 5280 §6)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.running import Done, run_command

HOST = "api.example.com"


@dataclass(frozen=True)
class Issued:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)


def issue(name: str, by: Issued | None, *, names: Sequence[str] = ()) -> Issued:
    """A certificate of an authority, or with `names` of a server; without an issuer it is a root."""
    key, now = ec.generate_private_key(ec.SECP256R1()), dt.datetime.now(dt.UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=90))
        .add_extension(x509.BasicConstraints(ca=not names, path_length=None), critical=True)
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(list(map(x509.DNSName, names))), critical=False)
    return Issued(builder.sign(by.key if by else key, hashes.SHA256()), key)


@pytest.fixture(scope="module")
def authorities() -> tuple[Issued, Issued]:
    """A root, and the authority under it that issues certificates of servers."""
    root = issue("Root", None)
    return root, issue("Intermediate", root)


def check(folder: Path, key: Issued, chain: Sequence[Issued], root: Issued, **variables: str) -> Done:
    """Check a pair on a machine that trusts this root."""
    files = {name: folder / f"{name}.pem" for name in ("chain", "key", "root")}
    files["chain"].write_bytes(b"".join(each.pem for each in chain))
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    files["key"].write_bytes(key.key.private_bytes(serialization.Encoding.PEM, *private))
    files["key"].chmod(0o600)
    files["root"].write_bytes(root.pem)
    settings = {
        "SSL_CERT_FILE": str(files["root"]),
        "CREDENCE_DATA_DIR": str(folder / "data"),
        "CREDENCE_BASE_URL": f"https://{HOST}",
        "CREDENCE_TLS_CERTIFICATE": str(files["chain"]),
        "CREDENCE_TLS_KEY": str(files["key"]),
    }
    return run_command("config", "check", **(settings | variables))


@pytest.mark.parametrize("names", [[HOST], ["*.example.com"], ["example.com", "API.example.com"]])
def test_a_certificate_for_the_base_address_with_its_chain_is_fine(
    tmp_path: Path, authorities: tuple[Issued, Issued], names: list[str]
) -> None:
    root, intermediate = authorities
    server = issue("Server", intermediate, names=names)
    done = check(tmp_path, server, [server, intermediate], root)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("names", [["example.com"], ["api.example.org"], ["*.api.example.com"]])
def test_a_certificate_for_another_host_is_refused_unless_a_proxy_has_another(
    tmp_path: Path, authorities: tuple[Issued, Issued], names: list[str]
) -> None:
    root, intermediate = authorities
    server = issue("Server", intermediate, names=names)
    done = check(tmp_path, server, [server, intermediate], root)
    line = f"the certificate in {tmp_path / 'chain.pem'} is not for {HOST}, so clients of https://{HOST} refuse it."
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"credence: CREDENCE_TLS_CERTIFICATE and CREDENCE_BASE_URL: {line}\n"
    behind = check(tmp_path, server, [server, intermediate], root, CREDENCE_TRUSTED_PROXIES="10.0.0.0/24")
    assert behind.returncode == 0
    assert behind.stderr == f"credence: warning: CREDENCE_TLS_CERTIFICATE and CREDENCE_BASE_URL: {line}\n"
    alone = check(tmp_path, server, [server, intermediate], root, CREDENCE_BASE_URL="https://192.0.2.1")
    assert "is not for 192.0.2.1" in alone.stderr


def test_a_chain_without_its_intermediate_is_a_warning(tmp_path: Path, authorities: tuple[Issued, Issued]) -> None:
    """Browsers often have the intermediate from elsewhere; a program does not, and the operator wonders."""
    root, intermediate = authorities
    server = issue("Server", intermediate, names=[HOST])
    done = check(tmp_path, server, [server], root)
    assert done.returncode == 0
    assert done.stderr.startswith(
        f"credence: warning: CREDENCE_TLS_CERTIFICATE: the issuer of the last certificate in {tmp_path / 'chain.pem'} is"
    )
    assert "such as fullchain.pem" in done.stderr


def test_a_root_of_ones_own_in_the_file_completes_the_chain(tmp_path: Path, authorities: tuple[Issued, Issued]) -> None:
    root, intermediate = authorities
    server = issue("Server", intermediate, names=[HOST])
    another = issue("Another root", None)
    done = check(tmp_path, server, [server, intermediate, root], another)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("variables", "line"),
    [
        (
            {"CREDENCE_HTTP": "true", "CREDENCE_TLS_CERTIFICATE": "/a", "CREDENCE_TLS_KEY": "/b"},
            "CREDENCE_HTTP: plain HTTP and CREDENCE_TLS_CERTIFICATE or CREDENCE_TLS_KEY exclude each other: leave one out.",
        ),
        (
            {"CREDENCE_ACCESS_TOKEN_LIFETIME_SECONDS": "7201", "CREDENCE_REFRESH_TOKEN_LIFETIME_SECONDS": "7200"},
            "CREDENCE_ACCESS_TOKEN_LIFETIME_SECONDS: at most CREDENCE_REFRESH_TOKEN_LIFETIME_SECONDS, the whole login.",
        ),
        (
            {"credence_key_age": "1"},
            "credence_key_age is called CREDENCE_KEY_AGE_DAYS since version 0.2.",
        ),
        ({"credance_port": "1"}, "credance_port is not a setting; the nearest name is CREDENCE_PORT."),
        (
            {"CREDENCE_PORT": "1", "credence_port": "2"},
            "CREDENCE_PORT and credence_port are one setting: keep one of them.",
        ),
    ],
)
@pytest.mark.parametrize("command", [("config", "check"), ("serve",)])
def test_settings_that_contradict_each_other_or_have_no_effect_are_found(
    tmp_path: Path, command: tuple[str, ...], variables: dict[str, str], line: str
) -> None:
    done = run_command(*command, CREDENCE_DATA_DIR=str(tmp_path / "data"), **variables)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"credence: {line}\n")


def test_equal_lifetimes_and_variables_of_other_programs_are_fine() -> None:
    others = {"SERVICE_PORT": "1", "DB_HOST": "x", "RESIDENCE_LANG": "x", "CREDENTIALS_FILE": "x"}
    lifetimes = {"CREDENCE_ACCESS_TOKEN_LIFETIME_SECONDS": "7200", "CREDENCE_REFRESH_TOKEN_LIFETIME_SECONDS": "7200"}
    assert run_command("config", "check", **others, **lifetimes).returncode == 0
