"""`NoticeOfCorrection`: what is disputed, for as long as it is (credit §10)."""

from credence.companies.facts.company import Company
from credence.report.schema import alerts as wire


def notice_of_correction(company: Company) -> wire.NoticeOfCorrection:
    """Return the member; a count of 0 says that nothing is disputed."""
    return wire.NoticeOfCorrection(
        len(company.disputes),
        tuple(
            wire.Correction(each.field, f"{each.note} ({each.status.value} since {each.changed})")
            for each in company.disputes
        ),
    )
