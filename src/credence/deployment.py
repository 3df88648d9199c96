"""Checks a deployment before its server starts, and provides its keys and certificates (D13, D18)."""

import re
import shlex
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from credence.crypto.sealing import KeyEncryptionKeys, new_key, read_keys
from credence.errors import OperatorError
from credence.files import OWNER_ONLY, is_exposed, write_atomically
from credence.interpreter import is_optimised
from credence.sandbox.certificates import ensure_certificates
from credence.settings import Environment, Settings

_PUBLIC_ADDRESS = re.compile(r"https://[A-Za-z0-9.\-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/\-]*)?").fullmatch
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+").fullmatch


class NotReady(OperatorError):
    """The deployment cannot start; the message says what to do."""


def unsafe_settings(settings: Settings) -> list[str]:
    """Return a line with the remedy for each setting that is unsafe in its environment."""
    found = _faults_of_tls(settings) + _faults_of_store(settings) + _faults_of_management(settings)
    found += _faults_of_lifetimes(settings)
    if any(network.prefixlen == 0 for network in settings.trusted_proxies):
        found.append("CREDENCE_TRUSTED_PROXIES: name your proxies; a network of all addresses trusts every caller.")
    found += _faults_of_algorithm(settings)
    found += _faults_of_ports(settings)
    found += _faults_of_certificate_headers(settings)
    found += _faults_of_unverified_clients(settings)
    if settings.environment is Environment.SANDBOX:
        return found
    if not settings.base_url:
        found.append("CREDENCE_BASE_URL: set the public base address, such as https://api.example.com.")
    elif not _PUBLIC_ADDRESS(settings.issuer):
        found.append(
            "CREDENCE_BASE_URL: the public base address is https://, a host, and optionally a port and a path."
        )
    if not settings.http and not (settings.tls_certificate and settings.tls_key):
        found.append("CREDENCE_TLS_CERTIFICATE and CREDENCE_TLS_KEY: set the certificate chain and its private key.")
    if not settings.key_encryption_key and settings.key_encryption_key_file is None:
        found.append("CREDENCE_KEY_ENCRYPTION_KEY_FILE: set a file that holds 64 hexadecimal digits.")
    else:
        found += _faults_of_key(settings)
    if settings.password_profile == "testing":  # noqa: S105 - the name of a profile
        found.append("CREDENCE_PASSWORD_PROFILE: set it to standard or strong.")
    if not _ADDRESS(settings.support_email) or settings.support_email.endswith("@localhost"):
        found.append("CREDENCE_SUPPORT_EMAIL: set the address for users who need help.")
    return found + exposed_files(settings)


def _faults_of_tls(settings: Settings) -> list[str]:
    found, files = [], (settings.tls_certificate, settings.tls_key)
    if settings.http and not _is_loopback(settings.host) and not settings.trusted_proxies:
        found.append(
            "CREDENCE_HTTP: plain HTTP only on loopback or behind a proxy; set CREDENCE_HOST=127.0.0.1 or "
            "CREDENCE_TRUSTED_PROXIES."
        )
    if settings.http and any(files):
        found.append(
            "CREDENCE_HTTP: plain HTTP and CREDENCE_TLS_CERTIFICATE or CREDENCE_TLS_KEY exclude each other: leave one out."
        )
    elif any(files) and not all(files):
        found.append("CREDENCE_TLS_CERTIFICATE and CREDENCE_TLS_KEY: set both or neither.")
    return found


def _faults_of_lifetimes(settings: Settings) -> list[str]:
    if settings.access_token_lifetime_seconds <= settings.refresh_token_lifetime_seconds:
        return []
    return ["CREDENCE_ACCESS_TOKEN_LIFETIME_SECONDS: at most CREDENCE_REFRESH_TOKEN_LIFETIME_SECONDS, the whole login."]


