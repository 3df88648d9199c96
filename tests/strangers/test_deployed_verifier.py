"""The deployed API, over HTTPS, against the classes of forgery of Project Wycheproof's JWS and JWK vectors.

spec §5.4, threats T1-T4, T7, T14. The vectors are made here for the keys of the deployment: theirs have other keys, which
are refused for being unknown.
"""

import itertools

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.strangers import forgeries as forge
from tests.strangers.forgeries import P256_ORDER as N
from tests.strangers.forgeries import Forge, Genuine
from tests.strangers.provider import ALGORITHMS, Provider

REFUSED = (401, "Unauthorized", "Access token is Invalid.")

pytestmark = pytest.mark.filterwarnings("ignore:EdDSA is deprecated via RFC 9864")  # joserfc, of the name in RFC 8037

OF_EVERY_ALGORITHM: dict[str, Forge] = {
    "alg none, no signature": forge.none_as_algorithm,
    "alg none in mixed case, with the signature": forge.none_with_a_signature,
    "HS256 with the public JWK as secret": forge.hmac_over_jwk,
    "HS256 with the public key in PEM as secret": forge.hmac_over_pem,
    "HS256 with the public key in DER as secret": forge.hmac_over_der,
    "HS256 with a zero byte as secret": forge.hmac_over_nothing,
    "padding after the signature": forge.padded_signature,
    "padding after the header": forge.padded_header,
    "padding after the claims": forge.padded_payload,
    "base64 instead of base64url": forge.standard_alphabet,
    "unused bits set in the last character": forge.unused_bits,
    "an empty signature": forge.stripped_signature,
    "no third part": forge.stripped_part,
    "a signature one byte short": forge.truncated_signature,
    "half a signature": forge.halved_signature,
    "a signature one byte long": forge.prolonged_signature,
    "a signature after a zero byte": forge.prefixed_signature,
    "a signature of zeros": forge.zero_signature,
    "other claims under the signature": forge.other_claims,
    "a fresh key of the same kind under our kid": forge.fresh_key,
    "a fresh key that comes along in the header": forge.fresh_key_within,
    "a kid that is not published": forge.unknown_key,
    "no kid": forge.without_key,
    "alg twice, none first": forge.repeated("alg", "none"),
    "kid twice, another first": forge.repeated("kid", "A" * 43),
    "typ twice, another first": forge.repeated("typ", "JWT"),
}

OF_ONE_ALGORITHM: dict[str, tuple[str, Forge]] = {
    "ES256 with r = 0 and s = 0": ("ES256", forge.ecdsa(0, 0)),
    "ES256 with r = 0": ("ES256", forge.ecdsa(0, None)),
    "ES256 with s = 0": ("ES256", forge.ecdsa(None, 0)),
    "ES256 with r = 1 and s = 1": ("ES256", forge.ecdsa(1, 1)),
    "ES256 with r = n": ("ES256", forge.ecdsa(N, None)),
    "ES256 with s = n": ("ES256", forge.ecdsa(None, N)),
    "ES256 with r = n and s = n": ("ES256", forge.ecdsa(N, N)),
    "ES256 with r = 2^256 - 1": ("ES256", forge.ecdsa(2**256 - 1, None)),
    "ES256 in DER form": ("ES256", forge.ecdsa_in_der),
    "ES384 by a P-384 key under the P-256 kid": ("ES256", forge.other_curve(ec.SECP384R1(), "ES384", "ES384")),
    "ES384 by a P-384 key called ES256": ("ES256", forge.other_curve(ec.SECP384R1(), "ES384", "ES256")),
    "ES256K by a secp256k1 key called ES256": ("ES256", forge.other_curve(ec.SECP256K1(), "ES256K", "ES256")),
    "EdDSA with the identity as R and S = 0": ("EdDSA", forge.eddsa_point(forge.ED25519_IDENTITY)),
    "EdDSA with a point of order two as R and S = 0": ("EdDSA", forge.eddsa_point(forge.ED25519_ORDER_TWO)),
    "EdDSA with S + L for S": ("EdDSA", forge.eddsa_s_plus_order),
    "an RS256 signature called PS256": ("RS256", forge.renamed_algorithm("PS256")),
    "a PS256 signature called RS256": ("PS256", forge.renamed_algorithm("RS256")),
    "PS256 by a fresh key under the RS256 kid": ("RS256", forge.other_algorithm("PS256")),
    "RS256 by a fresh key under the PS256 kid": ("PS256", forge.other_algorithm("RS256")),
    "RS512 by a fresh key under the RS256 kid": ("RS256", forge.other_algorithm("RS512")),
    "EdDSA by a fresh key under the ES256 kid": ("ES256", forge.other_algorithm("EdDSA")),
}


@pytest.fixture(scope="module")
def genuine(provider: Provider) -> dict[str, Genuine]:
    """A good token of each algorithm."""
    tokens = {algorithm: provider.token(algorithm) for algorithm in ALGORITHMS}
    kids = {algorithm: jwt.get_unverified_header(token)["kid"] for algorithm, token in tokens.items()}
    published = provider.published_keys()
    return {algorithm: Genuine(algorithm, token, kids, published) for algorithm, token in tokens.items()}


def said(provider: Provider, token: str) -> tuple[int, str, str]:
    reply = provider.server.report(token)
    (error,) = reply.json()["errors"]
    assert reply.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    return reply.status_code, error["errorType"], error["message"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_token_that_is_forged_below_is_good(
    provider: Provider, genuine: dict[str, Genuine], algorithm: str
) -> None:
    """The refusals below could not be for another reason, and the parts put together again are the token."""
    good = genuine[algorithm]
    assert provider.server.report(good.signed(good.raw)).status_code == 200


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", OF_EVERY_ALGORITHM)
def test_a_forgery_is_refused_under_every_algorithm(
    provider: Provider, genuine: dict[str, Genuine], name: str, algorithm: str
) -> None:
    assert said(provider, OF_EVERY_ALGORITHM[name](genuine[algorithm])) == REFUSED


@pytest.mark.parametrize("name", OF_ONE_ALGORITHM)
def test_a_forgery_for_one_algorithm_is_refused(provider: Provider, genuine: dict[str, Genuine], name: str) -> None:
    algorithm, forged = OF_ONE_ALGORITHM[name]
    assert said(provider, forged(genuine[algorithm])) == REFUSED


@pytest.mark.parametrize(("ours", "other"), list(itertools.permutations(ALGORITHMS, 2)))
def test_a_token_under_the_kid_of_another_algorithms_key_is_refused(
    provider: Provider, genuine: dict[str, Genuine], ours: str, other: str
) -> None:
    """threats T1: with its own algorithm's name in the header, and with the other's."""
    assert said(provider, forge.key_of(other)(genuine[ours])) == REFUSED
    assert said(provider, forge.key_and_name_of(other)(genuine[ours])) == REFUSED


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_token_is_still_good_after_all_that(
    provider: Provider, genuine: dict[str, Genuine], algorithm: str
) -> None:
    """Refused forgeries cost the genuine token nothing."""
    good = genuine[algorithm]
    assert provider.server.report(good.token).status_code == 200
