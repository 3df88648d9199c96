"""The same blocks as PDF, set by Typst: selectable text, tags for readers of the screen, drawings as vectors.

The template is ours and the blocks are its data: nothing of a report is ever read as markup. The template opens
no file and no package. Time and size are bounded by what a page may hold (`blocks.MOST_ROWS`); docs/adr/pdf.md has
the figures.
"""

import datetime as dt
from importlib import resources
from typing import Any

import msgspec
import typst

from credence.report.render.page.blocks import Page
from credence.report.render.page.text import shown

TEMPLATE = (resources.files("credence.report.render") / "page.typ").read_bytes()

_COLOURS = (
    'text{font:15px "Libertinus Serif";fill:#16191f}.tiny{font-size:13px;fill:#4b535e}.soft{fill:#4b535e}'
    ".strong{font-weight:bold}.figure{font-size:19px;font-weight:bold}"
    ".grid{stroke:#d9d6cd;fill:none}.axis,.none{stroke:#4b535e;fill:none}.span{stroke:#16191f;stroke-width:2;fill:none}"
    ".thread{stroke:#8d949d;stroke-dasharray:2 2;fill:none}.needle{fill:#16191f}.band{fill:#e6e3da}.base{fill:#4b535e}"
    ".own,.up,.net,.s1,.event{fill:#1f5f5b}.down,.e3{fill:#9a4b2c}.working{fill:#a9c7c4;stroke:#1f5f5b}.s2{fill:#55908b}"
    ".s3{fill:#8ab4b0}.s4{fill:#b9d2d0}.s5{fill:#c9c4b8}.s6{fill:#9aa1aa}.e2{fill:#fff;stroke:#1f5f5b;stroke-width:2}"
)
"""The classes of the drawings on paper; `page.css` has them on a screen."""


def pdf(page: Page, made: dt.date) -> bytes:
    """Return the page as PDF/UA-1, made at the first moment of a day, so that equal pages are equal to the letter."""
    data = msgspec.json.encode(_paper(msgspec.to_builtins(page))).decode()
    document: bytes = typst.compile(
        TEMPLATE,
        format="pdf",
        sys_inputs={"page": data},
        ignore_system_fonts=True,
        pdf_standards=["ua-1"],
        timestamp=int(dt.datetime(made.year, made.month, made.day, tzinfo=dt.UTC).timestamp()),
    )
    return document


def _paper(value: Any, name: str = "") -> Any:
    """Return the blocks with every text fit to be shown, and every drawing with its colours."""
    match value:
        case dict():
            return {key: _paper(each, key) for key, each in value.items()}
        case list() | tuple():
            return [_paper(each, name) for each in value]
        case str() if name == "svg":
            return value.replace(">", f"><style>{_COLOURS}</style>", 1)
        case str() if name == "address":
            return value
        case str():
            return shown(value)
        case _:
            return value
