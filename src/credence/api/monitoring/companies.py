"""/monitoring/v1/portfolios/{id}/companies: the companies of a portfolio: single ones, pages and lists."""

from collections.abc import AsyncGenerator
from typing import Annotated, Final

import msgspec

from credence.api.resources.acting import acting_for_itself
from credence.api.resources.bodies import read_model
from credence.api.resources.descriptions import OF_A_BODY, OF_A_VERSION, PAGE
from credence.api.resources.pages import link_to, page_of, require_parameters
from credence.api.resources.preconditions import require_absent, require_match, tag_of
from credence.companies.list_columns import UnknownColumns
from credence.companies.number import normalise_or_none
from credence.errors import InvalidInput
from credence.monitoring.portfolios import find_portfolio
from credence.monitoring.rows import MAX_COMPANIES, Row, company_of, read_csv, read_json, write_csv
from credence.monitoring.schema import CompanyBody, CompanyPage, CompanyState, ImportResult, company_state
from credence.oauth.bearer import Bearer
from credence.operations.operation import Operation
from credence.operations.perform import read
from credence.operations.watched_companies import apply_list, exchange_in, list_watched, unwatch_listed, watch_listed
from credence.refusals.refusal import Refused, because
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.refusals.resources import (
    PRECONDITION_FAILED,
    RESOURCE_CHANGED,
    RESOURCE_MALFORMED,
    RESOURCE_PARAMETER,
    RESOURCE_UNKNOWN,
)
from credence.request_context import RequestContext
from credence.screening.limits import KIB
from credence.service import Service
from credence.store.contract import Conflict, Full, Store
from credence.store.portfolios import Portfolio, WatchedCompany
from credence.web.dialects.reader import screen_text
from credence.web.messages.answer import CSV, JSON, Answer
from credence.web.messages.caching import PRIVATE, VARY, is_held
from credence.web.messages.request import MediaType, body_media_type, preferred
from credence.web.routing.operation import Content, Parameter

MAX_LIST_OCTETS = 8_192 * KIB
"""The most bytes of a list: the largest number of companies with all members takes about 5 MB."""

_PIECE: Final = 1_000
"""The companies that are read at once for a list in CSV."""

_ROWS = because(RESOURCE_MALFORMED, f"The list must be a JSON array or CSV with 1 to {MAX_COMPANIES:,} rows.")
_FULL = because(RESOURCE_CHANGED, f"A portfolio has at most {MAX_COMPANIES:,} companies.")
_COMPANY = because(RESOURCE_MALFORMED, "Exposure, currency, reference or note is malformed.")

_encode = msgspec.json.Encoder().encode


OF_PORTFOLIO = Parameter("portfolio", "path", "The id of the portfolio.", "pf_2o6x4hk3tmy7q5c3")
_OF_COMPANY = Parameter("company_number", "path", "The company number.", "99999901")
_TAG = "The entity tag of the version that the caller has read"
_IF_MATCH = Parameter("If-Match", "header", f"{_TAG}. Required.", '"<ETAG>"')
_IF_REPLACED = Parameter("If-Match", "header", f"{_TAG}; for a replacement.")
_WATCHED = {
    "company_number": "99999901",
    "reference": "C-1001",
    "exposure": 12000,
    "currency": "GBP",
    "note": "Terms 30 days",
}
_CSV_LIST = "company_number,reference,exposure,currency,note\r\n99999901,C-1001,12000,GBP,Terms 30 days\r\n"
_LISTS = (
    Content(JSON, (), {"Numbers": ["99999901"], "Companies": [_WATCHED]}, element=CompanyState),
    Content("text/csv", (), {"With a header": _CSV_LIST}),
)
_PUT = (OF_PORTFOLIO, _OF_COMPANY, _IF_REPLACED, Content(JSON, (CompanyBody,)))
_REPLACED = Content(JSON, (CompanyState,), {"Replaced": _WATCHED})
_ADDED = Content(JSON, (CompanyState,), {"Added": _WATCHED}, status=201)


async def list_watched_companies(
    service: Service, request: Annotated[RequestContext, OF_PORTFOLIO, *PAGE], bearer: Bearer
) -> Annotated[Answer, CompanyPage, Content(CSV), RESOURCE_UNKNOWN, RESOURCE_PARAMETER]:
    """The companies of a portfolio.

    A page in JSON, or with `Accept: text/csv` all of them, in the form that the list takes.
    """
    portfolio = await portfolio_of(service, request, bearer)
    if preferred(request.headers.get("accept", "*/*"), (JSON, "text/csv")) == "text/csv":
        require_parameters(request.parameters)
        rest = _as_csv(service.authority.store, portfolio.id)
        return Answer(200, CSV, await anext(rest), (PRIVATE, VARY), rest=rest)
    require_parameters(request.parameters, "page_size", "page_token")
    by, page = acting_for_itself(service, request, bearer), page_of(request.parameters)
    shown: CompanyPage = await read(list_watched, by, portfolio.id, page)
    links = (link_to(request, shown.next_page_token),) if shown.next_page_token else ()
    return Answer(200, JSON, _encode(shown), (PRIVATE, VARY, *links))


async def watch_companies(
    service: Service, request: Annotated[RequestContext, OF_PORTFOLIO, *_LISTS], bearer: Bearer
) -> Annotated[Answer, ImportResult, RESOURCE_UNKNOWN, *OF_A_BODY]:
    """Watch a list of companies.

    JSON (numbers or objects) or CSV, at most 50,000 rows. Each row has its own result; a fault of one refuses no other. What
    is said of a company that is watched already is replaced; the same list again changes nothing.
    """
    return await _listed(watch_listed, service, request, bearer)


