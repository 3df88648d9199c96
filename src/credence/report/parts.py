"""Part reports: selected members, cut out of an encoded report (report schema §8).

The whole report is built and cached, and parts are cut from its bytes. So a part has exactly the bytes of its members, also
for the sandbox's specimen.
"""

from collections.abc import Mapping

import msgspec

from credence.datasets.misspelling import distance
from credence.refusals.credit import REPORT_PARAMETER
from credence.refusals.refusal import Refused, because
from credence.report.cache import Document, document

MEMBERS = (
    "RegNumber",
    "CommercialName",
    "Identification",
    "CorporateStructure",
    "ManagementInfo",
    "LimitedCompanyCIFAS",
    "LimitedCompanyCAISMembersSummary",
    "LimitedCompanyCAISPortfolioSummary",
    "LimitedCompanyDelphiDirector",
    "Shareholders",
    "CommercialDelphi",
    "PaymentPerformance",
    "Financials",
    "CCJs",
    "Mortgages",
    "LegalNotices",
    "CommercialDelphiHistory",
    "ScoringData",
    "Alerts",
    "NoticeOfCorrection",
    "DirectorExpandedSummary",
    "LtdCompanyCAIS",
    "Error",
    "Assessment",
)
"""The 23 members of report schema §8, and our own (D21). A member without a source may be requested and is absent."""

_ALWAYS = frozenset({"RegNumber"})

PARAMETERS = frozenset({"RegNumber", "sections"})
"""The names of the parameters of a report request."""

_OTHER_WORDS = frozenset({"field", "fields", "include", "member", "members", "parts", "select"})
"""Names that other APIs use for the parameter `sections`."""

_MAX_EDITS = 2
"""The maximum distance, in edits, of a misspelt parameter name."""

_UNKNOWN_SECTION = because(
    REPORT_PARAMETER, f"The parameter 'sections' is a list of members, separated by commas, of: {', '.join(MEMBERS)}."
)

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def sections_of(parameters: Mapping[str, str]) -> frozenset[str] | None:
    """Return the members that the parameter `sections` names, with the company number; None for the whole report.

    Raises Refused with 422 for a name that is not a member, and for a parameter that resembles `sections`: a client that
    misspells it would otherwise get a whole report instead of a part.
    """
    if not parameters:
        return None
    if any(map(_seems_meant, parameters.keys() - PARAMETERS)):
        raise Refused(REPORT_PARAMETER, "report.parameter")
    named = frozenset(name for each in parameters.get("sections", "").split(",") if (name := each.strip()))
    if not named:
        return None
    if not named <= frozenset(MEMBERS):
        raise Refused(_UNKNOWN_SECTION, "report.sections")
    return named | _ALWAYS


def _seems_meant(name: str) -> bool:
    lower = name.casefold()
    near = (distance(lower, own.casefold(), _MAX_EDITS) <= _MAX_EDITS for own in PARAMETERS)
    return lower in _OTHER_WORDS or any(near)


def json_part(report: Document, sections: frozenset[str]) -> Document:
    """Return these members of a report in JSON."""
    kept = {name: value for name, value in _decode(report.body).items() if name in sections}
    return document(msgspec.json.encode(kept))


def xml_part(report: Document, sections: frozenset[str]) -> Document:
    """Return these members of a report in XML."""
    from lxml import etree  # imported late: four megabytes that few workers need

    root = etree.fromstring(report.body)
    for child in list(root):
        if child.tag not in sections:
            root.remove(child)
    return document(b'<?xml version="1.0" encoding="UTF-8"?>' + etree.tostring(root, encoding="utf-8"))
