"""XML threats (D8, D16, threats P4, P5, P10, I10)."""

import tracemalloc
from contextlib import suppress

import pytest

from credence.refusals.refusal import Refused
from credence.screening.limits import Limits
from credence.screening.xml_shape import read_xml
from tests.screening.refusal import refused

LIMITS = Limits()


def nested(depth: int) -> bytes:
    """A text inside `depth` containers."""
    return b"<a>" * (depth + 1) + b"x" + b"</a>" * (depth + 1)


def members(count: int) -> bytes:
    return b"<r>" + b"".join(b"<m%d>x</m%d>" % (n, n) for n in range(count)) + b"</r>"


def test_a_token_request_is_read_with_any_root() -> None:
    body = b"""<?xml version="1.0" encoding="UTF-8"?>
    <TokenRequest>
        <username>o'brien</username>
        <password> &lt;&#233;&amp;&#x9;> </password>
        <empty/><blank></blank>
        <deep><er>x</er></deep>
    </TokenRequest>
    """.strip()
    assert read_xml(body, LIMITS) == {
        "username": "o'brien",
        "password": " <é&\t> ",
        "empty": "",
        "blank": "",
        "deep": {"er": "x"},
    }


@pytest.mark.parametrize("body", [b"", b"<r/>", b"<r></r>", b"<r> \n\t</r>"])
def test_an_empty_body_or_root_has_no_members(body: bytes) -> None:
    assert read_xml(body, LIMITS) == {}


def test_text_is_kept_exactly_but_for_raw_line_ends() -> None:
    assert read_xml(b"<r><a> \t\r\nx&#13;\n </a></r>", LIMITS) == {"a": " \t\nx\r\n "}


@pytest.mark.parametrize("depth", [1, 4, 5])
def test_depth_up_to_5_passes(depth: int) -> None:
    value: object = read_xml(nested(depth), LIMITS)
    for _ in range(depth):
        assert isinstance(value, dict)
        value = value["a"]
    assert value == "x"


@pytest.mark.parametrize("depth", [6, 100_000])
def test_more_depth_is_refused(depth: int) -> None:
    with refused("xml.depth"):
        read_xml(nested(depth), LIMITS)


@pytest.mark.parametrize("count", [1, 19, 20])
def test_up_to_20_members_pass(count: int) -> None:
    assert len(read_xml(members(count), LIMITS)) == count


@pytest.mark.parametrize("count", [21, 100_000])
def test_more_members_are_refused(count: int) -> None:
    with refused("xml.members"):
        read_xml(members(count), LIMITS)


