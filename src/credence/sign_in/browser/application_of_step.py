"""The application whose authorization request a step of the pages carries."""

from credence.oauth.authorization.request import UntrustedRequest, client_of
from credence.oauth.authorization.sources import prepare_keys
from credence.oauth.client_documents.requested_client import requested_client
from credence.oauth.client_id_urls import UnusableDocument
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import AUTHORIZATION_REQUEST
from credence.request_context import RequestContext
from credence.service import Service
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
