"""The gate of the sites: a screen is read, and an act is done, for a person who may (D30, threats E1).

`identity/gate.py` decides about the sign-in, with the access rules and the policy of the site's own application;
`access.py` about the rights. The pipeline calls the gate before the screen.
"""

from collections.abc import Sequence

from credence import paths
from credence.blocks.values import Links, Note
from credence.identity.gate import Missing, Needs, NotFromHere, NotSignedIn, TooWeak, missing
from credence.identity.sessions import AUTHENTICATION_CLASSES
from credence.refusals.credentials import INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.forms import form_values, require_same_origin
from credence.sign_in.browser.people import facts_of
from credence.sites.kit.kept import keep_form
from credence.sites.kit.screen import Page, Screen, Site, Visit
from credence.sites.kit.session import here, person_at, session_at, sign_in_address
from credence.sites.kit.shell import draw
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import read_query
from credence.web.routing.route import Route

_SEE_OTHER = 303


async def pass_gate(
    site: Site, rows: Sequence[Route], screen: Screen, service: Service, request: RequestContext
) -> Visit | Answer:
    """Return the visit of a person who may see the screen, or the answer to any other request.

    `rows` are all routes of the service.
    """
    visit = await visit_at(site, rows, service, request)
    if isinstance(visit, NotFromHere):
        raise Refused(FORBIDDEN, visit.reason)
    if isinstance(visit, NotSignedIn):
        if site.sign_up is not None and request.path == site.home and getattr(service.settings, site.sign_up[0]):
            return _welcome(site, service, site.sign_up[1])
        kept = await _kept(site, service, request) if request.method == "POST" else ()
        return Answer(_SEE_OTHER, HTML, b"", (("location", sign_in_address(site, here(request))), NO_STORE, *kept))
    if not isinstance(visit, Visit):
        return sign_in_again(site, service, request, visit, "The rules of the application require")
    return visit if visit.has(screen.needs) else forbidden(visit)


async def visit_at(site: Site, rows: Sequence[Route], service: Service, request: RequestContext) -> Visit | Missing:
    """Return the visit of the person at the browser, with their rights; or what they lack to be on the site."""
    application = await service.authority.revocation_cache.application(site.application.client_id(service.settings))
    found = await person_at(site, service, request)
    if found is None or application is None or application.disabled:
        return NotSignedIn()
    session, account = found
    request.parameters = read_query(request.query.decode("latin-1")) if request.query else {}
    admitted = await site.admit(service, request, session, account)
    applications = (application,) if admitted.application is None else (application, admitted.application)
    facts = facts_of(service, request, session, account, applications)
    lacks = missing(facts, admitted.needs)
    return lacks or Visit(service, request, site, account, session, facts, rows, admitted)


async def _kept(site: Site, service: Service, request: RequestContext) -> Headers:
    """Return the cookie that keeps a form for the person of the session that has ended; none if that is not known.

    Raises Refused for a form from another site. The body of a screen that takes files is not read before the sign-in.
    """
    require_same_origin(request)
    ended = await session_at(site, service, request)
    if ended is None:
        return ()
    values = form_values(request) if request.body else {}
    typed = {name: value for name, value in values.items() if name not in ("token", "act")}
    return keep_form(site, service, request, ended.username, values.get("act", ""), typed)


def page_before_act(visit: Visit, needs: Needs) -> Answer | None:
    """Return the page for what the person lacks for an act on a screen; None if nothing."""
    lacks = missing(visit.facts, needs)
    if lacks is None:
        return None
    return sign_in_again(visit.site, visit.service, visit.request, lacks, "This action requires")


def sign_in_again(site: Site, service: Service, request: RequestContext, lacks: Missing, cause: str) -> Answer:
    """Return the page for a person whose sign-in is too old or too weak."""
    text = f"{cause} a more recent or a stronger sign-in. Nothing was changed; you return here afterwards."
    needed = AUTHENTICATION_CLASSES.index(lacks.needed) if isinstance(lacks, TooWeak) else 0
    classes = " ".join(AUTHENTICATION_CLASSES[needed:]) if needed else ""
    next_link = ("Sign in again", sign_in_address(site, here(request), again=True, classes=classes))
    page = Page("Sign in again first", [Note(text)], "")
    refused = Refused(INSUFFICIENT_AUTHENTICATION, "step_up.class" if isinstance(lacks, TooWeak) else "step_up.max_age")
    return draw(site, service, None, None, page, status=403, next_link=next_link)._replace(refused=refused)


def forbidden(visit: Visit) -> Answer:
    """Return the page for a person without the right to see a screen or to do an act."""
    site, account = visit.site, visit.account
    above = (site.screens[0].title, site.home) if visit.has(site.screens[0].needs) else None
    page = Page("Not allowed", [Note(site.how_to_get_in(account))], "", above=above)
    answer = draw(site, visit.service, visit, None, page, status=403)
    return answer._replace(refused=Refused(INSUFFICIENT_SCOPE, "console.role", account=account.username))


def _welcome(site: Site, service: Service, sign_up: str) -> Answer:
    links = [("Sign up", sign_up), ("Read the reference", paths.DOCS)]
    page = Page(f"Welcome to the {site.title}", [Links("New here?", links)], "", lead=site.welcome)
    return draw(site, service, None, None, page, next_link=("Sign in", site.sign_in_path))
