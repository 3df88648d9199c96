"""Serves a screen: who is there, whether they may, what they do, and the page (D30)."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace

from credence import paths
from credence.errors import OperatorError
from credence.identity.console_roles import may
from credence.refusals import INSUFFICIENT_SCOPE, RESOURCE_UNKNOWN, STEP_LOST, Refused
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.web.browser.forms import form_values
from credence.web.browser.people import is_fresh
from credence.web.console.blocks import Note, Page
from credence.web.console.screen import Done, Exported, Screen, Visit, Wrong
from credence.web.console.session import here, operator_at, require_own_form, sign_in_address
from credence.web.console.shell import Problem, draw
from credence.web.messages.answer import CSV, HTML, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import read_query
from credence.web.routing.route import Route

SEE_OTHER = 303

CSV_ENDING = ".csv"

_DOWNLOADED = ("content-disposition", "attachment")

_FORMULA_SIGNS = frozenset("=+-@\t\r")

_TOKEN, _ACT = "token", "act"


async def serve(
    screens: Sequence[Screen], rows: Sequence[Route], screen: Screen, service: Service, request: RequestContext
) -> Answer:
    """Answer a request for a screen. A POST is one of its acts. `rows` are all routes of the service."""
    found = await operator_at(service, request)
    if found is None:
        return Answer(SEE_OTHER, HTML, b"", (("location", sign_in_address(here(request))), NO_STORE))
    session, account = found
    request.parameters = read_query(request.query.decode("latin-1")) if request.query else {}
    if not may(account.console_role, screen.role):
        return _forbidden(service, screens, Visit(service, request, account, session))
    visit = Visit(service, request, account, session, rows)
    if screen.export is not None and request.path.endswith(CSV_ENDING):
        return Answer(200, CSV, _csv(await screen.export(visit)), (NO_STORE, _DOWNLOADED))
    if request.method == "POST":
        return await _act(screens, screen, visit)
    return await _shown(screens, screen, visit)


async def _shown(
    screens: Sequence[Screen],
    screen: Screen,
    visit: Visit,
    *,
    status: int = 200,
    done: Done | None = None,
    problem: Problem | None = None,
) -> Answer:
    service, operator = visit.service, visit.operator
    try:
        page = await screen.read(visit)
    except Refused as refused:
        if refused.refusal is not RESOURCE_UNKNOWN:
            raise
        text = "There is nothing of this name. It may have expired, or been deleted."
        page = Page("Not found", [Note(text)], "", above=("Overview", paths.CONSOLE))
        return replace(draw(service, operator, visit.session, screens, None, page, status=404), refused=refused)
    return draw(service, operator, visit.session, screens, screen, page, status=status, done=done, problem=problem)


async def _act(screens: Sequence[Screen], screen: Screen, visit: Visit) -> Answer:
    service, request = visit.service, visit.request
    values = form_values(request)
    require_own_form(service, request, visit.session, values.get(_TOKEN))
    act = screen.act(values.get(_ACT, ""))
    if act is None:
        raise Refused(STEP_LOST, "step.unknown")
    if not may(visit.operator.console_role, act.role):
        return _forbidden(service, screens, visit)
    if act.grave and not is_fresh(visit.session, request.now):
        return _sign_in_again(screens, visit)
    typed: Mapping[str, str] = {name: value for name, value in values.items() if name not in (_TOKEN, _ACT)}
    try:
        done = await act.run(visit, typed)
    except Wrong as wrong:
        return await _shown(screens, screen, visit, status=422, problem=Problem(act.name, wrong, typed))
    except Conflict:
        changed = Wrong("Somebody else changed this at the same time. This is how it is now; try again.")
        return await _shown(screens, screen, visit, status=409, problem=Problem(act.name, changed, typed))
    except OperatorError as error:
        problem = Problem(act.name, Wrong(str(error)), typed)
        return await _shown(screens, screen, visit, status=422, problem=problem)
    await service.authority.follow(request.now)
    return await _shown(screens, screen, visit, done=done)


def _forbidden(service: Service, screens: Sequence[Screen], visit: Visit) -> Answer:
    role = visit.operator.console_role
    text = (
        f"Your role is {role}, which does not reach this. An owner of the deployment gives roles on its command line: "
        f"credence account role {visit.operator.username} ROLE"
    )
    page = Page("Not allowed", [Note(text)], "", above=("Overview", paths.CONSOLE) if role != "none" else None)
    answer = draw(service, visit.operator, visit.session, screens, None, page, status=403)
    return replace(answer, refused=Refused(INSUFFICIENT_SCOPE, "console.role", account=visit.operator.username))


def _sign_in_again(screens: Sequence[Screen], visit: Visit) -> Answer:
    text = "This is grave, so it needs a sign-in of the last ten minutes. You come back here; nothing was done yet."
    page = Page("Sign in again first", [Note(text)], "")
    onward = ("Sign in again", sign_in_address(here(visit.request), again=True))
    return draw(visit.service, visit.operator, visit.session, screens, None, page, onward=onward)


def _csv(exported: Exported) -> bytes:
    """Return rows as CSV. A cell that a spreadsheet would read as a formula gets an apostrophe (OWASP, CSV injection)."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(exported.columns)
    for row in exported.rows:
        writer.writerow([f"'{cell}" if cell[:1] in _FORMULA_SIGNS else cell for cell in row])
    return text.getvalue().encode()
