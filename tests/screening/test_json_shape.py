"""JSON threats (D16, threats P1, P2, P3, P10, P15)."""

import json
import tracemalloc
from contextlib import suppress

import pytest

from credence.refusals.refusal import Refused
from credence.screening.json_shape import Number, read_json
from credence.screening.limits import Limits
from tests.screening.refusal import refused

LIMITS = Limits()


def nested(depth: int) -> bytes:
    return b'{"a":' * depth + b'"x"' + b"}" * depth


def members(count: int) -> bytes:
    return json.dumps({f"m{n}": "x" for n in range(count)}).encode()


def test_a_token_request_is_read_as_it_stands() -> None:
    body = (
        b'{ "username": "o\'brien", "password": "\\u00e9\\t{[,]}\\"", "client_id": "\xc3\xa9", "extra": [true, null] }'
    )
    assert read_json(body, LIMITS) == {
        "username": "o'brien",
        "password": 'é\t{[,]}"',
        "client_id": "é",
        "extra": [True, None],
    }


def test_an_empty_body_has_no_members() -> None:
    assert read_json(b"", LIMITS) == {}
    assert read_json(b"{}", LIMITS) == {}


@pytest.mark.parametrize("depth", [1, 4, 5])
def test_depth_up_to_5_passes(depth: int) -> None:
    assert read_json(nested(depth), LIMITS) == json.loads(nested(depth))


@pytest.mark.parametrize("depth", [6, 50_000])
def test_more_depth_is_refused(depth: int) -> None:
    with refused("json.depth"):
        read_json(nested(depth), LIMITS)


@pytest.mark.parametrize("opening", [b"[", b"{", b'[{"a":', b'{"a":['])
def test_depth_without_end_is_refused_before_the_parser_sees_it(opening: bytes) -> None:
    with refused("json.depth"):
        read_json(opening * 100_000, LIMITS)


