"""The signature of a release: Ed25519 over its checksums, by OpenSSL, which every machine that verifies has."""

import subprocess
from pathlib import Path

from tools.release.building import PUBLIC_KEY, SIGNATURE, SUMS

STATED_KEY = Path(__file__).parents[2] / "deploy" / PUBLIC_KEY
"""The key that a release is verified with; it exists once the project has one (docs/releasing.md)."""


class NotSigned(Exception):
    """The key cannot sign this release."""


def sign(release: Path, private: Path, stated: Path | None = STATED_KEY) -> Path:
    """Sign the checksums of a release and return the file of the signature.

    Raise NotSigned if OpenSSL cannot read the key, or if the project states another public key in the file `stated`.
    """
    public = _openssl("pkey", "-in", private, "-pubout")
    if stated and stated.exists() and stated.read_bytes() != public:
        raise NotSigned(f"The key is not the one of {stated.name}.")
    signature = release / SIGNATURE
    _openssl("pkeyutl", "-sign", "-rawin", "-inkey", private, "-in", release / SUMS, "-out", signature)
    (release / PUBLIC_KEY).write_bytes(public)
    return signature


def _openssl(*words: str | Path) -> bytes:
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, check=False)
    if done.returncode != 0:
        raise NotSigned(f"OpenSSL: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
