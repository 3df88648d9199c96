"""Every fault of a proof, at the API and at the token endpoint alike (RFC 9449 §4.3): code, status and challenge."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from joserfc import jws
from joserfc.jwk import OctKey

from credence.crypto.jws import ALGORITHMS
from credence.store.transfer.tables import FAMILIES
from tests.deployment import TOKEN_PATH, Deployment
from tests.oauth.proving import ISSUER, REPORT, Key, Prover, encoded
from tests.oauth.standard import error
from tests.sweeps import many

Write = Callable[[Prover, dict[str, Any]], str]
"""Given what a good proof would claim: writes one that is wrong in one way."""

INVALID, NONCE = "invalid_dpop_proof", "use_dpop_nonce"
OFF_THE_CURVE = encoded(bytes(31) + b"\x01")


def with_header(**changed: Any) -> Write:
    def write(client: Prover, said: dict[str, Any]) -> str:
        header = {name: value for name, value in (client.header() | changed).items() if value is not None}
        return client.key.signed(header, said)

    return write


def with_claims(**changed: Any) -> Write:
    def write(client: Prover, said: dict[str, Any]) -> str:
        kept = {name: value for name, value in (said | changed).items() if value is not None}
        return client.key.signed(client.header(), kept)

    return write


def with_jwk(**changed: Any) -> Write:
    def write(client: Prover, said: dict[str, Any]) -> str:
        jwk = {name: value for name, value in (client.key.jwk | changed).items() if value is not None}
        return client.key.signed({**client.header(), "jwk": jwk}, said)

    return write


def weak(_client: Prover, said: dict[str, Any]) -> str:
    private = rsa.generate_private_key(65_537, 1_024)  # noqa: S505 - to be refused
    jwk = {"kty": "RSA", "n": encoded(private.public_key().public_numbers().n.to_bytes(128, "big")), "e": "AQAB"}
    signing_input = f"{encoded({'typ': 'dpop+jwt', 'alg': 'RS256', 'jwk': jwk})}.{encoded(said)}"
    return f"{signing_input}.{encoded(ALGORITHMS['RS256'].signer(private)(signing_input.encode()))}"


def shared_secret(client: Prover, said: dict[str, Any]) -> str:
    """The public key as a secret that both know (threats T1)."""
    header = {**client.header(), "alg": "HS256"}
    return jws.serialize_compact(header, json.dumps(said), OctKey.import_key("s" * 32), algorithms=["HS256"])


def octets_as_key(_client: Prover, said: dict[str, Any]) -> str:
    header = {"typ": "dpop+jwt", "alg": "HS256", "jwk": {"kty": "oct", "k": encoded(b"s" * 32)}}
    return jws.serialize_compact(header, json.dumps(said), OctKey.import_key("s" * 32), algorithms=["HS256"])


def other_signer(client: Prover, said: dict[str, Any]) -> str:
    return Key().signed(client.header(), said)


def unsigned(client: Prover, said: dict[str, Any]) -> str:
    return f"{encoded({**client.header(), 'alg': 'none'})}.{encoded(said)}."


def cut(client: Prover, said: dict[str, Any]) -> str:
    return client.key.signed(client.header(), said)[:-4]


def twice(client: Prover, said: dict[str, Any]) -> str:
    proof = client.key.signed(client.header(), said)
    return f"{proof}, {proof}"


def oversized(client: Prover, said: dict[str, Any]) -> str:
    return client.key.signed({**client.header(), "more": "x" * 2_048}, said)


def endless(client: Prover, said: dict[str, Any]) -> str:
    """A number that JSON allows and no float holds."""
    return client.key.signed(client.header(), json.dumps(said | {"iat": "?"}).replace('"?"', "1e999").encode())


FAULTS: dict[str, tuple[Write, str]] = {
    "item 1: a list of two": (twice, INVALID),
    "item 2: nothing": (lambda _client, _said: "", INVALID),
    "item 2: one word": (lambda _client, _said: "proof", INVALID),
    "item 2: two parts": (lambda client, said: client.key.signed(client.header(), said).rpartition(".")[0], INVALID),
    "item 2: four parts": (lambda client, said: client.key.signed(client.header(), said) + ".a", INVALID),
    "item 2: padding": (lambda client, said: client.key.signed(client.header(), said) + "==", INVALID),
    "item 2: claims no object": (lambda client, _said: client.key.signed(client.header(), []), INVALID),
    "item 2: header no object": (lambda client, said: client.key.signed([], said), INVALID),
    "item 2: oversized": (oversized, INVALID),
    "item 3: no jti": (with_claims(jti=None), INVALID),
    "item 3: empty jti": (with_claims(jti=""), INVALID),
    "item 3: a number as jti": (with_claims(jti=7), INVALID),
    "item 2: half a character": (with_claims(nonce="\ud800"), INVALID),
    "item 3: half a character as jti": (with_claims(jti="\ud800"), INVALID),
    "item 3: half a character as htu": (with_claims(htu=f"{ISSUER}{REPORT}\ud800"), INVALID),
    "item 3: no htm": (with_claims(htm=None), INVALID),
    "item 3: no htu": (with_claims(htu=None), INVALID),
    "item 3: no iat": (with_claims(iat=None), INVALID),
    "item 4: no typ": (with_header(typ=None), INVALID),
    "item 4: JWT": (with_header(typ="JWT"), INVALID),
    "item 4: letter case": (with_header(typ="DPoP+JWT"), INVALID),
    "item 4: an access token": (with_header(typ="at+jwt"), INVALID),
    "item 4: a list": (with_header(typ=["dpop+jwt"]), INVALID),
    "item 5: none": (unsigned, INVALID),
    "item 5: a shared secret": (shared_secret, INVALID),
    "item 5: a shared secret as the key": (octets_as_key, INVALID),
    "item 5: not on our list": (with_header(alg="ES384"), INVALID),
    "item 5: of another kind of key": (with_header(alg="RS256"), INVALID),
    "item 5: no alg": (with_header(alg=None), INVALID),
    "item 5: a list": (with_header(alg=["ES256"]), INVALID),
    "item 6: another key signed": (other_signer, INVALID),
    "item 6: cut": (cut, INVALID),
    "item 7: no jwk": (with_header(jwk=None), INVALID),
    "item 7: a private jwk": (with_jwk(d="AQAB"), INVALID),
    "item 7: text as jwk": (with_header(jwk="AQAB"), INVALID),
    "item 7: a list as jwk": (with_header(jwk=[]), INVALID),
    "item 7: an unknown type": (with_jwk(kty="AKP"), INVALID),
    "item 7: a list as type": (with_jwk(kty=["EC"]), INVALID),
    "item 7: another curve": (with_jwk(crv="P-384"), INVALID),
    "item 7: a point off the curve": (with_jwk(y=OFF_THE_CURVE), INVALID),
    "item 7: half a point": (with_jwk(y=None), INVALID),
    "item 7: a short coordinate": (with_jwk(x="AQAB"), INVALID),
    "item 7: half a character": (with_jwk(x="\ud800"), INVALID),
    "item 7: for encryption": (with_jwk(use="enc"), INVALID),
    "item 7: a small modulus": (weak, INVALID),
    "item 7: key elsewhere": (with_header(jku="https://127.0.0.1:1/keys"), INVALID),
    "RFC 7515 §4.1.11: critical": (with_header(crit=["exp"]), INVALID),
    "item 8: another method": (with_claims(htm="PUT"), INVALID),
    "item 8: letter case": (with_claims(htm="get"), INVALID),
    "item 9: another host": (with_claims(htu=f"https://elsewhere.example{REPORT}"), INVALID),
    "item 9: another path": (with_claims(htu=f"{ISSUER}/elsewhere"), INVALID),
    "item 9: no address": (with_claims(htu="here"), INVALID),
    "item 9: a number": (with_claims(htu=7), INVALID),
    "item 10: no nonce": (with_claims(nonce=None), NONCE),
    "item 10: not ours": (with_claims(nonce="bm90IG91cnMgYXQgYWxs"), NONCE),
    "item 10: a number": (with_claims(nonce=7), NONCE),
    "item 10: empty": (with_claims(nonce=""), NONCE),
    "item 11: text": (with_claims(iat="now"), INVALID),
    "item 11: true": (with_claims(iat=True), INVALID),
    "item 11: long ago": (with_claims(iat=1), INVALID),
    "item 11: huge": (with_claims(iat=10**30), INVALID),
    "item 11: infinite": (endless, INVALID),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_faulty_proof_is_refused_at_the_api(deployment: Deployment, fault: str) -> None:
    """RFC 9449 §7.1, §9: 401 with the error in the challenge and a fresh nonce; no report."""
    write, code = FAULTS[fault]

    client = Prover(deployment)
    token = await client.token()
    reply = await client.report(token, write(client, client.claims(token=token)) or "-")
    assert reply.status == 401
    assert reply.headers["www-authenticate"] == f'DPoP error="{code}", algs="RS256 PS256 ES256 EdDSA Ed25519"'
    assert reply.headers["dpop-nonce"]
    assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_faulty_proof_gets_no_token(deployment: Deployment, fault: str) -> None:
    """RFC 9449 §5, §8: 400 with the error in the body, and the login attempt has no effect."""
    write, code = FAULTS[fault]

    client = Prover(deployment)
    await client.token()
    opened = len(deployment.memory.rows(FAMILIES))
    reply = await client.log_in(write(client, client.claims("POST", TOKEN_PATH)) or "-")
    assert error(reply) == (400, code)
    assert reply.headers["dpop-nonce"]
    assert reply.headers["cache-control"] == "no-store"
    assert "access_token" not in reply.json
    assert len(deployment.memory.rows(FAMILIES)) == opened


@pytest.mark.parametrize("said", [None, "", 7, "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"])
async def test_a_proof_made_without_the_token_or_for_another_is_refused(deployment: Deployment, said: Any) -> None:
    """RFC 9449 §4.3 item 12; the last is the `ath` of §7.1's example."""
    client = Prover(deployment)
    token = await client.token()
    reply = await client.report(token, client.proof(token=token, ath=said))
    assert 'error="invalid_dpop_proof"' in reply.headers["www-authenticate"]


