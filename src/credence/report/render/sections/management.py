"""Who runs and who owns the company: roles, counts and tenure; names of people stay in the JSON (credit §9, §10)."""

import datetime as dt
from collections.abc import Iterator, Sequence

from credence.report.build.durations import whole_years
from credence.report.render.page.blocks import Block, Pairs, Section, Table, Words, capped
from credence.report.render.page.text import NONE, UNKNOWN, count, day
from credence.report.schema.management import Directorship, Secretaryship
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.structure import CorporateHolder, Ownership, Subsidiary

_STATES = {"L": "Live", "D": "Dormant", "S": "Dissolved"}


def people_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield officers and ownership, each where it is held."""
    officers = tuple(_officers(report))
    if officers:
        yield Section("officers", "Officers", officers)
    owners = tuple(_owners(report))
    if owners:
        yield Section("ownership", "Ownership", owners)


def _officers(report: LtdCompanyData) -> Iterator[Block]:
    held = report.ManagementInfo
    if held is None:
        return
    counted: list[tuple[str, str]] = [
        ("Directors today", str(held.NumCurrDirs)),
        ("Former directors", str(held.NumPrevDirs)),
    ]
    if held.DirectorAvgLength is not None:
        counted.append(("Tenure on average", count(held.DirectorAvgLength, "year")))
    if held.NumAppointmentsLast12 is not None:
        counted.append(("Appointed in the last year", str(held.NumAppointmentsLast12)))
    if held.NumResignationsLast12 is not None:
        counted.append(("Resigned in the last year", str(held.NumResignationsLast12)))
    yield Pairs(tuple(counted))
    today = report.Assessment.ReportDate if report.Assessment else None
    directors, secretaries = held.Directors, held.Secretaries
    rows, more = capped(
        (
            *_rows("Director", directors.CurrentDirector if directors else (), today),
            *_rows("Secretary", secretaries.CurrentSecretary if secretaries else (), today),
            *_rows("Director", directors.PreviousDirector if directors else (), today),
            *_rows("Secretary", secretaries.PreviousSecretary if secretaries else (), today),
        )
    )
    if rows:
        heads = ("Role", "Kind", "Appointed", "Resigned", "Tenure")
        yield Table("Officers by role and tenure, today's first", heads, "llllr", rows, more)
    yield Words("Names of people are left out of the page; the JSON of this report has them.")


def _rows(
    role: str, held: Sequence[Directorship] | Sequence[Secretaryship], today: dt.date | None
) -> Iterator[tuple[str, str, str, str, str]]:
    for each in held:
        flag = each.DirectorCompanyFlag if isinstance(each, Directorship) else each.SecretaryCompanyFlag
        before = "before " if each.AppointmentDate and each.AppointmentIndicator == "P" else ""
        yield (
            role,
            "Company" if flag == "Y" else "Person",
            f"{before}{day(each.AppointmentDate)}",
            day(each.ResignationDate) if each.ResignationDate else NONE,
            _tenure(each.AppointmentDate, each.ResignationDate or today),
        )


def _tenure(start: dt.date | None, end: dt.date | None) -> str:
    if start is None or end is None or end < start:
        return UNKNOWN
    years = whole_years(start, end)
    return count(years, "year") if years else "under a year"


def _owners(report: LtdCompanyData) -> Iterator[Block]:
    structure = report.CorporateStructure
    if structure is None:
        return
    if structure.CompanyOwnership is not None:
        yield from _held_by(structure.CompanyOwnership)
    tree = structure.Subsidiaries
    if tree is not None and tree.TotalNumUKSubs is not None:
        yield Pairs((("Subsidiaries in the United Kingdom", str(tree.TotalNumUKSubs)),))
        rows, more = capped(tuple(_subsidiary(each) for each in tree.UKSubsidiaries))
        if rows:
            yield Table("Subsidiaries", ("Company", "Number", "State"), "lll", rows, more)


def _held_by(owned: Ownership) -> Iterator[Block]:
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
        yield Pairs(pairs)
    rows, more = capped(tuple(_holder(each) for each in owned.CorporateShareholder))
    if rows:
        yield Table("Bodies with significant control", ("Body", "Number", "Country", "Holding, %"), "llll", rows, more)
    elif not pairs:
        yield Words("No body with significant control is on the register. People are not listed on this page.")


def _holder(holder: CorporateHolder) -> tuple[str, str, str, str]:
    return holder.Name, holder.RegNumber or NONE, holder.Country or NONE, holder.Holding or UNKNOWN


def _subsidiary(each: Subsidiary) -> tuple[str, str, str]:
    return each.SubName or UNKNOWN, each.SubRegNumber, _STATES.get(each.SubStatus or "", UNKNOWN)
