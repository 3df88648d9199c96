"""Writes a page as PDF with Typst: selectable text, tags for screen readers, drawings as vectors.

The blocks are data of a fixed template, so no text of a report is interpreted as markup, and the template opens no file and
no package. The fonts lack most scripts, and PDF/UA-1 permits no character without a glyph: a visible sign replaces it.
`values.MOST_ROWS` bounds time and size (figures: docs/adr/pdf.md).
"""

import datetime as dt
import re
import unicodedata
from dataclasses import fields
from importlib import resources
from typing import Any

import msgspec
import typst

from credence.blocks.text import shown
from credence.report.render.compose import ReportPage

TEMPLATE = (resources.files("credence.report.render") / "page.typ").read_bytes()

_COLOURS = (
    'text{font:15px "Libertinus Serif";fill:#16191f}.tiny{font-size:13px;fill:#4b535e}.soft{fill:#4b535e}'
    ".strong{font-weight:bold}.figure{font-size:19px;font-weight:bold}"
    ".grid{stroke:#d9d6cd;fill:none}.axis,.none{stroke:#4b535e;fill:none}.span{stroke:#16191f;stroke-width:2;fill:none}"
    ".band.ba{fill:#b5e3bf}.band.bb{fill:#86cb95}.band.bc{fill:#cf8f22}.band.bd{fill:#bf5526}.band.be{fill:#861a1f}"
    ".band.ba,.band.bb,.band.bc,.band.bd,.band.be{stroke:#4b535e}.band.mine{stroke:#16191f;stroke-width:3}"
    ".thread{stroke:#8d949d;stroke-dasharray:2 2;fill:none}.needle{fill:#16191f}.band{fill:#e6e3da}.base{fill:#4b535e}"
    ".own,.up,.net,.s1,.event{fill:#1f5f5b}.down,.e3{fill:#9a4b2c}.working{fill:#a9c7c4;stroke:#1f5f5b}.s2{fill:#55908b}"
    ".s3{fill:#8ab4b0}.s4{fill:#b9d2d0}.s5{fill:#c9c4b8}.s6{fill:#9aa1aa}.e2{fill:#fff;stroke:#1f5f5b;stroke-width:2}"
)
"""The styles of the drawings in the PDF; `blocks.css` has those for the screen."""

SUBSTITUTE = "\u25a1"
"""The empty square, in place of a character that the PDF fonts lack."""

SUBSTITUTE_NOTE = (
    f"{SUBSTITUTE} stands for a character that the fonts of this PDF do not have. The web page and the JSON have it."
)

_WITHOUT_GLYPH = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u02ff"  # Latin
    "\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ff"  # Greek
    "\u0400-\u0482\u048a-\u04ff\u1e00-\u1eff"  # Cyrillic, more Latin
    "\u2010-\u2027\u2030-\u203e\u20a0-\u20bf\u2116\u2122"  # punctuation, currencies
    "\u2190-\u2193\u2200-\u22ff\u25a0-\u25ff]"  # arrows, mathematics, shapes
)
"""Characters outside the Unicode blocks of which the fonts have every character, in every weight of the template.

Combining marks are outside: a letter and a mark may need two fonts, and Typst takes both from one.
"""


def pdf(page: ReportPage, made: dt.date) -> bytes:
    """Return the page as PDF/UA-1, with the start of the day `made` as its date, so that equal pages have equal bytes."""
    data = unicodedata.normalize("NFC", msgspec.json.encode(_data(page)).decode())
    data, substituted = _WITHOUT_GLYPH.subn(SUBSTITUTE, data)
    document: bytes = typst.compile(
        TEMPLATE,
        format="pdf",
        sys_inputs={"page": data, "note": SUBSTITUTE_NOTE if substituted else ""},
        ignore_system_fonts=True,
        pdf_standards=["ua-1"],
        timestamp=int(dt.datetime(made.year, made.month, made.day, tzinfo=dt.UTC).timestamp()),
    )
    return document


def _data(value: Any, name: str = "") -> Any:
    """Return a page or a part of it as plain data: texts as `shown`, drawings with their colours."""
    match value:
        case str() if name == "svg":
            return value.replace(">", f"><style>{_COLOURS}</style>", 1)
        case str():
            return shown(value)
        case None | bool() | int():
            return value
        case tuple() | list() | range():
            return [_data(each) for each in value]
        case _:
            members = {each.name: _data(getattr(value, each.name), each.name) for each in fields(value)}
            return {"kind": getattr(value, "kind", ""), **members}