@pytest.mark.parametrize(("off", "good"), [(-301, False), (-300, True), (300, True), (301, False)])
async def test_a_clients_clock_may_be_five_minutes_off(deployment: Deployment, off: int, good: bool) -> None:
    """RFC 9449 §4.3 item 11, §11.1: our time is a whole second here."""
    deployment.now = 1_700_000_001_000
    client = Prover(deployment)
    token = await client.token()
    proof = client.proof(token=token, iat=1_700_000_001 + off)
    assert ((await client.report(token, proof)).status == 200) is good


async def test_two_fields_with_a_proof_are_no_proof(deployment: Deployment) -> None:
    """RFC 9449 §4.3 item 1."""
    client = Prover(deployment)
    token = await client.token()
    proofs = [("DPoP", client.proof(token=token)) for _ in range(2)]
    reply = await deployment.send("GET", REPORT, [("Authorization", f"DPoP {token}"), *proofs])
    assert 'error="invalid_dpop_proof"' in reply.headers["www-authenticate"]


async def test_the_host_that_the_client_names_means_nothing(deployment: Deployment) -> None:
    """threats P12: what counts is our public address."""
    client = Prover(deployment)
    token = await client.token()
    proof = client.proof(token=token, htu=f"https://elsewhere.example{REPORT}")
    named = [("X-Forwarded-Host", "elsewhere.example"), ("Forwarded", "host=elsewhere.example;proto=https")]
    shown = [("Authorization", f"DPoP {token}"), ("DPoP", proof)]
    reply = await deployment.send("GET", REPORT, [*shown, *named])
    assert 'error="invalid_dpop_proof"' in reply.headers["www-authenticate"]


@pytest.mark.sweep
async def test_nothing_made_of_a_proof_by_chance_is_one(deployment: Deployment) -> None:
    """Proofs with octets changed, cut out, put in and swapped: each is refused, and none is a surprise."""
    client, chance = Prover(deployment), random.Random(9449)
    token = await client.token()
    for _ in range(many(250, long=25_000)):
        proof = client.proof(token=token)
        at, length = chance.randrange(len(proof)), chance.randrange(1, 9)
        new = "".join(chr(chance.randrange(0x21, 0x7F)) for _ in range(chance.randrange(9)))
        spoilt = proof[:at] + new + proof[at + length :]
        if spoilt == proof:
            continue
        reply = await client.report(token, spoilt)
        assert reply.status == 401, spoilt
        assert "DPoP error=" in reply.headers["www-authenticate"]
