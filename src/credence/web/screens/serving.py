"""Serves a screen: finds the person, checks their role, runs the act, and renders the page (D30)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from credence.csv_writing import csv_of
from credence.errors import OperatorError
from credence.refusals.credentials import INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.web.browser.forms import form_values
from credence.web.browser.multipart import is_multipart, multipart_values
from credence.web.browser.people import is_fresh
from credence.web.messages.answer import CSV, HTML, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import read_query
from credence.web.routing.route import Route
from credence.web.screens.blocks import Links, Note, Page
from credence.web.screens.screen import Changed, Done, Exported, Screen, Site, Visit, Wrong
from credence.web.screens.session import here, person_at, require_own_form, sign_in_address
from credence.web.screens.shell import Problem, draw

SEE_OTHER = 303

CSV_ENDING = ".csv"

DOWNLOADED = ("content-disposition", "attachment")
"""The header field that makes the browser save a file."""

_TOKEN, _ACT = "token", "act"


async def serve(site: Site, rows: Sequence[Route], screen: Screen, service: Service, request: RequestContext) -> Answer:
    """Answer a request for a screen; a POST submits one of its acts. `rows` are all routes of the service."""
    found = await person_at(site, service, request)
    if found is None:
        if site.sign_up is not None and request.path == site.home and getattr(service.settings, site.sign_up[0]):
            return _welcome(site, service, site.sign_up[1])
        return Answer(SEE_OTHER, HTML, b"", (("location", sign_in_address(site, here(request))), NO_STORE))
    session, account = found
    request.parameters = read_query(request.query.decode("latin-1")) if request.query else {}
    visit = Visit(service, request, site, account, session, rows)
    try:
        visit = replace(visit, admitted=await site.admit(service, request, session, account))
    except Refused as refused:
        if refused.refusal is not INSUFFICIENT_AUTHENTICATION:
            raise
        return _sign_in_again(visit, "The rules of the application want")._replace(status=403, refused=refused)
    if not visit.has(screen.needs):
        return _forbidden(visit)
    if screen.export is not None and request.path.endswith(CSV_ENDING):
        return Answer(200, CSV, _exported(await screen.export(visit)), (NO_STORE, DOWNLOADED))
    if request.method == "POST":
        return await _act(screen, visit)
    return await _shown(screen, visit)


async def _shown(
    screen: Screen,
    visit: Visit,
    *,
    status: int = 200,
    done: Done | None = None,
    problem: Problem | None = None,
) -> Answer:
    site, service = visit.site, visit.service
    try:
        page = done.page if done is not None and done.page is not None else await screen.read(visit)
    except Refused as refused:
        if refused.refusal is not RESOURCE_UNKNOWN:
            raise
        text = "There is nothing of this name. It may have expired, or been deleted."
        page = Page("Not found", [Note(text)], "", above=_first(site))
        return draw(site, service, visit, None, page, status=404)._replace(refused=refused)
    if isinstance(page, Answer):
        return page
    return draw(site, service, visit, screen, page, status=status, done=done, problem=problem)


async def _act(screen: Screen, visit: Visit) -> Answer:
    service, request = visit.service, visit.request
    values = multipart_values(request) if screen.max_body and is_multipart(request) else form_values(request)
    require_own_form(visit.site, service, request, visit.session, values.get(_TOKEN))
    act = screen.act(values.get(_ACT, ""))
    if act is None:
        raise Refused(STEP_LOST, "step.unknown")
    if not visit.has(act.needs):
        return _forbidden(visit)
    if act.grave and not is_fresh(visit.session, request.now):
        return _sign_in_again(visit, "This is grave, so it needs")
    typed: Mapping[str, str] = {name: value for name, value in values.items() if name not in (_TOKEN, _ACT)}
    try:
        done = await act.run(visit, typed)
    except Wrong as wrong:
        status = 409 if isinstance(wrong, Changed) else 422
        return await _shown(screen, visit, status=status, problem=Problem(act.name, wrong, typed))
    except Conflict:
        changed = Wrong("Somebody else changed this at the same time. This is how it is now; try again.")
        return await _shown(screen, visit, status=409, problem=Problem(act.name, changed, typed))
    except OperatorError as error:
        problem = Problem(act.name, Wrong(str(error)), typed)
        return await _shown(screen, visit, status=422, problem=problem)
    await service.authority.follow(request.now)
    if done.answer is not None:
        return done.answer._replace(events=done.events)
    if done.onward:
        return Answer(SEE_OTHER, HTML, b"", (("location", done.onward), NO_STORE), done.events)
    return (await _shown(screen, visit, done=done))._replace(events=done.events)


def _welcome(site: Site, service: Service, sign_up: str) -> Answer:
    page = Page(f"Welcome to the {site.title}", [Links("New here?", [("Sign up", sign_up)])], "")
    return draw(site, service, None, None, page, onward=("Sign in", site.sign_in_path))


def _forbidden(visit: Visit) -> Answer:
    site, account = visit.site, visit.account
    above = _first(site) if visit.has(site.screens[0].needs) else None
    page = Page("Not allowed", [Note(site.how_to_get_in(account))], "", above=above)
    answer = draw(site, visit.service, visit, None, page, status=403)
    return answer._replace(refused=Refused(INSUFFICIENT_SCOPE, "console.role", account=account.username))


def _first(site: Site) -> tuple[str, str]:
    return site.screens[0].title, site.home


def _sign_in_again(visit: Visit, cause: str) -> Answer:
    text = f"{cause} a newer sign-in, or a stronger one. You come back here; nothing was done yet."
    page = Page("Sign in again first", [Note(text)], "")
    classes, _ = visit.request.required_sign_in
    onward = ("Sign in again", sign_in_address(visit.site, here(visit.request), again=True, classes=classes))
    return draw(visit.site, visit.service, visit, None, page, onward=onward)


def _exported(exported: Exported) -> bytes:
    return csv_of([exported.columns, *exported.rows])