def holding(objects: int) -> bytes:
    """A document of exactly so many objects in all."""
    return b'{"a":[' + b",".join([b"[{},{},{}]"] * (objects // 4) + [b"{}"] * (objects % 4)) + b"]}"


def test_up_to_20_objects_and_arrays_in_all_pass() -> None:
    assert read_json(holding(18), LIMITS) == json.loads(holding(18))  # besides the outer object and its array


@pytest.mark.parametrize("objects", [19, 4_000])
def test_more_objects_and_arrays_in_all_are_refused(objects: int) -> None:
    with refused("json.containers"):
        read_json(holding(objects), LIMITS)


def test_arrays_count_as_depth() -> None:
    assert read_json(b'{"a":[[[["x"]]]]}', LIMITS) == {"a": [[[["x"]]]]}
    with refused("json.depth"):
        read_json(b'{"a":[[[[["x"]]]]]}', LIMITS)


def test_brackets_inside_strings_are_no_depth() -> None:
    assert read_json(b'{"a":"[[[[[[[[{{{{\\"[[[[[\\\\"}', LIMITS) == {"a": '[[[[[[[[{{{{"[[[[[\\'}


@pytest.mark.parametrize("count", [1, 19, 20])
def test_up_to_20_members_pass(count: int) -> None:
    assert len(read_json(members(count), LIMITS)) == count


@pytest.mark.parametrize("count", [21, 200_000])
def test_more_members_are_refused(count: int) -> None:
    with refused("json.members"):
        read_json(members(count), LIMITS)


def test_members_are_counted_in_each_object_by_itself() -> None:
    assert len(read_json(b'{"a":' + members(20) + b',"b":' + members(20) + b"}", LIMITS)) == 2
    with refused("json.members"):
        read_json(b'{"a":' + members(21) + b"}", LIMITS)


@pytest.mark.parametrize("count", [19, 20])
def test_arrays_of_up_to_20_elements_pass(count: int) -> None:
    body = json.dumps({"a": ["x"] * count}).encode()
    assert read_json(body, LIMITS) == {"a": ["x"] * count}


def test_an_array_of_one_element_more_is_refused() -> None:
    with refused("json.elements"):
        read_json(json.dumps({"a": ["x"] * 21}).encode(), LIMITS)


@pytest.mark.parametrize("length", [0, 49, 50])
def test_names_of_up_to_50_characters_pass(length: int) -> None:
    assert read_json(json.dumps({"é" * length: "x"}).encode(), LIMITS) == {"é" * length: "x"}


@pytest.mark.parametrize("body", ['{"%s":"x"}', '{"a":{"%s":"x"}}', '{"a":[{"%s":1}]}'])
def test_a_name_of_one_character_more_is_refused_at_any_depth(body: str) -> None:
    with refused("json.name"):
        read_json((body % ("a" * 51)).encode(), LIMITS)


@pytest.mark.parametrize("length", [0, 1_023, 1_024])
def test_strings_of_up_to_1024_characters_pass(length: int) -> None:
    assert read_json(json.dumps({"a": "😀" * length}, ensure_ascii=False).encode(), LIMITS) == {"a": "😀" * length}


@pytest.mark.parametrize("body", ['{"a":"%s"}', '{"a":{"b":"%s"}}', '{"a":["%s"]}', '{"a":[["%s"]]}'])
def test_a_string_of_one_character_more_is_refused_at_any_depth(body: str) -> None:
    with refused("json.string"):
        read_json((body % ("a" * 1_025)).encode(), LIMITS)


@pytest.mark.parametrize(
    "body", [b'{"a":"1","a":"1"}', b'{"a":1,"\\u0061":2}', b'{"b":{"a":1,"a":2}}', b'{"b":[{"":1,"":2}]}']
)
def test_a_name_twice_is_refused_also_when_spelled_with_an_escape(body: bytes) -> None:
    with refused("json.duplicate"):
        read_json(body, LIMITS)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_json_does_not_have_are_refused(constant: str) -> None:
    with refused("json.constant"):
        read_json(f'{{"a":{constant}}}'.encode(), LIMITS)


@pytest.mark.parametrize("number", ["0", "-1.5", "1e999", "9" * 5_000, "1e-400", "0." + "1" * 5_000])
def test_a_number_is_seen_but_never_converted(number: str) -> None:
    assert read_json(f'{{"a":{number}}}'.encode(), LIMITS) == {"a": Number.UNREAD}


@pytest.mark.parametrize(
    "escape", ["\\u0000", "\\u0001", "\\u001f", "\\ud800", "\\udfff", "\\udc00\\ud800", "\\ufffe", "\\uffff"]
)
@pytest.mark.parametrize("body", ['{"a":"x%s"}', '{"%s":"x"}', '{"a":["%s"]}', '{"a":{"b%s":1}}'])
def test_escapes_of_what_is_no_character_are_refused(body: str, escape: str) -> None:
    with refused("json.character"):
        read_json((body % escape).encode(), LIMITS)


def test_an_escaped_pair_of_surrogates_is_one_character() -> None:
    assert read_json(b'{"a":"\\ud83d\\ude00"}', LIMITS) == {"a": "😀"}


@pytest.mark.parametrize("body", [b'{"a":"\0"}', b'{"a":1}\0', '{"a":1}'.encode("utf-16-le"), b'{"a":"\x1b[2J"}'])
def test_raw_control_characters_are_refused_and_so_is_utf_16_without_a_mark(body: bytes) -> None:
    with refused("json.character"):
        read_json(body, LIMITS)


@pytest.mark.parametrize(
    "body",
    [
        b'\xef\xbb\xbf{"a":1}',  # UTF-8 with a byte order mark
        '{"a":1}'.encode("utf-16"),
        '{"a":1}'.encode("utf-32"),
        b'{"a":"\xff"}',
        b'{"a":"\xc0\xaf"}',  # overlong
        b'{"a":"\xed\xa0\x80"}',  # a surrogate
        b'{"a":"\xf4\x90\x80\x80"}',  # above U+10FFFF
        b'{"a":"\xe2\x82',  # cut
    ],
)
def test_anything_but_plain_utf_8_is_refused(body: bytes) -> None:
    with refused("json.encoding"):
        read_json(body, LIMITS)


@pytest.mark.parametrize(
    "body",
    [
        b" ", b"{", b"}", b"]", b'{"a"', b'{"a":', b'{"a":}', b'{"a":1,}', b'{a:1}', b"{'a':1}", b'{"a":1}{}',
        b'{"a":1}x', b'{"a":1} // x', b'/**/{"a":1}', b'{"a":01}', b'{"a":+1}', b'{"a":.5}', b'{"a":"\t"}',
        b'{"a":"\\x41"}', b'{"a":"\\u12"}', b'{"a":tru}', b'"', b'"\\', b'{"\\', b"<a/>", b"a=1&b=2", b']{"a":1}',
        b"}" * 16_384, b'"' * 16_384, b'"\\' * 8_192,
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused(body: bytes) -> None:
    with refused("json.syntax"):
        read_json(body, LIMITS)


@pytest.mark.parametrize("body", [b"[]", b'["a"]', b'"a"', b"1", b"true", b"null"])
def test_a_root_that_is_no_object_is_refused(body: bytes) -> None:
    with refused("json.root"):
        read_json(body, LIMITS)


def test_accepted_input_costs_at_most_ten_times_its_size() -> None:
    """threats P3: as many objects and members as pass, each as small as can be."""
    full = "{" + ",".join(f'"{n}":0' for n in range(20)) + "}"
    body = ("{" + ",".join(f'"{n}":{full}' for n in range(19)) + " " * 12_000 + "}").encode()
    assert peak_of_reading(body) <= 10 * len(body)


@pytest.mark.parametrize(
    "body",
    [
        b'{"":' + b'{"":0},' * 2_000,
        b"{" + b'"":0,' * 3_276,
        b"[" * 16_384,
        b'"\\' * 8_192,
        b"{" + b'"\\u0041":"",' * 1_260,
        b'{"a":"' + b"\\u00e9" * 2_700 + b'"}',
        '{"a":"😀'.encode() + b"a" * 16_000 + b'"}',
    ],
)
def test_refused_input_costs_at_most_ten_times_its_size(body: bytes) -> None:
    """threats P3, on bodies near the limit of 16 KiB."""
    with pytest.raises(Refused):
        read_json(body, LIMITS)
    assert peak_of_reading(body) <= 10 * len(body)


def peak_of_reading(body: bytes) -> int:
    """The most memory in use at once, in octets, on a second reading: what is loaded once does not count."""
    peak = 0
    for _ in range(2):
        tracemalloc.start()
        with suppress(Refused):
            read_json(body, LIMITS)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak
