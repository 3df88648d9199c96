"""POST /oauth2/v1/passkey: a person signs in with a passkey instead of login name and password (WebAuthn Level 3 §7.2)."""

from credence.refusals.credentials import ACCOUNT_NOT_ACTIVE, WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.web.browser import texts
from credence.web.browser.authorization_pages import sign_in_page
from credence.web.browser.forms import form_values
from credence.web.browser.people import sign_in
from credence.web.browser.steps import LIFETIME_MS, Step, read_step
from credence.web.endpoints.authorization import application_of_step, proceed
from credence.web.messages.answer import Answer


async def submit_passkey(service: Service, request: RequestContext) -> Answer:
    """Check the passkey's signature, open a session, and continue with the step."""
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    if not step.challenge:
        raise Refused(STEP_LOST, "step.unknown")
    authority, until = service.authority, step.arrived_at + LIFETIME_MS + 1
    onward = Step(step.target, step.query, step.arrived_at)
    try:
        username, methods = await authority.passkeys.verify(
            step.challenge, until, values.get("response", ""), request.now
        )
        account = await authority.revocation_cache.account(username)
        if account is None:
            raise Refused(WRONG_USER, "passkey.unknown")
        if account.status != "active":
            raise Refused(ACCOUNT_NOT_ACTIVE, f"account.{account.status}", account=username)
        request.username = username
        request.enforce(await service.rate_limiter.limit_account(username))
        person, cookie = await sign_in(service, request, account, methods)
    except Conflict:
        return await _again(service, request, onward, Refused(WRONG_USER, "account.changed_meanwhile"))
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, ACCOUNT_NOT_ACTIVE):
            raise
        return await _again(service, request, onward, refused)
    answer = await proceed(service, request, onward, person, after_form=True, headers=cookie)
    return answer._replace(events=("signed_in", *answer.events))


async def _again(service: Service, request: RequestContext, step: Step, refused: Refused) -> Answer:
    problem = texts.PASSKEY_WRONG
    if refused.refusal is ACCOUNT_NOT_ACTIVE:
        problem = texts.NOT_ACTIVE.format(support=texts.support(service.settings.support_email))
    application = await application_of_step(service, request, step)
    return sign_in_page(service, request, step, application, "", problem=problem)._replace(refused=refused)
