"""Parses an XML body into the dict that the same JSON body would give, or refuses it (D8, D16, threats P4, P5, I10).

Accepted are one root of any name, elements and text: no DOCTYPE, entity, attribute, namespace, comment, CDATA or
processing instruction. expat gets the whole body in one piece, because a token split over many pieces takes quadratic
time before expat 2.6 (CVE-2023-52425). The body must already be within `Limits.body`.
"""

import re
from dataclasses import dataclass, field
from pyexpat import ExpatError, ParserCreate, XMLParserType, errors
from typing import NoReturn

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.screening.json_shape import check_values, read_text
from credence.screening.limits import Limits

WHITE_SPACE = " \t\r\n"  # XML 1.0 §2.3; `str.strip` removes more


def read_xml(body: bytes, limits: Limits) -> dict[str, object]:
    """Return the elements inside the root by name; an empty body has none (threats P10).

    A value is a `str`, or a dict where an element contains elements. Text is not changed except that line ends become
    LF (XML 1.0 §2.11); `<a/>` is ""; white space between elements is ignored.
    Raises `Refused` with `xml.encoding`, `xml.character`, `xml.doctype`, `xml.entity`, `xml.instruction`,
    `xml.comment`, `xml.cdata`, `xml.attribute`, `xml.namespace`, `xml.depth`, `xml.containers`, `xml.members`,
    `xml.duplicate`, `xml.mixed`, `xml.syntax`, `xml.root`, `xml.name` or `xml.string`.
    """
    if not body:
        return {}
    read_text(body, "xml")
    if _ATTRIBUTE(body):  # before expat collects them in thirty times their size (threats P3)
        raise Refused(THREAT, "xml.attribute")
    tree = _Tree(limits)
    try:
        _parser(tree).Parse(body, True)
    except ExpatError as error:
        raise Refused(THREAT, _EXPAT_REASONS.get(error.code, "xml.syntax")) from None
    check_values(tree.root, "xml", limits)
    return tree.root


def _parser(tree: "_Tree") -> XMLParserType:
    parser = ParserCreate("utf-8")
    parser.buffer_text = True
    parser.XmlDeclHandler = _check_declaration
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.ProcessingInstructionHandler = _refuse_instruction
    parser.CommentHandler = _refuse_comment
    parser.StartCdataSectionHandler = _refuse_cdata
    return parser


@dataclass(slots=True)
class _Element:
    members: dict[str, object] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)


class _Tree:
    """The open elements during the parse; `root` is complete after the parse."""

    def __init__(self, limits: Limits) -> None:
        self.root: dict[str, object] = {}
        self._limits = limits
        self._open: list[_Element] = []
        self._containers = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if attributes:
            raise Refused(THREAT, "xml.attribute")
        if ":" in name:
            raise Refused(THREAT, "xml.namespace")
        if self._open:
            self._add_member(name)
        self._open.append(_Element())

    def text(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def end(self, name: str) -> None:
        element = self._open.pop()
        text = "".join(element.texts)
        if element.members and text.strip(WHITE_SPACE):
            raise Refused(THREAT, "xml.mixed")
        if self._open:
            self._open[-1].members[name] = element.members or text
        elif text.strip(WHITE_SPACE):
            raise Refused(THREAT, "xml.root")
        else:
            self.root = element.members

    def _add_member(self, name: str) -> None:
        siblings = self._open[-1].members
        if not siblings:  # a parent becomes a container with its first child
            if len(self._open) > self._limits.depth:
                raise Refused(THREAT, "xml.depth")
            if self._containers == self._limits.containers:
                raise Refused(THREAT, "xml.containers")
            self._containers += 1
        if len(siblings) == self._limits.members:
            raise Refused(THREAT, "xml.members")
        if name in siblings:
            raise Refused(THREAT, "xml.duplicate")
        siblings[name] = ""


def _check_declaration(version: str, encoding: str | None, _standalone: int) -> None:
    if version != "1.0":
        raise Refused(THREAT, "xml.syntax")
    if encoding is not None and encoding.lower() != "utf-8":
        raise Refused(THREAT, "xml.encoding")


def _refuse_doctype(*_: object) -> NoReturn:
    raise Refused(THREAT, "xml.doctype")


def _refuse_instruction(*_: object) -> NoReturn:
    raise Refused(THREAT, "xml.instruction")


def _refuse_comment(*_: object) -> NoReturn:
    raise Refused(THREAT, "xml.comment")


def _refuse_cdata(*_: object) -> NoReturn:
    raise Refused(THREAT, "xml.cdata")


# Matches any text between the name of a start tag and its end; takes a single pass between two "<".
_ATTRIBUTE = re.compile(rb"<[^\s<>/!?][^\s<>/]*+\s++[^\s<>/]").search

_EXPAT_REASONS = {
    errors.codes[errors.XML_ERROR_BAD_CHAR_REF]: "xml.character",
    errors.codes[errors.XML_ERROR_UNDEFINED_ENTITY]: "xml.entity",
}
