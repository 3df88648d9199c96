"""Reads the tagged facts of one filed document, Inline XBRL or plain XBRL, without interpreting them (credit §3.2).

Documents are untrusted. Nothing outside them is fetched, entities are rejected, broken markup is read as far as possible,
and a document that would grow in memory is rejected before parsing. The work is proportional to the size: nested texts and
shared continuations are read repeatedly, so the characters read are counted and limited.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from lxml import etree

from credence.datasets.sources.accounts.contexts import (
    INSTANCE,
    Context,
    UnreadableDocument,
    contexts_of,
    local,
    read_units,
    split,
)
from credence.datasets.sources.accounts.numbers import decode, exponent, text_of

MAX_DOCUMENT_BYTES = 32 << 20
"""The limit on the size of a document; the largest in the sample has 1.8 million bytes."""
MAX_NODES = 2_000_000
"""The limit on elements and attributes of one document; the sample has 82,000 at most."""
MAX_READINGS = 4
"""The limit on characters read, as a multiple of the document's text; the sample needs 0.7 at most."""

_MAX_TEXT_LETTERS = 1000
"""Characters of a text that are kept."""
_INLINE = ("http://www.xbrl.org/2013/inlineXBRL", "http://www.xbrl.org/2008/inlineXBRL")
_XLINK = "{http://www.w3.org/1999/xlink}href"
_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_DECLARATION = b"<?xml"
_MAX_DECLARATION_BYTES = 200
"""The limit on the length of an XML declaration; the sample has 55 bytes at most."""
_ENCODING = re.compile(rb"""\sencoding\s*=\s*["']([^"']*)["']""")
_ENCODINGS = re.compile(
    rb"(utf-?8|(us-)?ascii|iso-8859-[0-9]{1,2}|windows-125[0-9]|cp125[0-9]|latin-?1)", re.IGNORECASE
)
"""Encodings that contain ASCII markup, so that the search for entities finds all of them."""
_EDGES = b" \t\r\n"


class Fact(NamedTuple):
    """One tagged value."""

    name: str
    """Local name of the tag."""
    context: Context
    text: str
    """The text as written, without layout; at most 1,000 characters."""
    format: str
    """Local name of the format; empty without one."""
    value: int | float | None = None
    """The value of a numeric fact; None if its text is not a number."""
    unit: str = ""
    """The measure of a numeric fact, such as `iso4217:GBP`; empty for other facts."""
    rounding: int = 1
    """The unit to which a number is rounded: 1000 in accounts in thousands."""


class Document(NamedTuple):
    """The facts of one document, in document order."""

    inline: bool
    schemas: tuple[str, ...]
    """Addresses of its taxonomies; they are not fetched."""
    facts: tuple[Fact, ...]
    text: str = ""
    """The text in lines; empty if it was not requested."""


Words = Mapping[bytes, Sequence[bytes]]
"""Words in lower case, by a part that several of them share: where it is not found, none of them has to be looked for."""


