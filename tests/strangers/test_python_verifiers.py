"""PyJWT and joserfc, which know nothing of us but an address, verify our tokens (spec §1.4, §2.6, §2.7, D13)."""

import ssl
from typing import Any, Protocol

import jwt
import pytest
from joserfc.errors import JoseError

from tests.strangers import verify_with_joserfc, verify_with_pyjwt
from tests.strangers.conftest import StartProvider
from tests.strangers.provider import ALGORITHMS, CONFIGURATION, Provider

Refused = (jwt.PyJWTError, JoseError)

pytestmark = pytest.mark.filterwarnings("ignore:EdDSA is deprecated via RFC 9864")  # joserfc, of the name in RFC 8037


class Verifier(Protocol):
    """What both have in common."""

    def claims(self, token: str) -> dict[str, Any]: ...


class MakeVerifier(Protocol):
    """How both are made."""

    def __call__(self, issuer: str, audience: str, trust: ssl.SSLContext, cooldown: float = ...) -> Verifier: ...


with_each_library = pytest.mark.parametrize(
    "make",
    [
        pytest.param(verify_with_pyjwt.Verifier, id="PyJWT"),
        pytest.param(verify_with_joserfc.Verifier, id="joserfc"),
    ],
)


def test_what_is_offered_is_what_is_verified_here(provider: Provider) -> None:
    """threats T15: an algorithm that is added to the offer fails here until strangers verify it."""
    offered = provider.server.client.get(CONFIGURATION).json()["id_token_signing_alg_values_supported"]
    assert sorted(offered) == sorted(ALGORITHMS)


@with_each_library
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_token_of_every_algorithm_is_verified(provider: Provider, make: MakeVerifier, algorithm: str) -> None:
    """RFC 7515 §5.2, RFC 7519 §7.2, RFC 9068 §4: signature, iss, aud, exp and typ."""
    token = provider.token(algorithm)
    assert jwt.get_unverified_header(token)["alg"] == algorithm
    claims = make(provider.issuer, provider.issuer, provider.trust).claims(token)
    assert (claims["iss"], claims["aud"]) == (provider.issuer, provider.issuer)
    assert claims["sub"] == provider.server.username
    assert claims["exp"] > claims["iat"]


@with_each_library
def test_a_token_for_another_audience_is_refused(provider: Provider, make: MakeVerifier) -> None:
    """RFC 9068 §4: the checks above do check."""
    verifier = make(provider.issuer, "https://elsewhere.example", provider.trust)
    with pytest.raises(Refused):
        verifier.claims(provider.token("RS256"))


@with_each_library
def test_a_changed_token_is_refused(provider: Provider, make: MakeVerifier) -> None:
    """RFC 7515 §5.2."""
    verifier = make(provider.issuer, provider.issuer, provider.trust)
    first, second = (provider.token("RS256").split(".") for _ in range(2))
    assert first[1] != second[1]
    with pytest.raises(Refused):
        verifier.claims(".".join((first[0], second[1], first[2])))


@with_each_library
def test_verification_goes_on_across_revoked_keys(start_provider: StartProvider, make: MakeVerifier) -> None:
    """threats K7, T12: one key ahead is known already; after two revocations the key that signs must be fetched."""
    provider = start_provider()
    verifier = make(provider.issuer, provider.issuer, provider.trust, cooldown=0)
    for algorithm in ALGORITHMS:
        old = provider.token(algorithm)
        assert verifier.claims(old)["iss"] == provider.issuer
        known = set(provider.published_keys())
        for already_known in (True, False):
            provider.revoke_key(jwt.get_unverified_header(provider.token(algorithm))["kid"])
            new = provider.token(algorithm)
            assert (jwt.get_unverified_header(new)["kid"] in known) is already_known
            assert verifier.claims(new)["iss"] == provider.issuer
            assert provider.server.report(new).status_code == 200
            assert provider.server.report(old).status_code == 401
        with pytest.raises(Refused):  # the key set fetched for the new key no longer holds the old one
            verifier.claims(old)
