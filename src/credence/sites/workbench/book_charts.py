"""The totals of the book's screen: sums, exposure by band and section, the greatest customers, and groups."""

from collections.abc import Mapping, Sequence

from credence.blocks.values import Bar, Bars, Block, Cell, Note, Section, Table, Tile, Tiles, Tone
from credence.monitoring.book import BookLine
from credence.monitoring.book_schema import ASSUMPTION
from credence.monitoring.book_selection import NONE
from credence.monitoring.book_totals import BookTotals, greatest, groups_of
from credence.scoring.basis.sectors import SECTIONS
from credence.sites.workbench.figures import amount_cell, band_cell, company_cell

_BANDS = ("A", "B", "C", "D", "E", "")
_TONES: Mapping[str, Tone] = {"A": "good", "B": "good", "C": "warn", "D": "warn", "E": "bad"}


def sums(totals: BookTotals) -> list[Block]:
    """Return the totals as tiles; empty without customers."""
    if not totals.customers:
        return []
    unknown = f"unknown for {totals.unknown:,} of {totals.customers:,} customers" if totals.unknown else ""
    loss = f"Expected loss: {ASSUMPTION[0].lower()}{ASSUMPTION[1:]}"
    if totals.without_probability:
        loss += f" It leaves out {amount_cell(totals.without_probability).text} owed by companies without a score."
    tiles = (
        Tile("Exposure", amount_cell(totals.exposure).text, unknown),
        Tile("Overdue", amount_cell(totals.overdue).text),
        Tile("Headroom", amount_cell(totals.headroom).text),
        Tile("Above the limits", amount_cell(totals.above).text),
        Tile("Expected loss", amount_cell(totals.expected_loss).text),
    )
    return [Section("totals", "Totals", (Tiles(tiles), Note(loss, "soft")))]


def chart_blocks(lines: Sequence[BookLine], totals: BookTotals, address: str) -> list[Block]:
    """Return exposures by band and sector, the greatest customers and groups; the bars lead to `address` with a filter.

    `totals` are those of the customers.
    """
    if not lines:
        return []
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
    return [
        Bars("Exposure by band", "Pounds", bands, "No exposure is known."),
        Bars("Exposure by sector", "Pounds", sections, "No exposure is known."),
        *_greatest(lines, totals),
        *_groups(lines, totals),
    ]


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
    title = f"Largest exposures: {together} of the exposure"
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
