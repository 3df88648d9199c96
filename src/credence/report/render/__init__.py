"""The report as a page, in HTML and PDF, from the same object as the JSON (credit §9; docs/report.md).

compose.py             the whole page: headline, warnings, sections sections/              one section of the page per file,
named as its member of the report charts/                one SVG chart per file, with the table of its values page/
the blocks of a page, and the formats of text and numbers html.py, page.html.jinja, page.css    the blocks as one
self-contained HTML document blocks.html.jinja, blocks.css         each block and drawing, also for screens that show parts
of a report pdf.py, page.typ       the blocks as PDF

Every section takes members of the report and no other facts, so the page contains no fact that the JSON lacks.
"""