def holding(containers: int) -> bytes:
    """A document of a root and exactly so many more elements that hold elements."""
    rows = [b"<r%d><a><b/></a></r%d>" % (n, n) for n in range(containers // 2)] + [b"<s><b/></s>"] * (containers % 2)
    return b"<r>" + b"".join(rows) + b"</r>"


def test_up_to_20_elements_that_hold_elements_pass() -> None:
    assert len(read_xml(holding(19), LIMITS)) == 10


@pytest.mark.parametrize("containers", [20, 30])
def test_more_elements_that_hold_elements_are_refused(containers: int) -> None:
    with refused("xml.containers"):
        read_xml(holding(containers), LIMITS)


def test_names_of_up_to_50_characters_pass_and_longer_ones_are_refused() -> None:
    for length in (49, 50):
        assert read_xml(b"<r><%s/></r>" % (b"a" * length), LIMITS) == {"a" * length: ""}
    with refused("xml.name"):
        read_xml(b"<r><%s/></r>" % (b"a" * 51), LIMITS)


def test_strings_of_up_to_1024_characters_pass_and_longer_ones_are_refused() -> None:
    for length in (1_023, 1_024):
        assert read_xml(f"<r><a>{'é' * length}</a></r>".encode(), LIMITS) == {"a": "é" * length}
    with refused("xml.string"):
        read_xml(f"<r><a>{'é' * 1_025}</a></r>".encode(), LIMITS)
    with refused("xml.string"):
        read_xml(f"<r><a>{'&#233;' * 1_025}</a></r>".encode(), LIMITS)


def test_text_in_many_pieces_is_one_text() -> None:
    assert read_xml(b"<r><a>" + b"&#97;\r\n" * 512 + b"</a></r>", LIMITS) == {"a": "a\n" * 512}


@pytest.mark.parametrize("body", [b"<r><a/><a/></r>", b"<r><a>1</a><b/><a>1</a></r>", b"<r><b><a/><a/></b></r>"])
def test_a_repeated_element_is_refused(body: bytes) -> None:
    with refused("xml.duplicate"):
        read_xml(body, LIMITS)


def test_one_name_under_two_parents_is_no_repetition() -> None:
    assert read_xml(b"<r><a><a>1</a></a><b><a>2</a></b></r>", LIMITS) == {"a": {"a": "1"}, "b": {"a": "2"}}


@pytest.mark.parametrize("body", [b"<r>x<a/></r>", b"<r><a/>x</r>", b"<r><b><a/> x</b></r>", b"<r><a/>\xc2\xa0</r>"])
def test_text_beside_elements_is_refused(body: bytes) -> None:
    with refused("xml.mixed"):
        read_xml(body, LIMITS)


@pytest.mark.parametrize("body", [b"<r>x</r>", b"<r>\xc2\xa0</r>"])
def test_a_root_that_holds_text_is_refused(body: bytes) -> None:
    with refused("xml.root"):
        read_xml(body, LIMITS)


BILLION_LAUGHS = (
    b'<!DOCTYPE r [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b"]><r><x>&j;</x></r>"
)


@pytest.mark.parametrize(
    "body",
    [
        BILLION_LAUGHS,
        b"<!DOCTYPE r><r/>",
        b'<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd"><r/>',
        b'<!DOCTYPE r PUBLIC "-//X" "file:///etc/passwd"><r/>',
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><a>&x;</a></r>',
        b'<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1:1/"> %x;]><r/>',
        b'<!DOCTYPE r [<!ATTLIST r a CDATA "x">]><r/>',
        b"<!DOCTYPE r [<!ELEMENT r ANY>]><r/>",
    ],
)
def test_any_doctype_is_refused_before_it_is_read(body: bytes) -> None:
    with refused("xml.doctype"):
        read_xml(body, LIMITS)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<r><a>&x;</a></r>", "entity"),
        (b"<r><a>&nbsp;</a></r>", "entity"),
        (b"<?x y?><r/>", "instruction"),
        (b'<r><?xml-stylesheet href="x"?></r>', "instruction"),
        (b"<r/><?x?>", "instruction"),
        (b"<!-- x --><r/>", "comment"),
        (b"<r><a>ad<!-- -->min</a></r>", "comment"),
        (b"<r/><!-- x -->", "comment"),
        (b"<r><a><![CDATA[x]]></a></r>", "cdata"),
        (b'<r a="1"/>', "attribute"),
        (b'<r><a b="1"/></r>', "attribute"),
        (b'<r a="1" a="2"/>', "attribute"),
        (b"<r><a b=></a></r>", "attribute"),
        (b'<r\t\n a="1"', "attribute"),
        (b'<r xmlns="urn:x"/>', "attribute"),
        (b'<r xmlns:x="urn:x"><x:a/></r>', "attribute"),
        (b"<r " + b" ".join(b'a%d="1"' % n for n in range(1_500)) + b"/>", "attribute"),
        (b"<x:r/>", "namespace"),
        (b"<r><x:a/></r>", "namespace"),
        (b"<r><xi:include/></r>", "namespace"),
    ],
)
def test_everything_but_elements_and_text_is_refused(body: bytes, reason: str) -> None:
    with refused(f"xml.{reason}"):
        read_xml(body, LIMITS)


@pytest.mark.parametrize("name", [b"utf-8", b"UTF-8", b"Utf-8"])
def test_a_declaration_of_utf_8_passes(name: bytes) -> None:
    assert read_xml(b'<?xml version="1.0" encoding="%s" standalone="yes"?><r/>' % name, LIMITS) == {}


