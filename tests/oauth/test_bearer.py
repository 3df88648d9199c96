"""Every text that is not a valid access token is refused (threats T1-T11, D20)."""

import base64
import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_private_key
from joserfc import jws
from joserfc.jwk import OctKey

from credence.crypto import base64url
from credence.crypto.jws import ALGORITHMS, SigningKey, sign
from credence.crypto.sealing import unseal
from credence.oauth.tokens.access_token import Claims
from credence.store.signing_keys import private_key_name
from tests.deployment import KEKS, NOW, REPORT_PATH, Deployment, OpenDeployment

REFUSED = (401, "Unauthorized", "Access token is Invalid.")


def b64(value: Any) -> str:
    return base64url.encode(value if isinstance(value, bytes) else json.dumps(value).encode())


def parts(token: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    header, payload, signature = token.split(".")
    return json.loads(base64url.decode(header)), json.loads(base64url.decode(payload)), signature


def signing_key(deployment: Deployment, token: str) -> SigningKey:
    return deployment.service.authority.ring.private[parts(token)[0]["kid"]]


async def private_half(deployment: Deployment, token: str) -> Any:
    """The native private key, as the store holds it sealed."""
    name = private_key_name(parts(token)[0]["kid"])
    data = unseal(KEKS, name, (await deployment.store.sealed_secrets())[name])
    return load_der_private_key(data, password=None)


async def expect_refused(deployment: Deployment, token: str) -> None:
    reply = await deployment.report(token)
    assert reply.said == REFUSED, token[:200]
    assert reply.headers["www-authenticate"] == 'Bearer error="invalid_token"'


async def test_a_good_token_is_accepted_by_the_same_path(deployment: Deployment) -> None:
    """The refusals below could not be for another reason."""
    token = (await deployment.tokens())["access_token"]
    assert (await deployment.report(token)).status == 200


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
async def test_no_public_key_in_any_encoding_is_a_shared_secret(
    open_deployment: OpenDeployment, algorithm: str
) -> None:
    """threats T1."""
    deployment = await open_deployment(algorithm=algorithm)
    token = (await deployment.tokens())["access_token"]
    header, payload, _ = parts(token)
    public = (await private_half(deployment, token)).public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    encodings = [
        pem,
        pem.replace(b"\n", b"\r\n"),
        b" " + pem,
        b"\n" + pem,
        b"\xef\xbb\xbf" + pem,
        pem.replace(b"-----BEGIN PUBLIC", b"-----BEGIN  PUBLIC"),
        pem.replace(b"\n", b""),
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        json.dumps(dict(deployment.service.authority.ring.verifying[header["kid"]].jwk)).encode(),
    ]
    for secret in encodings:
        for typ in ("at+jwt", "JWT"):
            key = OctKey(secret, {"kty": "oct", "k": base64url.encode(secret)})
            forged = jws.serialize_compact(
                {"alg": "HS256", "kid": header["kid"], "typ": typ}, json.dumps(payload), key, algorithms=["HS256"]
            )
            await expect_refused(deployment, forged)


@pytest.mark.settings(algorithm="RS256")
async def test_one_key_has_one_algorithm(deployment: Deployment) -> None:
    """threats T1: a PS256 signature by the RS256 key is refused."""
    token = (await deployment.tokens())["access_token"]
    payload = base64url.decode(token.split(".")[1])
    signer = ALGORITHMS["PS256"].signer(await private_half(deployment, token))
    forged = sign(SigningKey(parts(token)[0]["kid"], "PS256", signer), "at+jwt", payload)
    await expect_refused(deployment, forged)


NONES = ["".join(letters) for letters in itertools.product(*zip("none", "NONE", strict=True))]


@pytest.mark.parametrize("alg", [*NONES, None, [], 1, "", "HS256", ["RS256"], "ES256 "])
async def test_no_algorithm_but_the_keys_own_is_taken_from_a_token(deployment: Deployment, alg: Any) -> None:
    """threats T2."""
    token = (await deployment.tokens())["access_token"]
    header, _, signature = parts(token)
    payload = token.split(".")[1]
    for ending in ("", signature):
        await expect_refused(deployment, f"{b64({**header, 'alg': alg})}.{payload}.{ending}")
    without = {name: value for name, value in header.items() if name != "alg"}
    await expect_refused(deployment, f"{b64(without)}.{payload}.{signature}")


async def test_only_three_compact_parts_are_a_token(deployment: Deployment) -> None:
    """threats T3."""
    token = (await deployment.tokens())["access_token"]
    header, payload, signature = token.split(".")
    general = {"payload": payload, "signatures": [{"protected": header, "signature": signature}]}
    for forged in (
        f"{header}.{payload}",
        f"{header}.{payload}.",
        f"{header}..{signature}",
        f".{payload}.{signature}",
        f"{token}.{signature}",
        f"{token}.",
        f"{token}.a.b",
        json.dumps(general).replace(" ", ""),
        json.dumps({"payload": payload, "signatures": []}).replace(" ", ""),
        json.dumps({"payload": payload, "protected": header, "signature": signature}).replace(" ", ""),
    ):
        await expect_refused(deployment, forged)


@pytest.mark.parametrize(
    "kid", ["' OR 1=1 --", "*)(uid=*", "../../../dev/null", "\0", "k" * 5000, [], 1, None, "", {"a": 1}]
)
async def test_an_unknown_key_id_is_only_unknown(deployment: Deployment, kid: Any) -> None:
    """threats T4: found in a dict or not at all."""
    token = (await deployment.tokens())["access_token"]
    header, _, signature = parts(token)
    await expect_refused(deployment, f"{b64({**header, 'kid': kid})}.{token.split('.')[1]}.{signature}")


@pytest.mark.parametrize(
    "extra",
    [
        {"jku": "https://127.0.0.1:1/keys"},
        {"x5u": "https://127.0.0.1:1/cert"},
        {"jwk": {"kty": "oct", "k": "AAAA"}},
        {"x5c": ["MIIB"]},
        {"crit": ["exp"]},
        {"crit": ["b64"], "b64": False},
        {"b64": True},
        {"zip": "DEF"},
        {"cty": "JWT"},
    ],
)
async def test_a_header_with_anything_we_do_not_write_is_refused_though_well_signed(
    deployment: Deployment, extra: dict[str, Any]
) -> None:
    """threats T5, T6: signed by our own key, so that only the header can be the reason."""
    token = (await deployment.tokens())["access_token"]
    header, _, _ = parts(token)
    signing_input = f"{b64({**header, **extra})}.{token.split('.')[1]}"
    signature = signing_key(deployment, token).sign(signing_input.encode())
    await expect_refused(deployment, f"{signing_input}.{base64url.encode(signature)}")


async def test_a_token_has_one_spelling(deployment: Deployment) -> None:
    """threats T7, I2: no padding, no white space, no unused bits; so a revoked token stays revoked."""
    token = (await deployment.tokens())["access_token"]
    header, payload, signature = token.split(".")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    last = alphabet.index(signature[-1])
    for spelling in (
        token + "=",
        token + "==",
        f"{header}=.{payload}.{signature}",
        f"{header}.{payload}==.{signature}",
        token + "%3D",
        token[:-1] + alphabet[last ^ 1],
        token.replace("_", "/").replace("-", "+") + "+",
    ):
        await expect_refused(deployment, spelling)


async def test_every_byte_of_a_token_matters(deployment: Deployment) -> None:
    """threats T7: each character changed in turn."""
    token = (await deployment.tokens())["access_token"]
    for place, character in enumerate(token):
        changed = token[:place] + ("A" if character != "A" else "B") + token[place + 1 :]
        await expect_refused(deployment, changed)


@pytest.mark.parametrize("typ", ["JWT", "jwt", "", "AT+JWT", "application/at+jwt", "id+jwt", "logout+jwt"])
async def test_one_type_of_token_is_not_another(deployment: Deployment, typ: str) -> None:
    """threats T8."""
    token = (await deployment.tokens())["access_token"]
    payload = base64url.decode(token.split(".")[1])
    await expect_refused(deployment, sign(signing_key(deployment, token), typ, payload))


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://elsewhere.example"},
        {"iss": ["https://localhost:8443"]},
        {"iss": None},
        {"aud": "https://elsewhere.example"},
        {"aud": ["https://localhost:8443"]},
        {"sub": "nobody"},
        {"sub": ["ada"]},
        {"client_id": "crd_sbx_app_unknown"},
        {"exp": str(NOW // 1000 + 100)},
        {"exp": NOW / 1000 + 100.5},
        {"exp": -1},
        {"exp": None},
        {"exp": 10**30},
        {"exp": True},
        {"exp": NOW // 1000 + 86_401},
        {"iat": NOW // 1000 + 12, "exp": NOW // 1000 + 100},
        {"iat": "now"},
        {"jti": 7},
        {"more": "members"},
    ],
)
async def test_claims_of_the_wrong_shape_are_refused_though_well_signed(
    deployment: Deployment, changes: dict[str, Any]
) -> None:
    """threats T9."""
    token = (await deployment.tokens())["access_token"]
    payload = parts(token)[1] | changes
    await expect_refused(deployment, sign(signing_key(deployment, token), "at+jwt", json.dumps(payload).encode()))


@pytest.mark.parametrize("missing", [each.name for each in msgspec.structs.fields(Claims) if each.required])
async def test_a_claim_that_is_missing_is_refused(deployment: Deployment, missing: str) -> None:
    """threats T9."""
    token = (await deployment.tokens())["access_token"]
    payload = {name: value for name, value in parts(token)[1].items() if name != missing}
    await expect_refused(deployment, sign(signing_key(deployment, token), "at+jwt", json.dumps(payload).encode()))


@pytest.mark.parametrize(("ahead", "accepted"), [(9_500, True), (10_500, True), (11_500, False)])
async def test_another_nodes_clock_may_be_ten_seconds_ahead(deployment: Deployment, ahead: int, accepted: bool) -> None:
    """threats T11: the token was issued at NOW, whose iat is half a second earlier."""
    token = (await deployment.tokens())["access_token"]
    deployment.now = NOW - ahead
    assert ((await deployment.report(token)).status == 200) is accepted


async def test_a_token_of_another_environment_is_refused(open_deployment: OpenDeployment, tmp_path: Path) -> None:
    """spec §5.11, D18, threats T8: other keys and another issuer."""
    sandbox = await open_deployment(tmp_path / "sandbox")
    uat = await open_deployment(tmp_path / "uat", environment="uat", base_url="https://uat.example")
    await expect_refused(sandbox, (await uat.tokens())["access_token"])


async def test_a_very_long_token_is_refused_before_it_is_decoded(deployment: Deployment) -> None:
    """threats T10: over the header limit it never reaches the verifier; below it, it is refused unread."""
    token = base64.urlsafe_b64encode(b"x" * 6_000).decode()
    assert (await deployment.report(token)).status == 401
    assert (await deployment.report(token * 20)).said == (
        401,
        "Unauthorized",
        "Access to the requested resource is not allowed.",
    )


async def test_a_token_we_wrote_is_read_by_another_implementation(deployment: Deployment) -> None:
    """spec §2.7, §1.4: joserfc alone, from the published key set."""
    from joserfc.jwk import KeySet

    for algorithm in ("RS256", "ES256", "PS256"):
        await deployment.change_application(algorithm=algorithm)
        token = (await deployment.tokens())["access_token"]
        published = KeySet.import_key_set(json.loads((await deployment.send("GET", "/oauth2/v1/keys")).body))
        read = jws.deserialize_compact(token, published, algorithms=[algorithm])
        assert msgspec.json.decode(read.payload)["sub"] == "ada"


@pytest.mark.parametrize("spaces", [1, 2, 5])
async def test_several_spaces_may_follow_the_scheme(deployment: Deployment, spaces: int) -> None:
    """RFC 9110 §11.4; a scheme without a token is still malformed (D20)."""
    token = (await deployment.tokens())["access_token"]
    path = f"{REPORT_PATH}/99999999"
    for scheme, status in (("Bearer", 200), ("DPoP", 401)):
        reply = await deployment.send("GET", path, [("Authorization", scheme + " " * spaces + token)])
        assert reply.status == status
    assert "invalid_token" in reply.headers["www-authenticate"], "the token was read, and is not bound to a key"
    without = await deployment.send("GET", path, [("Authorization", "Bearer" + " " * spaces)])
    assert without.said == (401, "Unauthorized", "Access to the requested resource is not allowed.")
