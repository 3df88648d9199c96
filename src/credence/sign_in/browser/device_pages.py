"""The pages on which a person connects a device: enter its user code, then compare the request (RFC 8628 §3.3, §5.4)."""

from credence import paths
from credence.access.caller_address import address_prefix, peer_address
from credence.oauth.devices.codes import shown_user_code
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.authorization_pages import links_of
from credence.sign_in.browser.durations import in_words
from credence.sign_in.browser.steps import Step, write_step
from credence.store.devices import DeviceRequest
from credence.store.records import Account, Application
from credence.web.messages.answer import Answer, Headers


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
