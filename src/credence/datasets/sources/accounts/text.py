"""The text of a filed document in lines: one for each paragraph, heading or cell of a table.

Line breaks in the markup are ignored; block elements end a line. Style, scripts and the hidden header of Inline XBRL are
left out. The work is proportional to the document.
"""

import re
from itertools import product

from lxml import etree

_SPACES_OF_TAGS = ("{http://www.w3.org/1999/xhtml}", "")
_INLINE = ("{http://www.xbrl.org/2013/inlineXBRL}", "{http://www.xbrl.org/2008/inlineXBRL}")
_BLOCKS = tuple(
    space + name
    for space, name in product(
        _SPACES_OF_TAGS,
        ("p", "div", "br", "tr", "td", "th", "li", "table", "section", "h1", "h2", "h3", "h4", "h5", "h6"),
    )
)
_NO_TEXT = (
    *(space + name for space, name in product(_SPACES_OF_TAGS, ("head", "style", "script"))),
    *(f"{space}header" for space in _INLINE),
)
_MARK = "\ue000"
"""Marks the end of a line while line breaks in the markup are removed: a private-use character."""
_LINE_ENDS = re.compile(r" ?\n[ \n]*")


def text_of(root: etree._Element) -> str:
    """Return the text in lines, with straight apostrophes; of plain XBRL, one line for each fact.

    The tree is changed and cannot be used again.
    """
    etree.strip_elements(root, *_NO_TEXT, with_tail=False)
    for element in root.iter(*_BLOCKS) if root.tag.endswith("html") else root:
        element.tail = f"{_MARK}{element.tail or ''}"
    raw = etree.tostring(root, method="text", encoding="unicode").replace("\u2019", "'")
    # The mark is not white space, so it survives the removal of the line breaks in the markup.
    text = " ".join(raw.split()).replace(_MARK, "\n")
    return _LINE_ENDS.sub("\n", text).strip()
