"""The signature of an access token is verified once, of many more tokens than have their claims cached."""

from collections.abc import Mapping

import msgspec
import pytest

from credence.crypto.jwk import generate, signing_key, verifying_key
from credence.crypto.jws import InvalidSignature, VerifyingKey, sign
from credence.oauth.tokens import verified_tokens
from credence.oauth.tokens.verified_tokens import VerifiedTokens
from tests.deployment import NOW

NEW = generate("ES256")
SIGNING = signing_key(NEW.kid, "ES256", NEW.private)


class Counted:
    """The key of the tokens, which counts the signatures that it verifies."""

    def __init__(self) -> None:
        self.verified = 0
        self._key = verifying_key(NEW.public)

    @property
    def keys(self) -> Mapping[str, VerifyingKey]:
        return {NEW.kid: VerifyingKey(NEW.kid, "ES256", self._key.jwk, self._verify)}

    def _verify(self, token: str) -> bool:
        self.verified += 1
        return self._key.verify(token)


def token(number: int) -> str:
    parties = {"iss": "https://api.example.com", "aud": "https://api.example.com", "client_id": "crd_sbx_app_a"}
    person = {"sub": "ada", "Email": None, "FirstName": None, "LastName": None, "account_type": "service"}
    members = {**parties, **person, "sid": "login", "auth_time": NOW // 1000}
    payload = {
        **members,
        "iat": NOW // 1000,
        "exp": NOW // 1000 + 60,
        "jti": f"token {number}",
        "scope": "credit:report",
    }
    return sign(SIGNING, "at+jwt", msgspec.json.encode(payload))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> VerifiedTokens:
    monkeypatch.setattr(verified_tokens, "MAX_ENTRIES", 2)
    return VerifiedTokens()


def test_a_token_whose_claims_are_no_longer_cached_is_not_verified_again(few: VerifiedTokens) -> None:
    """Six tokens, two generations of two: at most four have their claims in the cache."""
    tokens, counted = [token(number) for number in range(6)], Counted()
    first = [few.claims(counted.keys, each) for each in tokens]
    assert counted.verified == 6
    assert [few.claims(counted.keys, each) for each in tokens] == first
    assert [each.jti for each in first] == [f"token {number}" for number in range(6)]
    assert counted.verified == 6


def test_after_a_change_of_keys_every_token_is_verified_again(few: VerifiedTokens) -> None:
    tokens, counted = [token(number) for number in range(6)], Counted()
    for each in tokens:
        few.claims(counted.keys, each)
    few.forget()
    for each in tokens:
        few.claims(counted.keys, each)
    assert counted.verified == 12


def test_no_other_text_passes_for_a_verified_token(few: VerifiedTokens) -> None:
    """Each character of the signature changed in turn, and one of the payload."""
    good, counted = token(0), Counted()
    few.claims(counted.keys, good)
    start = good.rindex(".") + 1
    for place in [start - 2, *range(start, len(good) - 1)]:
        other = good[:place] + ("A" if good[place] != "A" else "B") + good[place + 1 :]
        with pytest.raises(InvalidSignature):
            few.claims(counted.keys, other)


def test_a_verified_token_of_a_key_that_is_gone_is_refused(few: VerifiedTokens) -> None:
    tokens, counted = [token(number) for number in range(6)], Counted()
    for each in tokens:
        few.claims(counted.keys, each)
    with pytest.raises(InvalidSignature, match="unknown_key"):
        few.claims({}, tokens[0])