def _faults_of_unverified_clients(settings: Settings) -> list[str]:
    if settings.client_documents != "off" and not settings.calls_out:
        return ["CREDENCE_CLIENT_DOCUMENTS: documents of clients are fetched; set CREDENCE_CALLS_OUT=true as well."]
    if (settings.client_documents == "listed") != bool(settings.client_document_hosts):
        return ["CREDENCE_CLIENT_DOCUMENTS=listed needs CREDENCE_CLIENT_DOCUMENT_HOSTS, and only listed does."]
    if settings.open_registration and not settings.registration:
        return ["CREDENCE_OPEN_REGISTRATION: there is no registration; set CREDENCE_REGISTRATION=true as well."]
    return []


def startup_warnings(settings: Settings) -> list[str]:
    """Return a line for each permitted setting or state that an operator should know of at start."""
    found = sandbox_warnings(settings)
    if settings.client_documents == "any":
        found.append(
            "CREDENCE_CLIENT_DOCUMENTS=any: every host of the internet can bring an application of its own before your "
            "users, whose name is unverified. CREDENCE_CLIENT_DOCUMENTS=listed names the hosts (docs/agents.md)."
        )
    if settings.open_registration:
        found.append(
            "CREDENCE_OPEN_REGISTRATION: every caller can register an application and bring it before your "
            "users, whose name is unverified. Invitations let in whom you know (credence app invite)."
        )
    if settings.environment is not Environment.SANDBOX and not is_optimised():
        found.append(
            "This Python was built without optimisations, and an introspection takes a third longer with it. Install "
            "Credence with the Python of your distribution, or with one configured with --enable-optimizations."
        )
    return found


def exposed_files(settings: Settings) -> list[str]:
    """Return a line for each file with secrets that other users of the machine can read or change (threats E2)."""
    files = {
        "key-encryption key": None if settings.key_encryption_key else settings.key_encryption_key_path,
        "store": None if settings.store else settings.sqlite_file,
        "address of the store": settings.store_file,
        "key of the certificate": None if settings.http else settings.tls_key or settings.tls_folder / "server-key.pem",
    }
    return [
        f"{file}: other users can read or change this file ({what}); run: chmod 600 {shlex.quote(str(file))}"
        for what, file in files.items()
        if file is not None and is_exposed(file)
    ]


def sandbox_warnings(settings: Settings) -> list[str]:
    """Return a line for each unsafe property of a sandbox (D18)."""
    if settings.environment is not Environment.SANDBOX:
        return []
    found = exposed_files(settings)
    if not _is_loopback(settings.host):
        found.append(
            f"This sandbox listens on {settings.host}: everybody who reaches it can use it and read its data. Keep it on "
            "127.0.0.1, or set up an environment of its own (docs/operating.md)."
        )
    if settings.sandbox_scenarios_to == "all":
        found.append("CREDENCE_SANDBOX_SCENARIOS_TO=all: everybody who reaches this sandbox gets its credentials.")
    return found


