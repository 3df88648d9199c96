"""GET and POST /device: a person connects a device that has no browser (RFC 8628 §3.3).

A link alone has no effect, so an attacker's link connects nothing: the person sends the code, and then allows the
request on a page with the name of the application and the address of the request (§5.4).
"""

from typing import Annotated

import msgspec

from credence import paths
from credence.access.caller_address import address_prefix, peer_address
from credence.oauth.authorization.consent import consented
from credence.oauth.authorization.decision import SignedIn
from credence.oauth.devices import shown_user_code
from credence.oauth.trusted_issuers.ways import is_for_application
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.authorization_pages import links_of
from credence.sign_in.browser.durations import in_words
from credence.sign_in.browser.gate import Passed, page_before
from credence.sign_in.browser.refused import problem_of, with_refusal
from credence.sign_in.browser.steps import FailedAtIssuer, Step, write_step
from credence.store.devices import DeviceRequest
from credence.store.records import Account, Application
from credence.web.messages.answer import Answer, Headers
from credence.web.routing.operation import Parameter

MAX_CODE_CHARACTERS = 40


_USER_CODE = Parameter("user_code", "query", "The code, filled in for the person to compare.", "WDJB-MJHT")


async def device(service: Service, request: Annotated[RequestContext, _USER_CODE], passed: Passed) -> Answer:
    """Connect a device.

    The page on which a person enters the code of a device (RFC 8628 §3.3).
    """
    return device_page(service, request, passed.step)


async def submit_device(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Forms of the page for a device.

    Looks up the code for the consent page, or stores the decision. For the pages alone.
    """
    person, step, values, _ = passed
    if step.target == "device-consent":
        return await _decide(service, request, step, person, allowed=values.get("decision") == "allow")
    typed = values.get("user_code", "").strip()[:MAX_CODE_CHARACTERS]
    step = msgspec.structs.replace(step, query=typed)
    if not typed:
        return device_page(service, request, step, problem=texts.DEVICE_CODE_MISSING)
    user_codes = service.authority.user_codes
    try:
        code, device_request = await user_codes.find(person.account, typed, request.address_prefix, request.now)
    except Refused as refused:
        problem = problem_of(refused, texts.DEVICE_CODE_UNKNOWN)
        return with_refusal(device_page(service, request, step, problem=problem), refused)
    application = await _application(service, request, person, device_request)
    page = await page_before(service, request, step, person, applications=(application,))
    return page or device_consent_page(service, request, code, device_request, application, person.account)


async def _decide(service: Service, request: RequestContext, step: Step, person: SignedIn, *, allowed: bool) -> Answer:
    """Store the consent, then the decision: without the consent the decision has no effect."""
    authority, account, now, code = service.authority, person.account, request.now, step.query
    device_request = await authority.user_codes.waiting(code, now)
    if device_request is None:
        return device_page(service, request, Step("device", "", now), problem=texts.DEVICE_CODE_UNKNOWN)
    application = await _application(service, request, person, device_request)
    page = await page_before(service, request, step, person, applications=(application,))
    if page is not None:
        return page
    if allowed:
        given = consented(application, device_request.scope, account.username, person.consents, now)
        await authority.store.save_consent(given)
    decided = msgspec.structs.replace(
        device_request,
        decision="allowed" if allowed else "refused",
        username=account.username,
        signed_in_at=person.session.signed_in_at,
        methods=person.session.methods,
    )
    if not await authority.store.decide_device_request(decided, now):
        return device_page(service, request, Step("device", "", now), problem=texts.DEVICE_CODE_UNKNOWN)
    title, lead = (
        (texts.DEVICE_ALLOWED_TITLE, texts.DEVICE_ALLOWED)
        if allowed
        else (texts.DEVICE_REFUSED_TITLE, texts.DEVICE_REFUSED)
    )
    event = "device_allowed" if allowed else "device_refused"
    return pages.page(service.settings, "message", title, lead=lead, events=(event,))


async def _application(
    service: Service, request: RequestContext, person: SignedIn, device_request: DeviceRequest
) -> Application:
    """Return the application of the device request. Raises Refused if it is gone or the session does not count for it."""
    application = await service.authority.revocation_cache.application(device_request.client_id)
    if application is None or application.disabled:
        raise Refused(STEP_LOST, "user_code.application_gone")
    request.client_id = application.client_id
    if not await is_for_application(service.authority, person.session, application):
        raise FailedAtIssuer(paths.SIGN_OUT, "issuer.session_not_for_application")
    return application


def device_page(
    service: Service, request: RequestContext, step: Step, *, problem: str | None = None, headers: Headers = ()
) -> Answer:
    """Return the page for the user code of a device.

    A code from a link is filled in, but the person must still submit it (§3.3.1).
    """
    text, fields = write_step(service, request, step)
    return pages.page(
        service.settings,
        "device",
        texts.DEVICE_TITLE,
        headers=(*fields, *headers),
        lead=texts.DEVICE_COMPARE if step.query else texts.DEVICE_LEAD,
        problem=problem,
        code=step.query,
        action=pages.address(service.settings, paths.DEVICE),
        step=text,
    )


def device_consent_page(
    service: Service,
    request: RequestContext,
    code: str,
    device_request: DeviceRequest,
    application: Application,
    account: Account,
) -> Answer:
    """Return the device consent page: the person compares the user code and approves or denies (RFC 8628 §3.3).

    First-party applications need this consent too.
    """
    text, fields = write_step(service, request, Step("device-consent", code, request.now))
    seconds = application.refresh_token_lifetime or service.settings.refresh_token_lifetime_seconds
    near = address_prefix(peer_address(device_request.address)) == request.address_prefix
    ago = in_words((request.now - device_request.created_at) // 1000)
    return pages.page(
        service.settings,
        "device-consent",
        texts.CONSENT_TITLE.format(application=application.name),
        headers=fields,
        lead=texts.DEVICE_CONSENT_LEAD.format(application=application.name, username=account.username),
        code=shown_user_code(code),
        asked=texts.DEVICE_ASKED_AT.format(time=ago, address=device_request.address),
        place=texts.DEVICE_NEARBY if near else texts.DEVICE_ELSEWHERE,
        scopes=[texts.SCOPES[scope] for scope in device_request.scope.split()],
        lifetime=texts.CONSENT_LIFETIME_OFFLINE.format(lifetime=in_words(seconds)),
        links=links_of(application),
        warning=texts.DEVICE_WARNING,
        action=pages.address(service.settings, paths.DEVICE),
        step=text,
    )