async def unwatch_companies(
    service: Service, request: Annotated[RequestContext, OF_PORTFOLIO, *_LISTS], bearer: Bearer
) -> Annotated[Answer, ImportResult, RESOURCE_UNKNOWN, *OF_A_BODY]:
    """Stop watching a list of companies.

    A list as for adding; only the numbers count.
    """
    return await _listed(unwatch_listed, service, request, bearer)


async def read_watched_company(
    service: Service, request: Annotated[RequestContext, OF_PORTFOLIO, _OF_COMPANY], bearer: Bearer
) -> Annotated[Answer, CompanyState, RESOURCE_UNKNOWN]:
    """One company of a portfolio.

    What the owner says of it, with the entity tag that a change needs.
    """
    portfolio = await portfolio_of(service, request, bearer)
    answered = _answer(await _kept(service.authority.store, portfolio.id, request))
    return Answer(304, JSON, b"", answered.headers) if is_held(request, dict(answered.headers)["etag"]) else answered


async def watch_company(
    service: Service,
    request: Annotated[RequestContext, *_PUT],
    bearer: Bearer,
) -> Annotated[Answer, _REPLACED, _ADDED, *OF_A_VERSION, *OF_A_BODY]:
    """Watch a company.

    Adds the company, or replaces what is said of it; only a replacement needs If-Match.
    """
    portfolio, store = await portfolio_of(service, request, bearer), service.authority.store
    body = read_model(request, CompanyBody)
    row = company_of(request.segments[1], body.reference, body.exposure, body.currency, body.note)
    if row.company is None:
        raise Refused(_COMPANY if normalise_or_none(request.segments[1]) else RESOURCE_UNKNOWN, "watched.company")
    kept = await store.watched_company(portfolio.id, row.number)
    if kept is None:
        require_absent(request)
    elif kept != row.company:
        require_match(request, dict(_answer(kept).headers)["etag"])
    if kept != row.company:
        await _exchange(service, request, bearer, kept, row.company)
    return _answer(row.company, 200 if kept else 201, "company_watched")


async def unwatch_company(
    service: Service, request: Annotated[RequestContext, OF_PORTFOLIO, _OF_COMPANY, _IF_MATCH], bearer: Bearer
) -> Annotated[Answer, Content("", status=204), *OF_A_VERSION]:
    """Stop watching a company.

    Removes it from the portfolio.
    """
    portfolio = await portfolio_of(service, request, bearer)
    kept = await _kept(service.authority.store, portfolio.id, request)
    require_match(request, dict(_answer(kept).headers)["etag"])
    await _exchange(service, request, bearer, kept, None)
    return Answer(204, "", b"", (PRIVATE,), ("company_unwatched",))


async def portfolio_of(service: Service, request: RequestContext, bearer: Bearer) -> Portfolio:
    """Return the portfolio that the path names.

    Raises Refused with the same 404 for another owner's portfolio as for an unknown one.
    """
    return await find_portfolio(service.authority.store, request.segments[0], bearer.application.client_id)


async def _exchange(
    service: Service, request: RequestContext, bearer: Bearer, kept: WatchedCompany | None, new: WatchedCompany | None
) -> None:
    """Exchange one company of the portfolio that the path names.

    Raises Refused with 412 for an If-Match that is old by then, with 409 for another concurrent change or a full portfolio.
    """
    try:
        await exchange_in(acting_for_itself(service, request, bearer), request.segments[0], kept, new)
    except Full:
        raise Refused(_FULL, "portfolio.full") from None
    except Conflict:
        if "if-match" in request.headers:
            raise Refused(PRECONDITION_FAILED, "if_match.other_version") from None
        raise Refused(RESOURCE_CHANGED, "portfolio.changed") from None


async def _listed(operation: Operation, service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    portfolio = await portfolio_of(service, request, bearer)
    result = await apply_list(operation, acting_for_itself(service, request, bearer), portfolio.id, _rows(request))
    return Answer(200, JSON, _encode(result), (PRIVATE,), (operation.event,))


async def _kept(store: Store, portfolio: str, request: RequestContext) -> WatchedCompany:
    number = normalise_or_none(request.segments[1])
    found = await store.watched_company(portfolio, number) if number else None
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "watched.unknown")
    return found


async def _as_csv(store: Store, portfolio: str) -> AsyncGenerator[bytes, None]:
    found = await store.watched(portfolio, "", _PIECE)
    yield write_csv(found, header=True)
    while len(found) == _PIECE:
        found = await store.watched(portfolio, found[-1].company, _PIECE)
        yield write_csv(found, header=False)


def _rows(request: RequestContext) -> list[Row]:
    """Return the rows of the body, each screened (D17). Raises Refused with 415 or 422."""
    essence = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if essence == "text/csv":
            rows = list(read_csv(request.body.decode().splitlines()))
        elif body_media_type(request.headers) is MediaType.JSON:
            rows = list(read_json(request.body))
        else:
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    except UnknownColumns as error:
        raise Refused(because(_ROWS, str(error)), "watched.columns") from None
    except (InvalidInput, UnicodeDecodeError):
        raise Refused(_ROWS, "watched.list") from None
    if not 1 <= len(rows) <= MAX_COMPANIES:
        raise Refused(_ROWS, "watched.list")
    for each in rows:
        if each.company is not None:
            screen_text(each.company.reference)
            screen_text(each.company.note)
    return rows


def _answer(company: WatchedCompany, status: int = 200, event: str = "") -> Answer:
    body = _encode(company_state(company))
    return Answer(status, JSON, body, (PRIVATE, ("etag", tag_of(body))), (event,) if event else ())
