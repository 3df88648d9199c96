"""The rows of the route table for a site, and how a screen is served: its act is run, and its page rendered (D30).

The rows are derived from the table of the site's screens. OpenAPI documents do not have them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from credence.blocks.values import Note
from credence.csv_writing import csv_of
from credence.errors import OperatorError
from credence.identity.gate import Needs
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.forms import form_values, is_multipart, multipart_values
from credence.sites.kit.gate import forbidden, page_before_act, pass_gate
from credence.sites.kit.kept import keep_form, keep_words, take
from credence.sites.kit.screen import ActResult, Changed, Exported, InvalidForm, Page, Screen, Site, Visit
from credence.sites.kit.session import require_own_form, target_of, with_headers
from credence.sites.kit.shell import Problem, draw
from credence.sites.kit.sign_in import begin_sign_in, finish_sign_in, sign_out
from credence.store.contract import Conflict
from credence.web.messages.answer import CSV, HTML, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routing.operation import Content, Operation
from credence.web.routing.route import Protection, Route


def routes_of(site: Site, rows: Sequence[Route]) -> tuple[Route, ...]:
    """Return the routes of a site: its sign-in and its screens.

    `rows` are the other routes whose requests the log may contain.
    """
    own = tuple(_routes(site, rows))
    return tuple(_routes(site, (*rows, *own)))  # the log screens also explain requests for screens


def _routes(site: Site, rows: Sequence[Route]) -> Iterator[Route]:
    row = partial(Route, any_host=site.application.apart, setting=site.setting)
    for name, methods, path, endpoint in (
        ("sign in", ("GET",), site.sign_in_path, begin_sign_in),
        ("come back", ("GET",), site.application.signed_in_path, finish_sign_in),
        ("sign out", ("POST",), site.sign_out_path, sign_out),
    ):
        yield row(methods, path, Protection.BROWSER, partial(endpoint, site), _operation(site, name))
    for screen in site.screens:
        endpoint, gate = partial(serve, screen), partial(pass_gate, site, rows, screen)
        taken, operation = ("GET", "POST") if screen.acts else ("GET",), _operation(site, screen.title)
        yield row(taken, screen.path, Protection.PERSON, endpoint, operation, max_body=screen.max_body, gate=gate)
        if screen.export is not None:
            operation = _operation(site, f"{screen.title} export")
            yield row(("GET",), f"{screen.path}{CSV_ENDING}", Protection.PERSON, endpoint, operation, gate=gate)


def _operation(site: Site, summary: str) -> Operation:
    name = f"{site.name}{summary.title().replace(' ', '')}"
    return Operation(name, site.application.name, summary, "A page.", (Content(HTML),))


SEE_OTHER = 303

CSV_ENDING = ".csv"

DOWNLOADED = ("content-disposition", "attachment")
"""The header field that makes the browser save a file."""

RECENT = Needs(within_ms=RECENT_SIGN_IN_MS)
"""What an act with `needs_recent_sign_in` needs (ASVS 7.5.3)."""

_TOKEN, _ACT = "token", "act"


async def serve(screen: Screen, _service: Service, request: RequestContext, visit: Visit) -> Answer:
    """Answer a request for a screen that has passed the gate; a POST submits one of its acts."""
    if screen.export is not None and request.path.endswith(CSV_ENDING):
        return Answer(200, CSV, _exported(await screen.export(visit)), (NO_STORE, DOWNLOADED))
    if request.method == "POST":
        return await _act(screen, visit)
    kept = take(visit.site, visit.service, request, visit.account.username)
    if kept is None:
        return await _shown(screen, visit)
    words, headers = kept
    return with_headers(
        await _shown(screen, visit, done=ActResult(words.text, act=words.act, typed=words.typed)), headers
    )


async def _shown(
    screen: Screen,
    visit: Visit,
    *,
    status: int = 200,
    done: ActResult | None = None,
    problem: Problem | None = None,
) -> Answer:
    site, service = visit.site, visit.service
    try:
        page = done.page if done is not None and done.page is not None else await screen.read(visit)
    except Refused as refused:
        if refused.refusal is not RESOURCE_UNKNOWN:
            raise
        text = "Not found. It may have expired or been deleted."
        page = Page("Not found", [Note(text)], "", above=(site.screens[0].title, site.home))
        return draw(site, service, visit, None, page, status=404)._replace(refused=refused)
    if isinstance(page, Answer):
        return page
    if problem is not None and problem.wrong.details:
        page = replace(page, blocks=[*problem.wrong.details, *page.blocks])
    return draw(site, service, visit, screen, page, status=status, done=done, problem=problem)


async def _act(screen: Screen, visit: Visit) -> Answer:
    service, request = visit.service, visit.request
    if screen.max_body and is_multipart(request):
        values = multipart_values(request, bytes_of_files=screen.takes_bytes)
    else:
        values = form_values(request)
    require_own_form(visit.site, service, request, visit.session, values.get(_TOKEN))
    act = screen.act(values.get(_ACT, ""))
    if act is None:
        raise Refused(STEP_LOST, "step.unknown")
    if not visit.has(act.needs):
        return forbidden(visit)
    page = page_before_act(visit, RECENT) if act.needs_recent_sign_in else None
    typed: Mapping[str, str] = {name: value for name, value in values.items() if name not in (_TOKEN, _ACT)}
    if page is not None:
        return with_headers(page, keep_form(visit.site, service, request, visit.account.username, act.name, typed))
    try:
        done = await act.run(visit, typed)
    except InvalidForm as wrong:
        status = 409 if isinstance(wrong, Changed) else 422
        return await _shown(screen, visit, status=status, problem=Problem(act.name, wrong, typed))
    except Conflict:
        changed = InvalidForm("Someone else changed this at the same time. The current state is shown; try again.")
        return await _shown(screen, visit, status=409, problem=Problem(act.name, changed, typed))
    except OperatorError as error:
        problem = Problem(act.name, InvalidForm(str(error)), typed)
        return await _shown(screen, visit, status=422, problem=problem)
    await service.authority.follow(request.now)
    if done.answer is not None:
        return done.answer
    if done.secret is None and done.page is None and not done.typed:
        target = done.next_url or target_of(request)
        kept = keep_words(visit.site, service, request, visit.account.username, urlsplit(target).path, done.text)
        if kept is not None or done.next_url:
            return Answer(SEE_OTHER, HTML, b"", (("location", target), NO_STORE, *(kept or ())))
    return await _shown(screen, visit, done=done)


def _exported(exported: Exported) -> bytes:
    return csv_of([exported.columns, *exported.rows])
