"""One-time codes, against the vectors of RFC 6238 appendix B and another implementation."""

from urllib.parse import parse_qs, urlsplit

import pyotp
import pytest

from credence.crypto import one_time_codes

KEY = b"12345678901234567890"


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1_111_111_109, "07081804"),
        (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"),
        (20_000_000_000, "65353130"),
    ],
)
def test_the_codes_are_those_of_the_rfc(seconds: int, code: str) -> None:
    assert one_time_codes.code_at(KEY, seconds // 30, digits=8) == code


def test_a_uri_is_read_by_another_implementation_to_the_same_codes() -> None:
    key = one_time_codes.new_key()
    uri = one_time_codes.key_uri(key, "Müller & Söhne: Kredit", "ada@example.com")
    app = pyotp.parse_uri(uri)
    assert isinstance(app, pyotp.TOTP)
    assert (app.name, app.issuer) == ("ada@example.com", "Müller & Söhne: Kredit".replace(":", " "))
    for step in range(50):
        assert app.at(step * 30) == one_time_codes.code_at(key, step)
    assert parse_qs(urlsplit(uri).query) == {
        "secret": [one_time_codes.key_text(key).replace(" ", "")],
        "issuer": ["Müller & Söhne  Kredit"],
        "algorithm": ["SHA1"],
        "digits": ["6"],
        "period": ["30"],
    }


def test_a_key_is_typed_in_groups_of_four_letters_of_base_32() -> None:
    """RFC 4648 §6, of the key of RFC 6238."""
    assert one_time_codes.key_text(KEY) == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ"


@pytest.mark.parametrize(("seconds", "accepted"), [(-31, False), (-30, True), (0, True), (59, True), (60, False)])
def test_a_code_is_accepted_from_the_step_before_its_own_to_the_one_after(seconds: int, accepted: bool) -> None:
    """RFC 6238 §5.2; the code is that of second 1,111,111,109."""
    step = 1_111_111_109 // 30
    now = (step * 30 + seconds) * 1000
    assert one_time_codes.step_of(KEY, "081804", now) == (step if accepted else None)


@pytest.mark.parametrize("text", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"])
def test_what_is_no_code_belongs_to_no_step(text: str) -> None:
    assert one_time_codes.step_of(KEY, text, 59_000) is None
