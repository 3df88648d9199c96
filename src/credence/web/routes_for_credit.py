"""The rows of the route table for the credit API; `routes.py` has the others."""

from credence import paths
from credence.api.credit.company_search import company_search
from credence.api.credit.decisions import MAX_BATCH_OCTETS, company_batch, company_decision
from credence.api.credit.directors import director_details, director_search
from credence.api.credit.disputes import company_disputes, corrections, open_dispute
from credence.api.credit.report import company_report
from credence.api.reference.operations import credit, decisions, directors, disputes
from credence.oauth.parameters.scopes import DIRECTORS, DISPUTES, REPORT, SEARCH
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

_BEARER = Protection.BEARER
_REGISTERED = AllowedOrigins.REGISTERED

CREDIT = (
    *(
        Route(READ, path, _BEARER, endpoint, operation, scope=scope, origins=_REGISTERED)
        for version in paths.RISK_VERSIONS
        for path, endpoint, operation, scope in (
            (f"{paths.report(version)}/{{company_number}}", company_report, credit.COMPANY_REPORT, REPORT),  # spec §4.5
            (paths.report(version), company_report, credit.COMPANY_REPORT_BY_QUERY, REPORT),  # D19
            (paths.search(version), company_search, credit.COMPANY_SEARCH, SEARCH),  # D23
        )
    ),
    Route(("POST",), paths.DISPUTES, _BEARER, open_dispute, disputes.OPEN_DISPUTE, scope=DISPUTES, origins=_REGISTERED),
    Route(
        READ,
        f"{paths.DISPUTES}/{{company_number}}",
        _BEARER,
        company_disputes,
        disputes.COMPANY_DISPUTES,
        scope=DISPUTES,
        origins=_REGISTERED,
    ),
    Route(READ, paths.CORRECTIONS, _BEARER, corrections, disputes.CORRECTIONS, scope=REPORT, origins=_REGISTERED),
    Route(("POST",), paths.DECISIONS, _BEARER, company_decision, decisions.DECISION, scope=REPORT, origins=_REGISTERED),
    Route(
        ("POST",),
        paths.BATCHES,
        _BEARER,
        company_batch,
        decisions.BATCH,
        scope=REPORT,
        origins=_REGISTERED,
        max_body=MAX_BATCH_OCTETS,
    ),
    Route(
        READ,
        paths.DIRECTOR_SEARCH,
        _BEARER,
        director_search,
        directors.DIRECTOR_SEARCH,
        scope=DIRECTORS,
        origins=_REGISTERED,
    ),
    Route(
        READ,
        f"{paths.DIRECTOR}/{{director_number}}",
        _BEARER,
        director_details,
        directors.DIRECTOR_DETAILS,
        scope=DIRECTORS,
        origins=_REGISTERED,
    ),
)