def key_encryption_keys(settings: Settings) -> KeyEncryptionKeys:
    """Return the key-encryption keys from their variable or file; the sandbox creates one before its store (D13).

    Raises NotReady if the key is missing or cannot be read.
    """
    if settings.key_encryption_key:
        return _parsed(settings.key_encryption_key, "CREDENCE_KEY_ENCRYPTION_KEY")
    make_key_encryption_key(settings)
    file = settings.key_encryption_key_path
    try:
        return _parsed(file.read_text(encoding="ascii"), str(file))
    except FileNotFoundError as error:
        raise NotReady(f"The key-encryption key {file} is missing: {_remedy(settings)}") from error
    except OSError as error:
        raise NotReady(f"The key-encryption key cannot be read from {file}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise NotReady(f"{file} must hold 64 hexadecimal digits.") from error


def _remedy(settings: Settings) -> str:
    if settings.store:
        return "copy the key of the store there or, if the store is new, make one with: openssl rand -hex 32"
    if settings.sqlite_file.exists():
        return "put it back. A new key would not open the existing store."
    return "make it with: openssl rand -hex 32"


def make_key_encryption_key(settings: Settings) -> None:
    """Create the sandbox's key-encryption key unless it exists, the operator configures one, or a store exists (D13).

    Call this before creating a store. A store whose key is missing has lost it, and a new key would hide the loss. For a
    store that nodes share the operator creates the key, because the store may exist already.
    """
    named = settings.key_encryption_key or settings.key_encryption_key_file or settings.store
    file = settings.key_encryption_key_path
    if settings.environment is not Environment.SANDBOX or named or file.exists() or settings.sqlite_file.exists():
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_key_encryption_keys(file, KeyEncryptionKeys((new_key(),)))


def write_key_encryption_keys(file: Path, keks: KeyEncryptionKeys) -> None:
    """Replace the file of the keys atomically: one key per line, the sealing key first."""
    write_atomically(file, "".join(f"{key.hex()}\n" for key in keks.keys).encode(), OWNER_ONLY)


def tls_files(settings: Settings) -> tuple[Path, Path] | None:
    """Return the files of the certificate chain and its key, or None for plain HTTP.

    In the sandbox its own authority issues them, unless the settings name other files. The files are not read here.
    """
    if settings.http:
        return None
    if settings.tls_certificate and settings.tls_key:
        return settings.tls_certificate, settings.tls_key
    return ensure_certificates(settings.tls_folder, settings.host)


def _faults_of_key(settings: Settings) -> list[str]:
    try:
        keks = key_encryption_keys(settings)
    except NotReady as error:
        return [str(error)]
    if any(len(set(key)) == 1 for key in keks.keys):
        name = "CREDENCE_KEY_ENCRYPTION_KEY" + ("" if settings.key_encryption_key else "_FILE")
        return [f"{name}: a repeated byte is not a key; make one with: openssl rand -hex 32"]
    return []


def _faults_of_certificate_headers(settings: Settings) -> list[str]:
    verified, unverified = settings.client_certificate_header, settings.unverified_certificate_header
    found = []
    if (verified or unverified) and not settings.trusted_proxies:
        name = "CREDENCE_CLIENT_CERTIFICATE_HEADER" if verified else "CREDENCE_UNVERIFIED_CERTIFICATE_HEADER"
        found.append(f"{name}: certificates are accepted only from trusted proxies; set CREDENCE_TRUSTED_PROXIES.")
    if verified and verified == unverified:
        found.append(
            "CREDENCE_UNVERIFIED_CERTIFICATE_HEADER: set a header other than CREDENCE_CLIENT_CERTIFICATE_HEADER; otherwise "
            "any certificate counts as verified."
        )
    return found


def _faults_of_management(settings: Settings) -> list[str]:
    found = []
    if settings.manage_port and settings.http and not _is_loopback(settings.manage_host):
        found.append("CREDENCE_MANAGE_HOST: plain HTTP only on loopback; set CREDENCE_MANAGE_HOST=127.0.0.1.")
    if settings.manage_port and settings.manage_port == settings.port:
        found.append("CREDENCE_MANAGE_PORT: the management API has a port of its own; set another than CREDENCE_PORT.")
    return found


def _faults_of_store(settings: Settings) -> list[str]:
    if settings.store:
        # Imported only here: a node with a SQLite store does not need it.
        from credence.store.postgres.connections import conninfo

        try:
            conninfo(settings.store)
        except ValueError as error:
            return [f"CREDENCE_STORE: {error}"]
    return []


def _faults_of_algorithm(settings: Settings) -> list[str]:
    if settings.algorithm in settings.algorithms:
        return []
    return [f"CREDENCE_ALGORITHM: CREDENCE_ALGORITHMS does not contain {settings.algorithm}; add it there."]


def _faults_of_ports(settings: Settings) -> list[str]:
    found = []
    if settings.metrics_port and settings.port == settings.metrics_port:
        found.append("CREDENCE_METRICS_PORT: CREDENCE_PORT is the same; set another.")
    try:
        urlsplit(settings.counters_url).port  # noqa: B018 - a later reader would log the URL with its password
    except ValueError:
        found.append(
            "CREDENCE_COUNTERS_URL: the port is not a number; in a password write / as %2F, ? as %3F and # as %23."
        )
    return found


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:  # `localhost` is the only name that always resolves to loopback (RFC 6761 §6.3)
        return host == "localhost"


def _parsed(text: str, source: str) -> KeyEncryptionKeys:
    try:
        return read_keys(text.splitlines())
    except ValueError as error:
        raise NotReady(f"{source} must hold 64 hexadecimal digits.") from error
