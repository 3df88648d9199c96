"""Which texts are tokens of this deployment, and the reason that each other text is refused for (threats T1 to T10)."""

import base64
import json

import pytest

from credence.crypto import jwk, jws

NEW = jwk.generate("EdDSA")
KEYS = {NEW.kid: jwk.verifying_key(NEW.public)}
TOKEN = jws.sign(jwk.signing_key(NEW.kid, "EdDSA", NEW.private), "at+jwt", b'{"sub":"ada"}')
HEADER, PAYLOAD, SIGNATURE = TOKEN.split(".")


def header(**members: str) -> str:
    text = json.dumps({"alg": "EdDSA", "kid": NEW.kid, "typ": "at+jwt"} | members, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_a_token_has_the_header_of_its_key_and_its_type() -> None:
    assert header() == HEADER
    assert jws.verify(KEYS, "at+jwt", TOKEN) == b'{"sub":"ada"}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{HEADER}.{'A' * (8_192 - len(HEADER) - len(SIGNATURE) - 2)}.{SIGNATURE}", "token.bad_signature"),
        (f"{HEADER}.{'A' * (8_193 - len(HEADER) - len(SIGNATURE) - 2)}.{SIGNATURE}", "token.too_long"),
        (f"{HEADER}.{PAYLOAD}", "token.not_compact"),
        (f"{TOKEN}.{SIGNATURE}", "token.not_compact"),
        (f"{HEADER}..{SIGNATURE}", "token.not_compact"),
        (f"e30.{PAYLOAD}.{SIGNATURE}", "token.malformed"),
        (f"{header(crit='exp')}.{PAYLOAD}.{SIGNATURE}", "token.malformed"),
        (f"{HEADER}.{PAYLOAD}=.{SIGNATURE}", "token.malformed"),
        (f"{HEADER}.{PAYLOAD}.{SIGNATURE}=", "token.malformed"),
        (f"{header(kid='another')}.{PAYLOAD}.{SIGNATURE}", "token.unknown_key"),
        (f"{header(alg='none')}.{PAYLOAD}.{SIGNATURE}", "token.unexpected_header"),
        (f"{header(typ='JWT')}.{PAYLOAD}.{SIGNATURE}", "token.unexpected_header"),
        (f"{HEADER}.e30.{SIGNATURE}", "token.bad_signature"),
    ],
)
def test_another_text_is_refused_for_what_is_wrong_with_it(text: str, reason: str) -> None:
    with pytest.raises(jws.InvalidSignature) as refused:
        jws.verify(KEYS, "at+jwt", text)
    assert refused.value.args == (reason,)
