"""The parts of a proof's check, against the examples of RFC 9449 and RFC 7638 and against arithmetic."""

import itertools

import pytest

from credence.crypto.client_jws import is_signed_by, read
from credence.crypto.client_key import public_key
from credence.oauth.dpop import nonce as nonces
from credence.oauth.dpop import proof as proofs
from credence.oauth.dpop.memory import ProofMemory
from credence.oauth.dpop.proof import MadeFor, same_address
from credence.refusals.refusal import Refused
from tests.oauth.proving import ath

HEADER = (
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRj"
    "QyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19"
)
AT_TOKEN_ENDPOINT = (
    f"{HEADER}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuI"
    "iwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
)
"""RFC 9449 §4.1, §5: the same proof in both."""

AT_API = (
    f"{HEADER}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZW"
    "N0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9"
    ".2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
)
"""RFC 9449 §7.1."""

THUMBPRINT = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
"""Of that key: RFC 9449 §6.1."""

ACCESS_TOKEN = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
"""RFC 9449 §7.1, beside the proof."""


@pytest.mark.parametrize("example", [AT_TOKEN_ENDPOINT, AT_API])
def test_the_examples_of_the_standard_are_signed_by_the_key_they_show(example: str) -> None:
    """RFC 9449 §4.1, §5, §7.1, §6.1."""
    proof = read(example, with_key=True)
    key = public_key(proof.header["jwk"], proof.algorithm)
    assert is_signed_by(proof, key)
    assert key.kid == THUMBPRINT


def test_the_examples_name_their_token_by_its_hash() -> None:
    """RFC 9449 §7.1: `ath` beside the access token of the figure."""
    assert (
        read(AT_API, with_key=True).claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" == ath(ACCESS_TOKEN)
    )


@pytest.mark.parametrize(
    ("example", "asked", "at"),
    [
        (AT_TOKEN_ENDPOINT, MadeFor("POST", "https://server.example.com/token"), 1_562_262_616_000),
        (AT_API, MadeFor("GET", "https://resource.example.org/protectedresource", ACCESS_TOKEN), 1_562_262_618_000),
    ],
)
def test_the_examples_lack_nothing_but_our_nonce(example: str, asked: MadeFor, at: int) -> None:
    """RFC 9449 §5, §7.1: every other question is passed, and each spoils the answer when it is not."""
    with pytest.raises(Refused, match=r"dpop\.nonce"):
        proofs.check(ProofMemory(), bytes(32), example, asked, at)
    with pytest.raises(Refused, match=r"dpop\.method"):
        proofs.check(ProofMemory(), bytes(32), example, MadeFor("PUT", asked.address, asked.token), at)
    with pytest.raises(Refused, match=r"dpop\.address"):
        proofs.check(ProofMemory(), bytes(32), example, MadeFor(asked.method, asked.address + "/", asked.token), at)
    with pytest.raises(Refused, match=r"dpop\.time"):
        proofs.check(ProofMemory(), bytes(32), example, asked, at + 301_000)


OURS = "https://api.example:8443/risk/v1/%5Bco%5D/SC1~2"


@pytest.mark.parametrize(
    "said",
    [
        OURS,
        f"{OURS}?RegNumber=1",
        f"{OURS}#part",
        f"{OURS}?a#b?c",
        "HTTPS://api.example:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://API.Example:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:8443/risk/v1/%5bco%5d/SC1~2",
        "https://api.example:8443/risk/v1/%5Bco%5D/%53C1%7E2",
    ],
)
def test_another_spelling_of_an_address_is_that_address(said: str) -> None:
    """RFC 9449 §4.3, RFC 3986 §6.2.2.1, §6.2.2.2."""
    assert same_address(said, OURS)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "/risk/v1/%5Bco%5D/SC1~2",
        "http://api.example:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:8443/risk/v1/%5Bco%5D/SC1~2/",
        "https://api.example:8443/risk/v1/%5Bco%5D//SC1~2",
        "https://api.example:8443/RISK/v1/%5Bco%5D/SC1~2",
        "https://api.example:8443/risk/v1/%255Bco%255D/SC1~2",
        "https://api.example:8443/risk/v1/[co]/SC1~2",
        "https://api.example:8443/risk%2Fv1/%5Bco%5D/SC1~2",
        "https://api.example.:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:8443@elsewhere.example/risk/v1/%5Bco%5D/SC1~2",
        "https://elsewhere@api.example:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:99999/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:x/risk/v1/%5Bco%5D/SC1~2",
        "https://[api.example:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:8443/risk/v1/%5Bco%5D/SC1~2 ",
        " https://api.example:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.exa\tmple:8443/risk/v1/%5Bco%5D/SC1~2",
        "https://api.example:8443/risk/v1/%5Bco%5D/SC1~2\n",
        "https:\\\\api.example:8443\\risk\\v1\\%5Bco%5D\\SC1~2",
        "https://\N{CYRILLIC SMALL LETTER A}pi.example:8443/risk/v1/%5Bco%5D/SC1~2",
        "ftp://api.example:8443/risk/v1/%5Bco%5D/SC1~2",
        f"view-source:{OURS}",
    ],
)
def test_another_address_is_another(said: str) -> None:
    """RFC 9449 §4.3 item 9, threats P12."""
    assert not same_address(said, OURS)


