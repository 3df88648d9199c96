"""The application whose authorization request a step of the pages carries, and how the pages name it.

One that chose its name itself is marked as such (UTS #39, RFC 7591 §5).
"""

import re

from credence.identity.applications import is_unverified
from credence.oauth.authorization.request import UntrustedRequest, client_of
from credence.oauth.authorization.sources import prepare_keys
from credence.oauth.client_documents.remembering import requested_client
from credence.oauth.client_id_urls import UnusableDocument, host_of_client
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import AUTHORIZATION_REQUEST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import texts
from credence.sign_in.browser.forms import indexed
from credence.sign_in.browser.steps import Step
from credence.store.records import Application


async def application_of_step(service: Service, request: RequestContext, step: Step) -> Application | None:
    """Return the application of the step's request; None if the request names no known application."""
    if step.target != "authorization":
        return None
    try:
        return await client_of_step(service, request, step)
    except Refused:
        return None


async def client_of_step(service: Service, request: RequestContext, step: Step) -> Application | None:
    """Return the application that the request of a step names.

    Raises Refused if it is unknown; the answer is then a page.
    """
    try:
        parameters = indexed(step.query)
        application = await requested_client(service.authority, service.rate_limiter, request, client_of(parameters))
        if application is not None:
            await prepare_keys(service.authority, application, parameters, request.now)
        return application
    except (UntrustedRequest, UnusableDocument) as unknown:
        raise Refused(AUTHORIZATION_REQUEST, str(unknown)) from None


_DOUBLE_MARKS = re.compile('["\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]')
"""Marks with which a name could pretend to end; those of clients from before a rule forbade them are left out."""


def name_in_heading(application: Application) -> str:
    """Return the name; in quotation marks if the operator has not verified the application."""
    if not is_unverified(application):
        return application.name
    return texts.NAMED_BY_ITSELF.format(name=without_marks(application.name))


def without_marks(text: str) -> str:
    """Return a text that an application chose, without the quotation marks with which it could pretend to end."""
    return _DOUBLE_MARKS.sub("", text)


def name_in_text(application: Application) -> str:
    """Return the name as in a heading; of an unverified client with a document, also the host of the document."""
    name = name_in_heading(application)
    if not application.document_digest:
        return name
    return texts.NAMED_BY_DOCUMENT.format(application=name, host=host_of_client(application.client_id))
