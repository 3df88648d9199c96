"""Parents, corporate owners and subsidiaries (credit §9)."""

from collections.abc import Iterator

from credence.blocks.text import NONE, UNKNOWN
from credence.blocks.values import Block, Facts, Note, Section, Table, capped
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.structure import CorporateHolder, CorporateStructure, Ownership, Subsidiary

_STATES = {"L": "Live", "D": "Dormant", "S": "Dissolved"}


def structure_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield the section of the ownership, if the report has any."""
    blocks = tuple(_blocks(report.CorporateStructure)) if report.CorporateStructure else ()
    if blocks:
        yield Section("ownership", "Ownership", blocks)


def _blocks(structure: CorporateStructure) -> Iterator[Block]:
    if structure.CompanyOwnership is not None:
        yield from _owners(structure.CompanyOwnership)
    tree = structure.Subsidiaries
    if tree is not None and tree.TotalNumUKSubs is not None:
        yield Facts("", (("Subsidiaries in the United Kingdom", str(tree.TotalNumUKSubs)),))
        rows, more = capped(tree.UKSubsidiaries, _subsidiary)
        if rows:
            yield Table("Subsidiaries", ("Company", "Number", "State"), rows, more=more)


def _owners(owned: Ownership) -> Iterator[Block]:
    above = (
        ("Parent", owned.ParentDetail, owned.ParRegNumber, owned.ParCountry),
        ("Ultimate parent", owned.UltParentDetail, owned.UltParRegNumber, owned.UltParCountry),
        ("Former parent", owned.PrevParName, owned.PrevParRegNumber, owned.PrevParCountry),
    )
    pairs = tuple(
        (words, ", ".join(each for each in (parent.CommercialName, number, country) if each))
        for words, parent, number, country in above
        if parent is not None
    )
    if pairs:
        yield Facts("", pairs)
    rows, more = capped(owned.CorporateShareholder, _holder)
    if rows:
        yield Table("Bodies with significant control", ("Body", "Number", "Country", "Holding, %"), rows, more=more)
    elif not pairs:
        yield Note("No body with significant control was on the register. People are not listed on this page.")


def _holder(holder: CorporateHolder) -> tuple[str, str, str, str]:
    return holder.Name, holder.RegNumber or NONE, holder.Country or NONE, holder.Holding or UNKNOWN


def _subsidiary(each: Subsidiary) -> tuple[str, str, str]:
    return each.SubName or UNKNOWN, each.SubRegNumber, _STATES.get(each.SubStatus or "", UNKNOWN)