@pytest.mark.parametrize(
    ("said", "ours"),
    [
        ("https://api.example:443/a", "https://api.example/a"),
        ("https://api.example:/a", "https://api.example/a"),
        ("http://api.example:80/a", "http://api.example/a"),
        ("https://api.example", "https://api.example/"),
        ("https://[::1]:443/a", "https://[::1]/a"),
    ],
)
def test_the_default_port_and_the_empty_path_may_be_left_out(said: str, ours: str) -> None:
    """RFC 3986 §6.2.3."""
    assert same_address(said, ours)


KEY, NOW = b"k" * 32, 1_700_000_010_000
"""The beginning of a step: 1,700,000,010,000 is 15,000 times 113,333,334."""


def test_a_nonce_is_valid_for_twenty_steps_of_fifteen_seconds() -> None:
    """RFC 9449 §8: five minutes from the beginning of its step."""
    nonce = nonces.newest(KEY, NOW)
    assert nonces.newest(KEY, NOW + 14_999) == nonce != nonces.newest(KEY, NOW + 15_000)
    assert nonces.step_of(KEY, nonce, NOW + 299_999) == 113_333_334
    assert nonces.step_of(KEY, nonce, NOW + 300_000) is None


def test_a_node_whose_clock_is_behind_takes_the_nonce_of_one_ahead() -> None:
    """threats T11: ten seconds, and no more."""
    nonce = nonces.newest(KEY, NOW)
    assert nonces.step_of(KEY, nonce, NOW - 10_000) == 113_333_334
    assert nonces.step_of(KEY, nonce, NOW - 10_001) is None


def test_a_mark_is_kept_until_no_node_takes_the_nonce() -> None:
    """RFC 9449 §11.1: 300 seconds, and ten for a node whose clock is behind."""
    assert nonces.useless_from(113_333_334) == NOW + 310_000


def test_a_nonce_of_another_deployment_is_refused() -> None:
    """D18."""
    assert nonces.step_of(KEY, nonces.newest(b"o" * 32, NOW), NOW) is None


def mark(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_memory_that_is_full_refuses_the_oldest_nonce_before_it_forgets() -> None:
    """RFC 9449 §11.1: bounded, and no proof passes twice."""
    memory = ProofMemory(max_proofs=4)
    for number, step in enumerate((10, 10, 11, 11)):
        assert memory.consume_once(mark(number), step, oldest=0)
    assert memory.remembers(10)
    assert memory.consume_once(mark(4), 12, oldest=0)
    assert not memory.remembers(10)
    assert memory.remembers(11)
    assert not memory.consume_once(mark(2), 11, oldest=0)


def test_memory_that_one_step_fills_refuses_that_step() -> None:
    """RFC 9449 §11.1: there is no third way between forgetting and growing."""
    memory = ProofMemory(max_proofs=4)
    for number in range(5):
        assert memory.remembers(10)
        assert memory.consume_once(mark(number), 10, oldest=0)
    assert not memory.remembers(10)
    assert memory.remembers(11)


def test_a_new_process_takes_no_nonce_from_before_it_began() -> None:
    """RFC 9449 §11.1: what was used with it, an earlier process knew."""
    memory = ProofMemory(since=NOW + 14_999)
    assert memory.remembers(113_333_334)
    assert not memory.remembers(113_333_333)


def test_no_proof_is_spent_twice_however_long_it_goes_on() -> None:
    """10,000 proofs over 500 steps, each tried twice, in memory for a tenth of those that could be."""
    memory = ProofMemory(max_proofs=40)
    for step, number in itertools.product(range(500), range(20)):
        assert memory.remembers(step)
        assert memory.consume_once(mark(number), step, oldest=step - 20)
        assert not memory.consume_once(mark(number), step, oldest=step - 20)
