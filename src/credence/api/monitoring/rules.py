"""/monitoring/v1/rules and previews: the rules, and how often each would have fired."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec

from credence.api.monitoring.companies import OF_PORTFOLIO, portfolio_of
from credence.api.resources.bodies import read_model
from credence.api.resources.descriptions import OF_A_BODY
from credence.clock import Milliseconds, london_day
from credence.monitoring.portfolios import checked_rules
from credence.monitoring.preview import MAX_COMPANIES, preview
from credence.monitoring.rules import DEFAULT_RULES, RULES
from credence.monitoring.schema import (
    PreviewBody,
    PreviewCount,
    PreviewResult,
    RuleCatalogue,
    RuleDescription,
    bodies_of,
)
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.portfolios import Portfolio, RuleSetting
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import Content

_PAGE = 1_000
_CATALOGUE = msgspec.json.encode(
    RuleCatalogue(
        tuple(
            RuleDescription(
                each.code,
                each.words,
                each.member,
                {str(name): words for name, words in each.parameters.items()},
                each.kinds,
            )
            for each in RULES.values()
        ),
        bodies_of(DEFAULT_RULES),
    )
)


async def list_monitoring_rules(
    _service: Service, _request: RequestContext, _bearer: Bearer
) -> Annotated[Answer, RuleCatalogue]:
    """The rules that a portfolio may have.

    Each with its parameters, its kinds, and the member of the report that it watches.
    """
    return Answer(200, JSON, _CATALOGUE, (PRIVATE,))


async def preview_monitoring_rules(
    service: Service, request: Annotated[RequestContext, OF_PORTFOLIO, Content(JSON, (PreviewBody,))], bearer: Bearer
) -> Annotated[Answer, PreviewResult, RESOURCE_UNKNOWN, *OF_A_BODY]:
    """How often rules would have fired.

    Judges the history that is loaded of the companies of a portfolio, the first 2,000 of them: dated facts, earlier runs of
    the score and former names. Values of the register of which no earlier state is known count nothing. No event is made.
    """
    portfolio = await portfolio_of(service, request, bearer)
    body = read_model(request, PreviewBody) if request.body else PreviewBody()
    rules = portfolio.rules if body.rules is None else checked_rules(body.rules, service.policies.names())
    result = await counts_of(service, portfolio, rules, request.now)
    return Answer(200, JSON, msgspec.json.encode(result), (PRIVATE,))


async def counts_of(
    service: Service, portfolio: Portfolio, rules: Sequence[RuleSetting], now: Milliseconds
) -> PreviewResult:
    """Return how often rules would have fired for a portfolio.

    Raises Refused (spike arrest) while another preview runs.
    """
    store = service.authority.store
    if service.previews.locked():
        raise Refused(SPIKE_ARREST, "preview.too_many", retry_after=5)
    async with service.previews:
        numbers: list[str] = []
        while len(numbers) < MAX_COMPANIES:
            found = await store.watched(portfolio.id, numbers[-1] if numbers else "", _PAGE)
            numbers += [each.company for each in found]
            if len(found) < _PAGE:
                break
        folder, today = service.settings.credit_folder, london_day(now)
        counts = await asyncio.to_thread(preview, folder, numbers, rules, today)
    return PreviewResult(
        companies=len(numbers),
        complete=len(numbers) == await store.count_watched(portfolio.id),
        counts=tuple(PreviewCount(each.rule, each.events, each.of_last_year, each.companies) for each in counts),
    )