def read_document(data: bytes, text_if: Words | None = None) -> Document:
    """Return the facts of a document, and its text if it contains one of the words `text_if`.

    Raises UnreadableDocument with `document.size`, `document.encoding`, `document.entities`, `document.markup` (not XML at
    all), `document.nesting` or `document.no-xbrl`.
    """
    tags = data.count(b"<")
    root = _parse(data, tags)
    limit = _ReadingLimit(MAX_READINGS * (tags + len(data) // _MAX_TEXT_LETTERS))
    if root.tag == f"{{{INSTANCE}}}xbrl":
        inline, facts = False, tuple(_plain_facts(root, limit))
    else:
        inline, facts = True, tuple(_inline_facts(root, limit))
    if not facts:
        raise UnreadableDocument("document.no-xbrl")
    schemas = [each.get(_XLINK, "") for each in root.iter("{http://www.xbrl.org/2003/linkbase}schemaRef")]
    text = text_of(root) if text_if and _has_one(data.lower(), text_if) else ""  # last, because it changes the tree
    return Document(inline, tuple(schemas), facts, text)


def _has_one(lowered: bytes, words: Words) -> bool:
    return any(part in lowered and any(word in lowered for word in having) for part, having in words.items())


class _ReadingLimit:
    """Limits the characters of text read in one document."""

    def __init__(self, pieces: int) -> None:
        self._left = pieces

    def count(self, piece: str) -> None:
        """Count a piece; a long one counts several times. Raises UnreadableDocument beyond the limit."""
        self._left -= 1 + len(piece) // _MAX_TEXT_LETTERS
        if self._left < 0:
            raise UnreadableDocument("document.nesting")


def _parse(data: bytes, tags: int) -> etree._Element:
    if len(data) > MAX_DOCUMENT_BYTES or tags + data.count(b"=") > MAX_NODES:
        raise UnreadableDocument("document.size")
    data, encoding = _plain_bytes(data)
    if b"<!ENTITY" in data:
        raise UnreadableDocument("document.entities")
    # Each document has its own parser, so that no state passes from one to the next. It reads in the encoding in which the
    # search for entities was made.
    try:
        parser = etree.XMLParser(
            encoding=encoding, resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_comments=True,
            remove_pis=True, huge_tree=True,
        )  # fmt: skip
    except LookupError:
        raise UnreadableDocument("document.encoding") from None
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise UnreadableDocument("document.markup") from None
    if root is None:
        raise UnreadableDocument("document.markup")
    return root


def _plain_bytes(data: bytes) -> tuple[bytes, str]:
    """Return the document without bytes before its XML declaration, and its encoding, which has ASCII markup."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            data = re.sub(r"^\s*<\?xml[^>]*\?>", "", data.decode("utf-16")).encode()
        except UnicodeError:
            raise UnreadableDocument("document.encoding") from None
    data = data.lstrip(_EDGES).removeprefix(b"\xef\xbb\xbf").lstrip(_EDGES)
    encoding = _declared_encoding(data)
    if b"\0" in data or _ENCODINGS.fullmatch(encoding) is None:
        raise UnreadableDocument("document.encoding")
    return data, encoding.decode()


def _declared_encoding(data: bytes) -> bytes:
    """Return the encoding in the XML declaration, by default UTF-8; empty if the declaration is too long."""
    if not data.startswith(_DECLARATION):
        return b"utf-8"
    declaration, end, _ = data[:_MAX_DECLARATION_BYTES].partition(b"?>")
    if not end:
        return b""
    declared = _ENCODING.search(declaration)
    return declared[1] if declared else b"utf-8"


def _inline_facts(root: etree._Element, limit: _ReadingLimit) -> Iterator[Fact]:
    context_of, units = contexts_of(root), read_units(root)
    name_of, number_of, rounding_of = cache(local), cache(decode), cache(_rounding)  # a document repeats most of them
    continued = {each.get("id", ""): each for each in root.iter(*(f"{{{space}}}continuation" for space in _INLINE))}
    kinds = ("nonFraction", "nonNumeric")
    for element in root.iter(*(f"{{{space}}}{kind}" for space in _INLINE for kind in kinds)):
        context = context_of(element.get("contextRef", ""))
        if context is None or element.get(_NIL) in ("true", "1"):
            continue
        name, form = name_of(element.get("name")), name_of(element.get("format"))
        text = _text(element, continued, limit)
        if element.tag.endswith("}nonNumeric"):
            yield Fact(name, context, text, form)
            continue
        scale = element.get("scale", "")
        value = number_of(text, form, scale, element.get("sign", ""))
        unit = units.get(element.get("unitRef", ""), "")
        yield Fact(name, context, text, form, value, unit, rounding_of(scale, element.get("decimals", "")))


def _plain_facts(root: etree._Element, limit: _ReadingLimit) -> Iterator[Fact]:
    context_of, units = contexts_of(root), read_units(root)
    number_of, rounding_of = cache(decode), cache(_rounding)
    for element in root.iter(etree.Element):
        context = context_of(element.get("contextRef", ""))
        if context is None or element.get(_NIL) in ("true", "1"):
            continue
        name, text = split(element)[1], _text(element, {}, limit)
        unit = element.get("unitRef")
        if unit is None:
            yield Fact(name, context, text, "")
        else:
            rounding = rounding_of("", element.get("decimals", ""))
            yield Fact(name, context, text, "", number_of(text), units.get(unit, ""), rounding)


def _text(element: etree._Element, continued: dict[str, etree._Element], limit: _ReadingLimit) -> str:
    """Return the text of a fact with its continuations, without excluded parts."""
    if not len(element) and element.get("continuedAt") is None:  # nearly every number
        text = element.text or ""
        limit.count(text)
        return " ".join(text[:_MAX_TEXT_LETTERS].split())
    parts: list[str] = []
    length = 0
    part: etree._Element | None = element
    seen: set[str] = set()
    while part is not None and length < _MAX_TEXT_LETTERS:
        for piece in _pieces(part):
            limit.count(piece)
            parts.append(piece)
            length += len(piece)
            if length >= _MAX_TEXT_LETTERS:
                break
        following = part.get("continuedAt", "")
        part = None if following in seen else continued.get(following)
        seen.add(following)
    return " ".join("".join(parts)[:_MAX_TEXT_LETTERS].split())


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yield the texts within an element in order, without those of `ix:exclude` and without entity references."""
    yield element.text or ""
    open_elements = [(element, element.iterchildren())]
    while open_elements:
        parent, children = open_elements[-1]
        child = next(children, None)
        if child is None:
            open_elements.pop()
            yield (parent.tail or "") if open_elements else ""
        elif isinstance(child.tag, str) and child.tag not in _EXCLUDE:
            yield child.text or ""
            open_elements.append((child, child.iterchildren()))
        else:
            yield child.tail or ""


_EXCLUDE = tuple(f"{{{space}}}exclude" for space in _INLINE)


def _rounding(scale: str, decimals: str) -> int:
    power = max(exponent(scale) or 0, -(exponent(decimals) or 0))
    return int(10 ** min(max(power, 0), 6))