@pytest.mark.parametrize(
    "body",
    [
        b'<?xml version="1.0" encoding="%s"?><r/>' % name
        for name in (b"UTF-7", b"UTF-16", b"ISO-8859-1", b"US-ASCII", b"utf8", b"x-unknown")
    ]
    + [
        b"\xef\xbb\xbf<r/>",
        "<r/>".encode("utf-16"),
        "<r/>".encode("utf-32"),
        b"<r><a>\xff</a></r>",
        b"<r><a>\xc0\xbc</a></r>",
        b"<r><a>\xed\xa0\x80</a></r>",
    ],
)
def test_anything_but_plain_utf_8_is_refused(body: bytes) -> None:
    with refused("xml.encoding"):
        read_xml(body, LIMITS)


@pytest.mark.parametrize(
    "text", [b"\0", b"\x01", b"\x1b", b"\xef\xbf\xbe", b"&#0;", b"&#1;", b"&#xD800;", b"&#xFFFE;", b"&#x110000;"]
)
def test_what_is_no_character_is_refused_raw_and_as_a_reference(text: bytes) -> None:
    with refused("xml.character"):
        read_xml(b"<r><a>%s</a></r>" % text, LIMITS)


def test_utf_16_without_a_mark_is_refused() -> None:
    with refused("xml.character"):
        read_xml("<r/>".encode("utf-16-le"), LIMITS)


@pytest.mark.parametrize(
    "body",
    [
        b" ", b"<", b"<r", b"<r>", b"</r>", b"<r></s>", b"<r/><r/>", b"<r/>x", b"x<r/>", b"<r><a></r></a>", b"<1/>",
        b"<r>&</r>", b"<r>]]></r>", b"<r>&#;</r>", b'{"a":1}', b"a=1", b' <?xml version="1.0"?><r/>',
        b'<?xml version="1.1"?><r/>', b"<" * 16_384, b"<r>" + b"&" * 16_000,
    ],
)  # fmt: skip
def test_what_is_not_well_formed_is_refused(body: bytes) -> None:
    with refused("xml.syntax"):
        read_xml(body, LIMITS)


def test_one_token_as_long_as_a_body_may_be_is_read_in_one_piece() -> None:
    """CVE-2023-52425 is quadratic only in the number of pieces."""
    with refused("xml.syntax"):
        read_xml(b"<r><" + b"a" * 16_000, LIMITS)


FULL = "".join(f"<n{n}/>" for n in range(20))


@pytest.mark.parametrize(
    "body",
    [
        ("<r>" + "".join(f"<m{n}>{FULL}</m{n}>" for n in range(19)) + " " * 12_000 + "</r>").encode(),
        b"<r>" + b"&#10;" * 3_200 + b"</r>",
        b"<r>" + b"<a/>" * 4_000,
        b"<a>" * 5_400,
        ("<r>" + "".join(f"<a{n}/>" for n in range(2_000))).encode(),
        ("<r><a>😀" + "a" * 16_000 + "</a></r>").encode(),
        b"<r><a>" + b"&lt;" * 4_000 + b"</a></r>",
        b"<r " + b"a='' " * 3_000 + b"/>",
        b"<r " + b"".join(b"a%d='' " % n for n in range(1_600)) + b"/>",
        b"<r><b\n" + b"".join(b"a%d=''\t" % n for n in range(1_600)) + b"/></r>",
        b"<!DOCTYPE r [" + b"<!ENTITY a 'b'>" * 1_000,
    ],
)
def test_a_body_costs_at_most_ten_times_its_size(body: bytes) -> None:
    """threats P3, on bodies near the limit of 16 KiB, accepted or refused, with what expat itself takes."""
    peak = 0
    for _ in range(2):  # what is loaded once does not count
        tracemalloc.start()
        with suppress(Refused):
            read_xml(body, LIMITS)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak <= 10 * len(body)
