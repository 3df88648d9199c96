"""Blocks as one HTML page that needs nothing else: its style is inside, it has no script, and it loads nothing.

Everything that is not ours is escaped here, in `_text`, and nowhere else; drawings escape their own words.
"""

import base64
import hashlib
from html import escape
from importlib import resources

from credence.report.render.page.blocks import (
    Beside,
    Block,
    Chart,
    Items,
    Link,
    Notice,
    Page,
    Pairs,
    Section,
    Table,
    Verdict,
    Words,
)
from credence.report.render.page.text import count, shown

STYLE = (resources.files("credence.report.render") / "page.css").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
"""The page may show its own style and do nothing else, whatever got into it. It carries this itself, for it is kept as
a file too."""

_MANY_COLUMNS = 4
"""A table of so many is scrolled sideways on a telephone rather than squeezed."""


def html(page: Page) -> bytes:
    """Return the page as an HTML document in UTF-8."""
    name = _text(page.name)
    return (
        '<!doctype html><html lang="en-GB"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">'
        f"<title>{name}: credit report</title><style>{STYLE}</style></head>"
        f'<body><a class="skip" href="#report">Skip to the report</a><div class="frame"><header>'
        f'<p class="over">Company credit report</p><h1><bdi>{name}</bdi></h1>'
        f'<ul class="facts">{"".join(f"<li>{_text(each)}</li>" for each in page.facts)}</ul></header>'
        f'<main id="report" tabindex="-1">{_verdict(page.verdict)}{_warnings(page.warnings)}'
        f"{''.join(_section(each) for each in page.sections)}</main>"
        f"<footer>{''.join(f'<p>{_text(each)}</p>' for each in page.foot)}</footer></div></body></html>"
    ).encode()


def _verdict(verdict: Verdict) -> str:
    mark = (
        f'<p class="mark"><span class="letter"><span class="unseen">Band </span>{_text(verdict.mark)}</span>'
        f'<span class="number"><span class="unseen">Score </span>{_text(verdict.score)}<small> of 100</small></span></p>'
        if verdict.mark
        else ""
    )
    gauge = _drawn(verdict.gauge, "gauge") if verdict.gauge else ""
    return (
        f'<section class="verdict{"" if verdict.mark else " open"}" aria-labelledby="decision">'
        f'<div class="answer">{mark}<h2 id="decision">{_text(verdict.words)}</h2><p>{_text(verdict.sentence)}</p></div>'
        f"{gauge}{_pairs(Pairs(verdict.pairs)) if verdict.pairs else ''}</section>"
    )


def _warnings(warnings: tuple[Notice, ...]) -> str:
    if not warnings:
        return ""
    notices = "".join(f"<li><strong>{_text(each.head)}</strong> {_text(each.text)}</li>" for each in warnings)
    return (
        '<section class="warnings" aria-labelledby="look"><h2 id="look">Look at this first</h2>'
        f"<ul>{notices}</ul></section>"
    )


def _section(section: Section) -> str:
    return (
        f'<section aria-labelledby="{section.anchor}"><h2 id="{section.anchor}">{_text(section.title)}</h2>'
        f"{''.join(map(_block, section.blocks))}</section>"
    )


def _block(block: Block) -> str:
    match block:
        case Words(text):
            return f"<p>{_text(text)}</p>"
        case Notice(head, text):
            return f'<p class="notice"><strong>{_text(head)}</strong> {_text(text)}</p>'
        case Link(text, label, address):
            return f'<p>{_text(text)} <a href="{escape(address)}">{_text(label)}</a></p>'
        case Items():
            return _items(block)
        case Pairs():
            return _pairs(block)
        case Table():
            return _table(block)
        case Chart():
            return _drawn(block)
        case Beside(left, right):
            sides = (f"<div>{''.join(map(_block, side))}</div>" for side in (left, right))
            return f'<div class="beside">{"".join(sides)}</div>'


def _items(items: Items) -> str:
    rows = "".join(
        f'<li><span class="what">{_text(head)}{f"<small>{_text(text)}</small>" if text else ""}</span>'
        f'<span class="points">{_text(amount)}</span></li>'
        for head, text, amount in items.items
    )
    return f'<ul class="items">{rows}</ul>{_more(items.more)}'


def _pairs(pairs: Pairs) -> str:
    return f"<dl>{''.join(f'<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>' for name, value in pairs.pairs)}</dl>"


def _drawn(chart: Chart, kind: str = "chart") -> str:
    return (
        f'<figure class="{kind}"><figcaption>{_text(chart.title)}</figcaption>{chart.svg}'
        f'<details><summary>Figures of this drawing<span class="unseen">: {_text(chart.title)}</span></summary>'
        f"{_table(chart.table)}</details></figure>"
    )


def _table(table: Table) -> str:
    head = "".join(
        f'<th scope="col" class="{side}">{_text(each) or "<span class=unseen>Name</span>"}</th>'
        for each, side in zip(table.heads, table.align, strict=True)
    )
    body = "".join(_row(row, table.align, strong=number in table.strong) for number, row in enumerate(table.rows))
    kind = ' class="wide"' if len(table.heads) >= _MANY_COLUMNS else ""
    # What may have to be scrolled can be reached with the keyboard, and then says what it is.
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{_text(table.caption)}">'
        f"<table{kind}><caption>{_text(table.caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        f"{_more(table.more)}"
    )


def _row(row: tuple[str, ...], align: str, *, strong: bool) -> str:
    name, *cells = row
    rest = "".join(f'<td class="{side}">{_text(each)}</td>' for each, side in zip(cells, align[1:], strict=True))
    return f'<tr{" class=sum" if strong else ""}><th scope="row" class="{align[0]}">{_text(name)}</th>{rest}</tr>'


def _more(number: int) -> str:
    return (
        f'<p class="more">And {count(number, "more", "more")}; the JSON of this report has them.</p>' if number else ""
    )


def _text(text: str) -> str:
    return escape(shown(text))
