"""What must be there before a server starts, and what must not be: keys, certificates, unsafe settings (D13, D18)."""

import binascii
from ipaddress import ip_address
from pathlib import Path

from credence.crypto.sealing import KeyEncryptionKey, new_key
from credence.files import FOR_ITS_OWNER, write_whole
from credence.sandbox.certificates import ensure_certificates
from credence.settings import Environment, Settings


class NotReady(Exception):
    """The deployment cannot start; the message is one line that says what to do."""


def unsafe_settings(settings: Settings) -> list[str]:
    """Return one line for each setting that this environment must not run with, naming the fix."""
    found = []
    if settings.http and not _is_loopback(settings.host) and not settings.trusted_proxies:
        found.append(
            "CREDENCE_HTTP: plain HTTP only on loopback or behind a proxy; set CREDENCE_HOST=127.0.0.1 or "
            "CREDENCE_TRUSTED_PROXIES."
        )
    if settings.workers > 1:
        found.append("CREDENCE_WORKERS: a SQLite store takes one worker; set CREDENCE_WORKERS=1.")
    if settings.spike_status not in {401, 429}:
        found.append("CREDENCE_SPIKE_STATUS: set it to 401 or 429.")
    if settings.environment is Environment.SANDBOX:
        return found
    if not settings.base_url:
        found.append("CREDENCE_BASE_URL: set the public base address, such as https://api.example.com.")
    elif not settings.issuer.startswith("https://"):
        found.append("CREDENCE_BASE_URL: the public base address begins with https://.")
    if not settings.http and not (settings.tls_certificate and settings.tls_key):
        found.append("CREDENCE_TLS_CERTIFICATE and CREDENCE_TLS_KEY: set the certificate chain and its private key.")
    if not settings.key_encryption_key and settings.key_encryption_key_file is None:
        found.append("CREDENCE_KEY_ENCRYPTION_KEY_FILE: set a file that holds 64 hexadecimal digits.")
    if settings.password_profile == "testing":  # noqa: S105 - the name of a profile
        found.append("CREDENCE_PASSWORD_PROFILE: set it to standard or strong.")
    if settings.support_email.endswith("@localhost"):
        found.append("CREDENCE_SUPPORT_EMAIL: set the address that users are told to write to.")
    return found


def key_encryption_key(settings: Settings) -> KeyEncryptionKey:
    """Return the key-encryption key from its variable or file; the sandbox makes one when there is none (D13)."""
    if settings.key_encryption_key:
        return _parsed(settings.key_encryption_key, "CREDENCE_KEY_ENCRYPTION_KEY")
    file = settings.key_encryption_key_file
    if file is None:
        file = settings.data_dir / "key-encryption-key"
        if settings.environment is Environment.SANDBOX and not file.exists():
            _write_new_key(file)
    try:
        return _parsed(file.read_text(encoding="ascii"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise NotReady(f"The key-encryption key cannot be read from {file}: {error}") from error


def tls_files(settings: Settings) -> tuple[Path, Path] | None:
    """Return certificate chain and key, made by the sandbox's own authority when none are set; None under plain HTTP."""
    if settings.http:
        return None
    if settings.tls_certificate and settings.tls_key:
        for file in (settings.tls_certificate, settings.tls_key):
            if not file.is_file():
                raise NotReady(f"The file {file} of the TLS settings does not exist.")
        return settings.tls_certificate, settings.tls_key
    return ensure_certificates(settings.data_dir / "tls", settings.host)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name may come to mean anything; only this one is fixed (RFC 6761 §6.3)
        return host == "localhost"


def _parsed(text: str, source: str) -> KeyEncryptionKey:
    try:
        return KeyEncryptionKey(binascii.unhexlify(text.strip()))
    except ValueError as error:
        raise NotReady(f"{source} must hold 64 hexadecimal digits.") from error


def _write_new_key(file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(file, new_key().hex().encode() + b"\n", FOR_ITS_OWNER)
