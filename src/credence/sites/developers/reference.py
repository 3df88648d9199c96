"""A page of the reference for a developer who is signed in to the portal: with a form for each operation (threats E4)."""

from collections.abc import Sequence

from markupsafe import escape

from credence import paths
from credence.blocks.text import visible
from credence.management.developers import applications_of
from credence.request_context import RequestContext
from credence.service import Service
from credence.settings import Environment, Settings
from credence.sites.developers.operations import fields_of, operations_of
from credence.sites.developers.site import DEVELOPERS
from credence.sites.developers.trying import machines_of
from credence.sites.kit.gate import visit_at
from credence.sites.kit.screen import Visit
from credence.sites.kit.session import form_token
from credence.sites.reference.pages import APPLICATIONS, HEADERS, TOKEN, Reference, Trial
from credence.web.messages.answer import HTML, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routing.route import Route


def are_tried(settings: Settings) -> bool:
    """Return whether developers can send requests from pages of this deployment."""
    return settings.serves_developers and settings.environment is Environment.SANDBOX


def trial_of(rows: Sequence[Route], settings: Settings, *, is_here: bool) -> Trial:
    """Return the operations of these routes that can be tried, with their fields and the address of the forms."""
    fields = {name: fields_of(row, {}) for name, row in operations_of(rows, settings).items()}
    return Trial(paths.DEVELOPERS_TRY, fields, is_here)


async def with_forms(service: Service, request: RequestContext, reference: Reference, subject: str) -> Answer | None:
    """Return the page of a subject with a form for each operation that can be tried.

    None for another name, or unless a developer with an application is signed in.
    """
    visit = await visit_at(DEVELOPERS, (), service, request)
    if not isinstance(visit, Visit) or not visit.has("developer"):
        return None
    machines = machines_of(await applications_of(service.authority.store, visit.account.username))
    if not machines:
        return None
    options = "".join(
        f'<option value="{escape(each.client_id)}">{escape(visible(each.name))}</option>' for each in machines
    )
    page = reference.subject(subject)
    if page is None:
        return None
    body = page.decode().replace(TOKEN, form_token(DEVELOPERS, service, visit.session)).replace(APPLICATIONS, options)
    return Answer(200, HTML, body.encode(), (NO_STORE, *HEADERS))
