"""A text under an authentication tag is valid for its key, kind and environment alone, and only as it was written."""

import base64
import hashlib

import pytest

from credence.crypto.tagged_text import TaggedText

KEY = b"k" * 32
KIND = TaggedText("tst", "first purpose")
SHORT = TaggedText("tst", "first purpose", tag_bytes=16)


def encoded(data: bytes | bytearray) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.mark.parametrize(("kind", "kept"), [(KIND, 32), (SHORT, 16)])
def test_a_text_is_its_prefix_and_in_base64url_the_tag_and_the_content(kind: TaggedText, kept: int) -> None:
    """RFC 7693: the tag is keyed BLAKE2b, personalized by the purpose, over the length of the content and the content."""
    tag = hashlib.blake2b(b"\0\0\0\7content", key=KEY, person=b"first purpose", digest_size=32).digest()[:kept]
    text = "crd_test_tst_" + encoded(tag + b"content")
    assert kind.write("test", KEY, b"content") == text
    assert kind.read("test", KEY, text) == b"content"


@pytest.mark.parametrize("kind", [KIND, SHORT])
def test_no_bit_of_a_text_can_be_changed_and_none_of_its_bytes_left_out(kind: TaggedText) -> None:
    prefix = "crd_test_tst_"
    body = kind.write("test", KEY, b"content").removeprefix(prefix)
    data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        assert kind.read("test", KEY, prefix + encoded(changed)) is None
    for length in range(len(data)):
        assert kind.read("test", KEY, prefix + encoded(data[:length])) is None


def test_a_text_is_not_valid_as_another_kind_or_elsewhere() -> None:
    text = KIND.write("test", KEY, b"content")
    assert TaggedText("tst", "second purpose").read("test", KEY, text) is None
    assert TaggedText("oth", "first purpose").read("test", KEY, text) is None
    assert KIND.read("live", KEY, text) is None
    assert KIND.read("test", b"x" * 32, text) is None


@pytest.mark.parametrize("text", ["", "crd_test_tst_", "crd_test_tst_=", "crd_test_tst_é", "crd_test_tst_\0", "other"])
def test_any_other_text_has_no_content(text: str) -> None:
    assert KIND.read("test", KEY, text) is None
