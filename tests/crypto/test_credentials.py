"""The format of credentials (D6, D18, threats T16)."""

import base64
import re
import zlib
from collections.abc import Callable

import pytest

from credence.crypto import randomness
from credence.crypto.randomness import checksum, new_client_id, new_client_secret


def test_a_secret_carries_its_environment_and_a_checksum_a_scanner_can_verify() -> None:
    """D18: the CRC-32 of the characters before it, in base 32."""
    secret = new_client_secret("sbx")
    assert secret.startswith("crd_sbx_sec_")
    assert checksum(secret[:-7]) == secret[-7:]
    changed = secret[:20] + ("a" if secret[20] != "a" else "b") + secret[21:]
    assert checksum(changed[:-7]) != secret[-7:]


def test_the_checksum_is_crc_32() -> None:
    """The check value of CRC-32 for "123456789" is cbf43926; in base 32 of its four bytes: zp2dsjq."""
    assert zlib.crc32(b"123456789") == 0xCBF43926
    assert checksum("123456789") == "zp2dsjq"


def test_credentials_are_letters_and_digits_so_that_a_double_click_selects_them() -> None:
    for credential in (new_client_id("prd"), new_client_secret("prd")):
        assert credential.replace("_", "").isalnum()
        assert credential == credential.lower()


def test_no_two_credentials_are_alike() -> None:
    assert len({new_client_id("sbx") for _ in range(10_000)}) == 10_000


@pytest.mark.parametrize(
    ("make", "form"),
    [
        (randomness.new_portfolio_id, "pf_[a-z2-7]{16}"),
        (randomness.new_webhook_id, "wh_[a-z2-7]{16}"),
        (randomness.new_stream_id, "st_[a-z2-7]{16}"),
        (randomness.new_password, "[a-z2-7]{26}"),
        (randomness.recovery_code, "[a-z2-7]{5}-[a-z2-7]{5}"),
    ],
)
def test_what_is_random_has_its_number_of_bits_in_base_32(make: Callable[[], str], form: str) -> None:
    """Five bits a letter: 80 of an id, 128 of a password, 50 of a recovery code in two groups."""
    assert re.fullmatch(form, make())


def test_an_id_keeps_its_last_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 4648 §6: only `=` is padding."""
    monkeypatch.setattr("secrets.token_bytes", lambda _count: base64.b32decode("AAAAAAAAAAAAAAAX"))
    assert randomness.new_portfolio_id() == "pf_aaaaaaaaaaaaaaax"
