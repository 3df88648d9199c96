"""The filings that tests read, and small documents made for one test."""

from pathlib import Path

FILINGS = Path(__file__).parent / "data"
SHIPPED = sorted(FILINGS.glob("*.zip"))
"""41 filings that come with the project; see the README beside them."""

_DOCUMENT = """\
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"
 xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"
 xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:core="http://xbrl.frc.org.uk/fr/2023-01-01/core" xmlns:bus="http://xbrl.frc.org.uk/cd/2023-01-01/business">
<ix:header><ix:references>
<link:schemaRef xlink:href="https://xbrl.frc.org.uk/FRS-102/2023-01-01/FRS-102-2023-01-01.xsd"/>
</ix:references><ix:resources>{contexts}
<xbrli:unit id="GBP"><xbrli:measure>iso4217:GBP</xbrli:measure></xbrli:unit>
</ix:resources></ix:header>
<body>{body}</body></html>
"""
_CONTEXT = """\
<xbrli:context id="{id}"><xbrli:entity><xbrli:identifier scheme="x">anything</xbrli:identifier>
<xbrli:segment>{members}</xbrli:segment></xbrli:entity><xbrli:period>{period}</xbrli:period></xbrli:context>"""
_WITHIN = (("FinancialInstrumentCurrentNon-currentDimension", "CurrentFinancialInstruments"),)

NUMBER = "01234567"
END = "2025-12-31"


GROUP = (("GroupCompanyDataDimension", "Consolidated"),)


def context(name: str, members: tuple[tuple[str, str], ...] = (), day: str = END) -> str:
    """Return the context of a day."""
    return _CONTEXT.format(id=name, members=_written(members), period=f"<xbrli:instant>{day}</xbrli:instant>")


def duration(name: str, start: str, end: str = END, members: tuple[tuple[str, str], ...] = ()) -> str:
    """Return the context of a period."""
    days = f"<xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{end}</xbrli:endDate>"
    return _CONTEXT.format(id=name, members=_written(members), period=days)


def _written(members: tuple[tuple[str, str], ...]) -> str:
    return "".join(
        f'<xbrldi:explicitMember dimension="core:{dimension}">core:{member}</xbrldi:explicitMember>'
        for dimension, member in members
    )


def amount(tag: str, text: str | int, context_id: str = "now", attributes: str = "") -> str:
    """Return a tagged amount; a negative number gets the sign that Inline XBRL prescribes."""
    if isinstance(text, int):
        attributes = f'{attributes} sign="-"' if text < 0 else attributes
        text = str(abs(text))
    return f'<ix:nonFraction name="core:{tag}" contextRef="{context_id}" unitRef="GBP" {attributes}>{text}</ix:nonFraction>'


def filing(*body: str, contexts: str = "", number: str = NUMBER) -> bytes:
    """Return an Inline XBRL document with the contexts `now` and `creditors`."""
    named = f'<ix:nonNumeric name="bus:UKCompaniesHouseRegisteredNumber" contextRef="now">{number}</ix:nonNumeric>'
    dated = f'<ix:nonNumeric name="bus:BalanceSheetDate" contextRef="now">{END}</ix:nonNumeric>'
    usual = context("now") + context("creditors", _WITHIN)
    return _DOCUMENT.format(contexts=usual + contexts, body="".join((named, dated, *body))).encode()
