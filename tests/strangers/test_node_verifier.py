"""npm's jose, in another language and another process, verifies our tokens (spec §1.4, §2.6, §2.7, D13)."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import jwt
import pytest

from tests.strangers.conftest import StartProvider
from tests.strangers.provider import ALGORITHMS, Provider

FOLDER = Path(__file__).parent / "node"

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="node is missing: install Node 20 or later"),
    pytest.mark.skipif(not (FOLDER / "node_modules").is_dir(), reason="jose is missing: python -m tests.provision"),
]

Ask = Callable[[str], str]
"""A token -> the line that answers it."""


@pytest.fixture
def verify_with() -> Iterator[Callable[[Provider], Ask]]:
    """Starts `verify.mjs` against a provider; one process, so one cache of keys, for the whole test."""
    started: list[subprocess.Popen[str]] = []

    def verify_with_one(provider: Provider) -> Ask:
        verifier = subprocess.Popen(
            ["node", "verify.mjs", provider.issuer, provider.issuer, "0"],
            cwd=FOLDER,
            env=os.environ | {"NODE_EXTRA_CA_CERTS": str(provider.ca_file), "NODE_NO_WARNINGS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        started.append(verifier)

        def ask(token: str) -> str:
            assert verifier.stdin is not None
            assert verifier.stdout is not None
            verifier.stdin.write(f"{token}\n")
            return verifier.stdout.readline().strip()

        return ask

    yield verify_with_one
    for verifier in started:
        verifier.communicate(timeout=60)
        assert verifier.returncode == 0


def test_a_token_of_every_algorithm_is_verified(provider: Provider, verify_with: Callable[[Provider], Ask]) -> None:
    """RFC 7515 §5.2, RFC 7519 §7.2, RFC 9068 §4: signature, iss, aud, exp and typ."""
    ask = verify_with(provider)
    for algorithm in ALGORITHMS:
        token = provider.token(algorithm)
        assert jwt.get_unverified_header(token)["alg"] == algorithm
        claims = json.loads(ask(token))
        assert (claims["iss"], claims["aud"]) == (provider.issuer, provider.issuer)
        assert claims["sub"] == provider.server.username


def test_a_changed_token_is_refused(provider: Provider, verify_with: Callable[[Provider], Ask]) -> None:
    """RFC 7515 §5.2: another token's claims under this one's signature."""
    ask = verify_with(provider)
    for algorithm in ALGORITHMS:
        first, second = (provider.token(algorithm).split(".") for _ in range(2))
        assert first[1] != second[1]
        assert ask(".".join((first[0], second[1], first[2]))) == "refused ERR_JWS_SIGNATURE_VERIFICATION_FAILED"


def test_verification_goes_on_across_revoked_keys(
    start_provider: StartProvider, verify_with: Callable[[Provider], Ask]
) -> None:
    """threats K7, T12: after two revocations the key that signs is in no set fetched before."""
    provider = start_provider()
    ask = verify_with(provider)
    for algorithm in ALGORITHMS:
        old = provider.token(algorithm)
        assert json.loads(ask(old))["iss"] == provider.issuer
        known = set(provider.published_keys())
        for _ in range(2):
            provider.revoke_key(jwt.get_unverified_header(provider.token(algorithm))["kid"])
        new = provider.token(algorithm)
        assert jwt.get_unverified_header(new)["kid"] not in known
        assert json.loads(ask(new))["iss"] == provider.issuer
        assert ask(old) == "refused ERR_JWKS_NO_MATCHING_KEY"
        assert provider.server.report(old).status_code == 401
