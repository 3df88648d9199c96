"""/monitoring/v1/portfolios: makes, reads, changes and deletes the portfolios of an application."""

import msgspec

from credence import paths
from credence.api.resources.bodies import read_model, read_patch
from credence.api.resources.idempotency import once
from credence.api.resources.pages import first_of, page_of, require_parameters
from credence.api.resources.preconditions import require_match, tag_of
from credence.monitoring import portfolios
from credence.monitoring.portfolios import checked_rules
from credence.monitoring.rules import DEFAULT_RULES
from credence.monitoring.schema import PortfolioBody, Portfolios, bodies_of
from credence.oauth.bearer import Bearer
from credence.operations.merge_patch import converted, merged
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.portfolios import Portfolio
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE, is_held

_TEXT = because(RESOURCE_MALFORMED, "Name and reference must be text of one line.")

_encode = msgspec.json.Encoder().encode


async def list_portfolios(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return a page of the portfolios that the application owns or shares."""
    require_parameters(request.parameters, "page_size", "page_token")
    page, client_id = page_of(request.parameters), bearer.application.client_id
    found = await service.authority.store.portfolios_of(client_id, page.after, page.size + 1)
    shown, next_page, links = first_of(found, lambda each: each.id, page, request)
    body = Portfolios(tuple(portfolios.state_of(each, client_id) for each in shown), next_page)
    return Answer(200, JSON, _encode(body), (PRIVATE, *links))


async def make_portfolio(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Make a portfolio, once for each Idempotency-Key."""
    store, client_id = service.authority.store, bearer.application.client_id

    async def make() -> Answer:
        body = read_model(request, PortfolioBody)
        name, reference = _text(body.name), _text(body.reference)
        rules = None if body.rules is None else checked_rules(body.rules, service.policies.names())
        made = await portfolios.make_portfolio(store, client_id, name, reference, rules, request.now)
        answered = _answer(made, client_id, 201, "portfolio_made")
        return answered._replace(headers=(*answered.headers, ("location", f"{paths.PORTFOLIOS}/{made.id}")))

    return await once(store, request, bearer, make)


async def read_portfolio(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return a portfolio; 304 if If-None-Match has its tag."""
    answered = _answer(await portfolio_of(service, request, bearer), bearer.application.client_id)
    if is_held(request, dict(answered.headers)["etag"]):
        return Answer(304, JSON, b"", answered.headers)
    return answered


async def change_portfolio(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Change a portfolio by a merge patch (RFC 7396) on its name, reference and rules."""
    kept, client_id = await portfolio_of(service, request, bearer), bearer.application.client_id
    require_match(request, dict(_answer(kept, client_id).headers)["etag"])
    written = {"name": kept.name, "reference": kept.reference, "rules": msgspec.to_builtins(bodies_of(kept.rules))}
    body = converted(merged(written, read_patch(request)), PortfolioBody)
    changed = msgspec.structs.replace(
        kept,
        version=kept.version + 1,
        name=_text(body.name),
        reference=_text(body.reference),
        rules=DEFAULT_RULES if body.rules is None else checked_rules(body.rules, service.policies.names()),
    )
    try:
        await service.authority.store.save_portfolio(changed)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "portfolio.changed") from None
    return _answer(changed, client_id, event="portfolio_changed")


async def delete_portfolio(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Delete a portfolio with its companies. Its events stay in the feed of its owner."""
    kept = await portfolio_of(service, request, bearer)
    require_match(request, dict(_answer(kept, bearer.application.client_id).headers)["etag"])
    try:
        await service.authority.store.delete_portfolio(kept)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "portfolio.changed") from None
    return Answer(204, "", b"", (PRIVATE,), ("portfolio_deleted",))


async def portfolio_of(service: Service, request: RequestContext, bearer: Bearer) -> Portfolio:
    """Return the portfolio that the path names.

    Raises Refused with the same 404 for another owner's portfolio as for an unknown one.
    """
    store, client_id = service.authority.store, bearer.application.client_id
    return await portfolios.find_portfolio(store, request.segments[0], client_id)


def _text(text: str) -> str:
    if not text.isprintable():
        raise Refused(_TEXT, "portfolio.text")
    return text


def _answer(portfolio: Portfolio, client_id: str, status: int = 200, event: str = "") -> Answer:
    body = _encode(portfolios.state_of(portfolio, client_id))
    return Answer(status, JSON, body, (PRIVATE, ("etag", tag_of(body))), (event,) if event else ())
