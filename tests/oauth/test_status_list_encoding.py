"""The status list against the examples and vectors of draft-ietf-oauth-status-list §4 and Appendix C.1."""

import zlib

import pytest

from credence.crypto import base64url
from credence.oauth.status_lists import all_valid, compressed, invalidate, invalidate_block

SIXTEEN = (1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1)
"""Of §4: the statuses of 16 tokens, which make the octets 0xB9 and 0xA3."""

A_MILLION = (0, 1993, 25460, 159495, 495669, 554353, 645645, 723232, 854545, 934534, 1000345)
"""Of Appendix C.1: which of 2^20 tokens are invalid."""

A_MILLION_ENCODED = (
    "eNrt3AENwCAMAEGogklACtKQPg9LugC9k_ACvreiogE"
    "AAKkeCQAAAAAAAAAAAAAAAAAAAIBylgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAXG9IAAAAAAAAAPwsJAAAAAAAAAAAAAAAvhsSAAAAAAAAAAA"
    "A7KpLAAAAAAAAAAAAAAAAAAAAAJsLCQAAAAAAAAAAADjelAAAAAAAAAAAKjDMAQAAA"
    "ACAZC8L2AEb"
)


def test_the_first_token_of_an_octet_is_its_least_significant_bit() -> None:
    """§4, the figure."""
    bits = bytearray(2)
    for index, status in enumerate(SIXTEEN):
        if status:
            invalidate(bits, index)
    assert bits == b"\xb9\xa3"
    assert compressed(bits).bits == 1
    assert zlib.decompress(base64url.decode(compressed(bits).lst)) == b"\xb9\xa3"


def test_the_vector_of_a_million_tokens_is_met() -> None:
    """Appendix C.1. Two DEFLATE encoders may differ in their octets, never in what those mean."""
    bits = all_valid()
    assert len(bits) == 2**20 // 8
    for index in A_MILLION:
        invalidate(bits, index)
    expected = zlib.decompress(base64url.decode(A_MILLION_ENCODED))
    assert bits == expected
    assert zlib.decompress(base64url.decode(compressed(bits).lst)) == expected
    assert len(compressed(bits).lst) == len(A_MILLION_ENCODED)


@pytest.mark.parametrize("index", [0, 16, 2**20 - 16])
def test_a_block_is_sixteen_tokens_and_no_more(index: int) -> None:
    bits = all_valid()
    invalidate_block(bits, index)
    invalid = [each for each in range(2**20) if bits[each // 8] >> each % 8 & 1]
    assert invalid == list(range(index, index + 16))
