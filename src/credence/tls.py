"""Reads and checks the certificate chain of this node and its private key, and keeps them in memory.

The files may change while the server runs. A pair that was checked stays in memory, as anonymous files, because the server
reads paths: so a worker never gets a pair that does not match, or one new file of two (threats E6).
"""

import os
import ssl
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from credence.clock import Milliseconds, date_of, day_in_words
from credence.crypto.certificates import UnreadableCertificate, validity
from credence.errors import InvalidInput

WARNING_DAYS = 21
"""The log warns this number of days before a certificate expires."""

DAY_MS = 86_400_000


def authority_file(folder: Path) -> Path:
    """Return the path of the sandbox's CA certificate, which clients must trust."""
    return folder / "ca.pem"


class UnusablePair(InvalidInput):
    """A certificate and key cannot be used; the message names the file and the reason."""


class Pair(NamedTuple):
    """A certificate chain and its matching private key, in PEM."""

    certificate: bytes
    key: bytes
    not_before: Milliseconds
    not_after: Milliseconds


def read_pair(certificate: Path, key: Path) -> Pair:
    """Return the pair in two files, also an expired one; UnusablePair unless they are complete and match."""
    chain, private = _content(certificate), _content(key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_verify_locations(cadata=chain.decode("ascii"))
        not_before, not_after = validity(chain)
    except (ssl.SSLError, UnicodeDecodeError, ValueError, UnreadableCertificate) as error:
        raise UnusablePair(
            f"The file {certificate} of the TLS settings does not hold a complete certificate in PEM."
        ) from error
    try:
        with nameless(chain) as chain_path, nameless(private) as private_path:
            context.load_cert_chain(chain_path, private_path, password=_no_password)
    except ssl.SSLError as error:
        fault = (
            f"does not belong to the certificate in {certificate}"
            if error.reason == "KEY_VALUES_MISMATCH"
            else "does not hold a complete private key in PEM"
        )
        raise UnusablePair(f"The file {key} of the TLS settings {fault}.") from error
    except _Encrypted as error:
        raise UnusablePair(f"The private key in {key} of the TLS settings is encrypted: decrypt it first.") from error
    return Pair(chain, private, not_before, not_after)


def require_current(pair: Pair, certificate: Path, now: Milliseconds) -> None:
    """Raise UnusablePair if the certificate has expired or is not yet valid."""
    if pair.not_after < now:
        raise UnusablePair(f"The certificate in {certificate} expired on {day_in_words(date_of(pair.not_after))}.")
    if pair.not_before > now:
        raise UnusablePair(
            f"The certificate in {certificate} is not valid before {day_in_words(date_of(pair.not_before))}."
        )


def days_left(not_after: Milliseconds, now: Milliseconds) -> int:
    """Return the whole days until a certificate expires; negative after its expiry."""
    return (not_after - now) // DAY_MS


def stamp(*files: Path) -> tuple[object, ...]:
    """Return a value that changes when a file is written or replaced, also through links; a missing file has one too."""
    found: list[object] = []
    for file in files:
        with suppress(OSError):
            status = file.stat()
            found.append((str(file), status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(found)


@contextmanager
def nameless(content: bytes) -> Iterator[Path]:
    """Keep content in an anonymous file in memory, and yield a path by which this process and its forks read it."""
    descriptor = keep(content)
    try:
        yield path_of(descriptor)
    finally:
        os.close(descriptor)


def keep(content: bytes) -> int:
    """Return the descriptor of an anonymous file in memory with this content, which the caller closes."""
    if sys.platform == "linux":
        descriptor = os.memfd_create("credence")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.pwrite(descriptor, content, 0)
    return descriptor


def path_of(descriptor: int) -> Path:
    """Return the path of an open file for this process and its forks."""
    return Path(f"/dev/fd/{descriptor}")


def _content(file: Path) -> bytes:
    if not file.is_file():
        raise UnusablePair(f"The file {file} of the TLS settings does not exist.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise UnusablePair(f"The file {file} of the TLS settings cannot be read: {error.strerror}.") from error


class _Encrypted(Exception):
    """The private key is encrypted with a password."""


def _no_password() -> str:
    raise _Encrypted
