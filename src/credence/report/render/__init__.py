"""The report as a page for people: HTML and PDF from the same object as the JSON (credit §9; docs/report.md).

    compose.py                              the whole page, from the wire object: what is said, in which order
    blocks.py                               what a page is made of: sections, tables, charts, lists
    decision, reasons, standing, accounts,
    ratios, figures, models, events, people,
    practices, origins                      one part of the page each
    years.py, sheet.py                      the accounts as drawings and tables need them
    charts/                                 one drawing each, as SVG, with the table behind it
    amounts.py                              numbers and days as people read them; text that cannot do harm
    html.py, page.css                       the blocks as one self-contained HTML page
    pdf.py, page.typ                        the same blocks as PDF

A page says no more than the report: every part takes the wire object and returns blocks, and is given no facts besides.
"""
