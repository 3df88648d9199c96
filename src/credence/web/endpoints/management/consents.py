"""/manage/v1/accounts/{username}/consents: lists and withdraws the consents of an account (D28, D30)."""

from credence.clock import rfc3339
from credence.management.service_schema import Consents, ConsentState
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.endpoints.management.accounts import found_account
from credence.web.endpoints.management.acts import record, require_reach_of_account, shown
from credence.web.messages.answer import Answer
from credence.web.messages.caching import NO_STORE
from credence.web.resource_api.pages import is_preview, require_parameters


async def list_consents(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the consents of an account."""
    account = await found_account(service, request)
    found = await service.authority.store.consents_of(account.username)
    return shown(Consents([ConsentState(each.client_id, each.scope, rfc3339(each.granted_at)) for each in found]))


async def withdraw(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Withdraw a consent, and end the logins that the person opened for the application in a browser."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    account, store = await found_account(service, request), service.authority.store
    require_reach_of_account(service, bearer, account)
    client_id = request.segments[1]
    if client_id not in {each.client_id for each in await store.consents_of(account.username)}:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    if not preview:
        await record(service, request, bearer, "consent withdraw", account=account.username, application=client_id)
        await store.withdraw_consent(account.username, client_id, request.now)
        await service.authority.follow(request.now)
    return Answer(204, "", b"", (NO_STORE,))
