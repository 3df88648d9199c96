"""The report as a page, in HTML and PDF, from the same object as the JSON (credit §9; docs/report.md).

compose.py             the whole page: headline, warnings, sections
sections/              one section of the page per file, named as its member of the report
charts/                one SVG chart per file, with the table of its values
html.py, page.html.jinja, page.css    the page as one self-contained HTML document; the blocks write themselves (`blocks/`)
pdf.py, page.typ       the page as PDF

Every section takes members of the report and no other facts, so the page contains no fact that the JSON lacks.
"""
