"""Sizes of the head and the body of a request (D3, D16, threats P1, P13)."""

import pytest

from credence.screening.limits import Limits
from credence.transport.bodies import check_body
from credence.web.messages.request import check_head
from tests.screening.refusal import refused

LIMITS = Limits()


def fields(count: int, size: int = 10) -> list[tuple[bytes, bytes]]:
    return [(b"x", b"y" * (size - 1))] * count


def test_the_limits_are_those_of_d16() -> None:
    assert (LIMITS.body, LIMITS.depth, LIMITS.members, LIMITS.name, LIMITS.string) == (16_384, 5, 20, 50, 1_024)
    assert (LIMITS.header_block, LIMITS.header_fields, LIMITS.header_field, LIMITS.url) == (32_768, 64, 8_192, 4_096)


@pytest.mark.parametrize("length", [4_095, 4_096])
def test_a_url_up_to_4_kib_passes(length: int) -> None:
    check_head(b"/" * length, b"", [], LIMITS)


def test_a_url_of_one_octet_more_is_refused() -> None:
    with refused("url.size"):
        check_head(b"/" * 4_097, b"", [], LIMITS)


def test_the_query_and_its_question_mark_count_as_url() -> None:
    check_head(b"/" * 96, b"q" * 3_999, [], LIMITS)
    with refused("url.size"):
        check_head(b"/" * 96, b"q" * 4_000, [], LIMITS)


@pytest.mark.parametrize("count", [0, 63, 64])
def test_up_to_64_header_fields_pass(count: int) -> None:
    check_head(b"/", b"", fields(count), LIMITS)


@pytest.mark.parametrize("count", [65, 640_000])
def test_more_header_fields_are_refused(count: int) -> None:
    with refused("header.count"):
        check_head(b"/", b"", fields(count), LIMITS)


@pytest.mark.parametrize("size", [8_191, 8_192])
def test_a_header_field_up_to_8_kib_passes(size: int) -> None:
    check_head(b"/", b"", fields(1, size), LIMITS)


@pytest.mark.parametrize("size", [8_193, 1_048_576])
def test_a_longer_header_field_is_refused(size: int) -> None:
    with refused("header.field"):
        check_head(b"/", b"", fields(1, size), LIMITS)


def test_the_name_of_a_header_field_counts() -> None:
    with refused("header.field"):
        check_head(b"/", b"", [(b"x" * 8_192, b"y")], LIMITS)


@pytest.mark.parametrize("last", [511, 512])
def test_a_header_block_up_to_32_kib_passes(last: int) -> None:
    check_head(b"/", b"", fields(63, 512) + fields(1, last), LIMITS)


def test_a_header_block_of_one_octet_more_is_refused() -> None:
    with refused("header.block"):
        check_head(b"/", b"", fields(63, 512) + fields(1, 513), LIMITS)


@pytest.mark.parametrize("value", [b"0", b"16383", b"16384", b"0000016384"])
def test_a_declared_length_up_to_16_kib_passes_and_is_told(value: bytes) -> None:
    assert check_head(b"/", b"", [(b"content-length", value)], LIMITS) == int(value)


def test_where_no_length_is_declared_none_is_told() -> None:
    assert check_head(b"/", b"", fields(3), LIMITS) is None


@pytest.mark.parametrize("value", [b"16385", b"9" * 10, b"9" * 11, b"9" * 5_000])
def test_a_larger_declared_length_is_refused(value: bytes) -> None:
    with refused("body.size"):
        check_head(b"/", b"", [(b"content-length", value)], LIMITS)


@pytest.mark.parametrize(
    "value", [b"", b"+1", b"-1", b" 1", b"1 ", b"1,1", b"0x10", b"1e3", b"1.0", "\uff11".encode(), b"1\0"]
)
def test_a_declared_length_that_is_not_plain_digits_is_refused(value: bytes) -> None:
    with refused("body.length"):
        check_head(b"/", b"", [(b"content-length", value)], LIMITS)


@pytest.mark.parametrize("second", [b"5", b"6"])
def test_a_second_declared_length_is_refused_equal_or_not(second: bytes) -> None:
    """threats P11."""
    with refused("body.length"):
        check_head(b"/", b"", [(b"content-length", b"5"), (b"content-length", second)], LIMITS)


@pytest.mark.parametrize("length", [0, 16_383, 16_384])
def test_a_body_up_to_16_kib_passes(length: int) -> None:
    check_body(length, LIMITS)


@pytest.mark.parametrize("length", [16_385, 163_840_000])
def test_a_larger_body_is_refused(length: int) -> None:
    with refused("body.size"):
        check_body(length, LIMITS)


def test_a_limit_is_what_the_value_says() -> None:
    check_head(b"/", b"", fields(2), Limits(header_fields=2))
    with refused("header.count"):
        check_head(b"/", b"", fields(2), Limits(header_fields=1))
