"""The gate of the pages for people: the endpoints behind it get a person who may do what the request is about.

`identity/gate.py` decides. The routes name what they need (`sign_in/routes.py`), and the pipeline calls the gate before
the endpoint.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.identity.gate import SIGNED_IN, Missing, Needs, NotFromHere, TooOld, TooWeak, missing
from credence.identity.not_before import dated
from credence.oauth.authorization.decision import SignedIn
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import texts
from credence.sign_in.browser.application_of_step import application_of_step
from credence.sign_in.browser.authorization_pages import sign_in_page
from credence.sign_in.browser.factor_pages import sign_in_again_page, stronger_page
from credence.sign_in.browser.forms import form_values, query_pairs
from credence.sign_in.browser.people import current_person, facts_of, login_of, login_under_way, sign_in
from credence.sign_in.browser.steps import Step, Target, beginning, read_step
from credence.store.people import Factor
from credence.store.records import Account, Application
from credence.web.messages.answer import Answer, Headers

OPENS_SESSION = Needs(own=frozenset({"totp"}))
"""A session needs what the policy of the account needs, and a code from a person with an authenticator app."""


class Passed(NamedTuple):
    """A request that has passed the gate."""

    person: SignedIn
    step: Step
    values: Mapping[str, str]
    """The fields of the form, or the parameters of the query."""
    factors: Sequence[Factor]
    """The factors of the person, if the gate has decided with them (`Needs.own`)."""


def gate(
    *targets: Target, needs: Needs = SIGNED_IN, by_act: Mapping[str, Needs] | None = None, carries: str = ""
) -> Callable[[Service, RequestContext], Awaitable[Passed | Answer]]:
    """Return the gate of a route.

    A form must carry a step with one of these targets; a page begins a step with the first. `by_act` has the needs of
    single acts of a form, instead of `needs`. `carries` names the parameter of a page that its step carries.
    """
    return partial(_pass, targets, needs, by_act or {}, carries)


async def page_before(
    service: Service,
    request: RequestContext,
    step: Step,
    person: SignedIn | None,
    needs: Needs = SIGNED_IN,
    applications: Sequence[Application] = (),
    factors: Sequence[Factor] = (),
) -> Answer | None:
    """Return the page for what the person lacks for an act, also one for these applications; None if nothing.

    `step` is what they go on with afterwards. Raises Refused for an address or time that access rules exclude.
    """
    session, account = (person.session, person.account) if person is not None else (None, None)
    kinds = {each.kind for each in factors}
    lacks = missing(facts_of(service, request, session, account, applications, kinds), needs)
    return None if lacks is None else await _page(service, request, step, person, lacks)


async def opened_session(
    service: Service, request: RequestContext, step: Step, account: Account, methods: str, since: Milliseconds | None
) -> tuple[SignedIn, Headers] | Answer:
    """Return the person with the new session and its cookie, or the page for what the policy of the account needs besides.

    `since` is the time of the sign-in if that is not now. Raises Conflict when the account changed meanwhile.
    """
    proved = msgspec.structs.replace(
        beginning(step),
        begun=step.begun,
        username=account.username,
        password_version=account.password_version,
        proved_at=dated(request.now, account.not_before),
        signed_in_at=since or 0,
        methods=methods,
    )
    login = SignedIn(login_of(proved), account, ())
    factors = await service.authority.store.factors_of(account.username)
    page = await page_before(service, request, proved, login, OPENS_SESSION, factors=factors)
    return await sign_in(service, request, account, methods, since, step.begun) if page is None else page


async def _pass(
    targets: Sequence[Target],
    needs: Needs,
    by_act: Mapping[str, Needs],
    carries: str,
    service: Service,
    request: RequestContext,
) -> Passed | Answer:
    values: Mapping[str, str]
    if request.method == "POST":
        values = form_values(request)
        step = read_step(service, request, values.get("step"))
        if step.target not in targets:
            raise Refused(STEP_LOST, "step.unknown")
        needs = by_act.get(values.get("act", ""), needs)
    else:
        values = dict(query_pairs(request))
        step = Step(targets[0], values.get(carries, "") if carries else "", request.now)
    if needs.on_the_way and step.proved_at:
        person = await login_under_way(service, step)
    else:
        person = await current_person(service, request)
    if person is not None and step.username not in ("", person.account.username):
        person = None  # the form is about another person, who was signed in at this browser before
    factors: Sequence[Factor] = ()
    if person is not None and needs.own:
        factors = await service.authority.store.factors_of(person.account.username)
    page = await page_before(service, request, step, person, needs, factors=factors)
    if page is not None:
        return page
    if person is None:
        raise LookupError("only a person passes the gate")
    return Passed(person, step, values, factors)


async def _page(
    service: Service, request: RequestContext, step: Step, person: SignedIn | None, lacks: Missing
) -> Answer:
    again = beginning(step)
    if step.target != "authorization":
        again = msgspec.structs.replace(again, arrived_at=request.now)
    match lacks:
        case NotFromHere(reason):
            raise Refused(FORBIDDEN, reason)
        case TooOld() if person is not None:
            application = await application_of_step(service, request, step)
            problem = texts.SIGN_IN_AGAIN
            return sign_in_again_page(service, request, again, application, person, problem=problem)
        case TooWeak(needed) if person is not None:
            return await stronger_page(service, request, step, person, needed)
        case _:
            application = await application_of_step(service, request, step)
            return sign_in_page(service, request, again, application, "")
