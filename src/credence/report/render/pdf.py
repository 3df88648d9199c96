"""Writes a page as PDF with Typst: selectable text, tags for screen readers, drawings as vectors.

The blocks are data of a fixed template, so no text of a report is read as markup, and the template opens no file and no
package. `blocks.MOST_ROWS` bounds time and size (figures: docs/adr/pdf.md).
"""

import datetime as dt
from importlib import resources

import msgspec
import typst

from credence.report.render.page.blocks import Page, page_data

TEMPLATE = (resources.files("credence.report.render") / "page.typ").read_bytes()

_COLOURS = (
    'text{font:15px "Libertinus Serif";fill:#16191f}.tiny{font-size:13px;fill:#4b535e}.soft{fill:#4b535e}'
    ".strong{font-weight:bold}.figure{font-size:19px;font-weight:bold}"
    ".grid{stroke:#d9d6cd;fill:none}.axis,.none{stroke:#4b535e;fill:none}.span{stroke:#16191f;stroke-width:2;fill:none}"
    ".thread{stroke:#8d949d;stroke-dasharray:2 2;fill:none}.needle{fill:#16191f}.band{fill:#e6e3da}.base{fill:#4b535e}"
    ".own,.up,.net,.s1,.event{fill:#1f5f5b}.down,.e3{fill:#9a4b2c}.working{fill:#a9c7c4;stroke:#1f5f5b}.s2{fill:#55908b}"
    ".s3{fill:#8ab4b0}.s4{fill:#b9d2d0}.s5{fill:#c9c4b8}.s6{fill:#9aa1aa}.e2{fill:#fff;stroke:#1f5f5b;stroke-width:2}"
)
"""Styles of the drawings on paper; `page.css` has those for the screen."""


def pdf(page: Page, made: dt.date) -> bytes:
    """Return the page as PDF/UA-1, dated at the start of the day `made`, so that equal pages have equal bytes."""
    data = msgspec.json.encode(page_data(page, _coloured)).decode()
    document: bytes = typst.compile(
        TEMPLATE,
        format="pdf",
        sys_inputs={"page": data},
        ignore_system_fonts=True,
        pdf_standards=["ua-1"],
        timestamp=int(dt.datetime(made.year, made.month, made.day, tzinfo=dt.UTC).timestamp()),
    )
    return document


def _coloured(svg: str) -> str:
    return svg.replace(">", f"><style>{_COLOURS}</style>", 1)
