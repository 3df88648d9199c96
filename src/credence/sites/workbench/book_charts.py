"""The totals of the book's screen: sums, exposure by band and section, the greatest customers, and groups."""

from collections.abc import Mapping, Sequence

from credence.blocks.values import Bar, Bars, Block, Cell, Facts, Table, Tone
from credence.monitoring.book import BookLine
from credence.monitoring.book_schema import ASSUMPTION
from credence.monitoring.book_selection import NONE
from credence.monitoring.book_totals import BookTotals, greatest, groups_of, totals_of
from credence.scoring.basis.sectors import SECTIONS
from credence.sites.workbench.figures import amount_cell, band_cell, company_cell

_BANDS = ("A", "B", "C", "D", "E", "")
_TONES: Mapping[str, Tone] = {"A": "good", "B": "good", "C": "warn", "D": "warn", "E": "bad"}


def total_blocks(lines: Sequence[BookLine], address: str) -> list[Block]:
    """Return the totals of these customers; the bars lead to `address` with a filter."""
    if not lines:
        return []
    totals = totals_of(lines)
    bands = [
        Bar(
            f"Band {band}" if band else "Not scored",
            totals.by_band[band],
            _TONES.get(band, "soft"),
            f"{address}?band={band or NONE}",
        )
        for band in _BANDS
        if totals.by_band.get(band)
    ]
    sections = [
        Bar(SECTIONS.get(letter, "Unknown"), pounds, "", f"{address}?section={letter or NONE}")
        for letter, pounds in totals.by_section.items()
        if pounds
    ]
    blocks: list[Block] = [
        _sums(totals),
        Bars("Exposure by band", "Pounds", bands, "No exposure is known."),
        Bars("Exposure by sector", "Pounds", sections, "No exposure is known."),
    ]
    return [*blocks, *_greatest(lines, totals), *_groups(lines, totals)]


def _sums(totals: BookTotals) -> Facts:
    loss = f"{amount_cell(totals.expected_loss).text}: {ASSUMPTION[0].lower()}{ASSUMPTION[1:-1]}"
    if totals.without_probability:
        loss += f"; not in it: {amount_cell(totals.without_probability).text} owed by companies without a score"
    unknown = f" (unknown for {totals.unknown:,} of {totals.customers:,} customers)" if totals.unknown else ""
    return Facts(
        "Totals",
        [
            ("Exposure", Cell(amount_cell(totals.exposure).text + unknown)),
            ("Expected loss", Cell(loss)),
            ("Overdue", amount_cell(totals.overdue)),
            ("Headroom", amount_cell(totals.headroom)),
            ("Above the limits", Cell(amount_cell(totals.above).text, tone="bad" if totals.above else "")),
        ],
    )


def _greatest(lines: Sequence[BookLine], totals: BookTotals) -> list[Block]:
    found = greatest(lines)
    if not found:
        return []
    rows = [
        [
            company_cell(each.seen.name, each.company),
            band_cell(each.seen.band),
            amount_cell(each.exposure, is_least=each.is_partial),
            Cell(_share(each.exposure or 0, totals.exposure)),
        ]
        for each in found
    ]
    together = _share(sum(each.exposure or 0 for each in found), totals.exposure)
    title = f"Greatest exposures: {together} of the exposure"
    return [Table(title, ("Company", "Band", "Exposure", "Share"), rows, numbers=(2, 3))]


def _groups(lines: Sequence[BookLine], totals: BookTotals) -> list[Block]:
    found = groups_of(lines)
    if not found:
        return []
    names = {each.company: each.seen.name for each in lines}
    rows = [
        [
            company_cell(names.get(group.parent, ""), group.parent),
            Cell(", ".join(each.seen.name or each.company for each in group.members if each.company != group.parent)),
            amount_cell(group.exposure, is_least=group.is_partial),
            Cell(_share(group.exposure, totals.exposure)),
        ]
        for group in found
    ]
    return [
        Table("Groups", ("Company with control", "Customers", "Exposure", "Share"), rows, numbers=(2, 3), cards=True)
    ]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else ""
