"""GET and POST /oauth2/v1/authorize, and the two forms before its answer (D27, OpenID Connect Core §3.1.2).

Each step reads the request again from the form, so no page relies on the result of an earlier page.
"""

import msgspec

from credence import paths
from credence.clock import Milliseconds
from credence.identity.applications import is_unverified
from credence.identity.login_attempts import LoginAttempt
from credence.identity.not_before import dated
from credence.identity.sessions import CLASS_OF_POLICY
from credence.identity.usernames import login_name
from credence.oauth.authorization.consent import consented, trusts
from credence.oauth.authorization.decision import (
    ConsentNeeded,
    Decision,
    Granted,
    SignedIn,
    SignInNeeded,
    StrongerSignInNeeded,
    decide,
    sign_in_required,
)
from credence.oauth.authorization.pushed import use
from credence.oauth.authorization.request import (
    AuthorizationRequest,
    Declined,
    UntrustedRequest,
    client_of,
    return_address,
)
from credence.oauth.authorization.sources import authorization_request, prepare_keys
from credence.oauth.client_authentication.authentication import check_access
from credence.oauth.client_documents.remembering import may_allow_another, remember
from credence.oauth.client_documents.requested_client import requested_client
from credence.oauth.client_id_urls import UnusableDocument
from credence.refusals.credentials import ACCOUNT_NOT_ACTIVE, WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import AUTHORIZATION_REQUEST, STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.records import Account, Application
from credence.web.browser import pages, texts
from credence.web.browser.answers import SEE_OTHER, code_answer, error_answer, untrusted_answer
from credence.web.browser.authorization_pages import consent_page, sign_in_page
from credence.web.browser.device_pages import device_page
from credence.web.browser.factor_pages import second_factor_page, sign_in_again_page, stronger_page
from credence.web.browser.forms import form_pairs, form_values, parameters_of, query_pairs, query_text, written
from credence.web.browser.people import PASSWORD, current_person, sign_in
from credence.web.browser.steps import LIFETIME_MS as STEP_LIFETIME_MS
from credence.web.browser.steps import Step, read_step
from credence.web.endpoints.account import account_or_stronger_page
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE

MAX_NAME_CHARACTERS = 254
MAX_PASSWORD_CHARACTERS = 1_024


async def authorize(service: Service, request: RequestContext) -> Answer:
    """Answer an authorization request, or show the page that is needed first.

    A POST is redirected to GET: a browser sends no Lax cookie with a form from another site, but it does with the
    redirect.
    """
    if request.method == "POST":
        location = f"{pages.address(service.settings, paths.AUTHORIZATION)}?{written(form_pairs(request))}"
        if len(location) <= service.limits.url:
            return Answer(SEE_OTHER, HTML, b"", (("location", location), NO_STORE))
        step = Step("authorization", written(form_pairs(request)), request.now)
    else:
        query_pairs(request)  # raises Refused if it is malformed
        step = Step("authorization", query_text(request), request.now)
    return await proceed(service, request, step, await current_person(service, request), after_form=False)


async def submit_sign_in(service: Service, request: RequestContext) -> Answer:
    """Ask for the password after the login name; check both, open a session, and continue with the request."""
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    username, password = values.get("username", "").strip(), values.get("password")
    application = await application_of_step(service, request, step)
    if not username or not password:
        missing = None
        if not username:
            missing = texts.USERNAME_MISSING
        elif password is not None:
            missing = texts.PASSWORD_MISSING
        typed = bool(username) or password is not None
        return sign_in_page(service, request, step, application, username, password=typed, problem=missing)
    try:
        account = await verified_account(service, request, application, username, password)
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, SPIKE_ARREST):
            raise
        problem = texts.BUSY if refused.refusal is SPIKE_ARREST else texts.WRONG
        page = sign_in_page(service, request, step, application, username, password=True, problem=problem)
        return page._replace(refused=refused)
    if account.status != "active":
        problem = texts.NOT_ACTIVE.format(support=texts.support(service.settings.support_email))
        page = sign_in_page(service, request, step, application, username, password=True, problem=problem)
        return page._replace(refused=Refused(ACCOUNT_NOT_ACTIVE, f"account.{account.status}"))
    if any(each.kind == "totp" for each in await service.authority.store.factors_of(account.username)):
        proved = msgspec.structs.replace(
            step,
            username=account.username,
            password_version=account.password_version,
            proved_at=dated(request.now, account.not_before),
        )
        return second_factor_page(service, request, proved)
    try:
        person, cookie = await sign_in(service, request, account, PASSWORD)
    except Conflict:
        page = sign_in_page(service, request, step, application, username, password=True, problem=texts.WRONG)
        return page._replace(refused=Refused(WRONG_USER, "account.changed_meanwhile"))
    answer = await proceed(service, request, step, person, after_form=True, headers=cookie)
    return answer._replace(events=("signed_in", *answer.events))


async def submit_consent(service: Service, request: RequestContext) -> Answer:
    """Store the consent and answer the request; if the person refused, answer with access_denied."""
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    person = await current_person(service, request)
    if person is None or step.target != "authorization":
        return await proceed(service, request, step, person, after_form=True)
    application, found = _read(service, step, await _client_of_step(service, request, step))
    request.client_id = application.client_id
    if values.get("decision") != "allow":
        declined = Declined("access_denied", "The person refused.", return_address(found), "authorization.denied")
        await _require_unused(service, found)
        return _declined(service, request, application, person, declined, after_form=True)
    if values.get("document", "") != application.document_digest.hex():  # changed while the page was open
        return await proceed(service, request, step, person, after_form=True)
    await _remember(service, application, person, request.now)
    given = consented(application, found.scope, person.account.username, person.consents, request.now)
    await service.authority.store.save_consent(given)
    person = SignedIn(person.session, person.account, [given])
    answer = await proceed(service, request, step, person, after_form=True)
    return answer._replace(events=("consent_given", *answer.events))


async def proceed(
    service: Service,
    request: RequestContext,
    step: Step,
    person: SignedIn | None,
    *,
    after_form: bool,
    headers: Headers = (),
) -> Answer:
    """Return the answer to the request of the step, or the page that is needed next."""
    if step.target != "authorization":
        if person is None:
            return sign_in_page(service, request, step, None, "")
        if step.target == "device":
            return device_page(service, request, step, headers=headers)
        return await account_or_stronger_page(service, request, step, person, headers=headers)
    application = await _client_of_step(service, request, step)
    request.client_id = application.client_id if application is not None else None
    try:
        application, found = _read(service, step, application)
        check_access(service.settings, request, application, person.account if person else None)
        decision = await _decision(service, request, step, application, found, person)
    except Declined as declined:
        if application is None:
            raise LookupError("a request without application is untrusted") from None
        return _declined(service, request, application, person, declined, after_form=after_form, headers=headers)
    match decision:
        case Granted(code):
            await _require_unused(service, found)
            to = return_address(found)
            return code_answer(service, application, to, code, request.now, after_form=after_form, headers=headers)
        case SignInNeeded(username) if person is not None and username in (None, "", person.account.username):
            return sign_in_again_page(service, request, step, application, person, headers=headers)
        case SignInNeeded(username):
            return sign_in_page(service, request, step, application, username or "", headers=headers)
        case StrongerSignInNeeded(wanted) if person is not None:
            return await stronger_page(service, request, step, person, wanted, headers)
        case ConsentNeeded(account):
            return consent_page(service, request, step, application, found, account, headers)
    raise LookupError("a stronger sign-in needs a person")


async def _decision(
    service: Service,
    request: RequestContext,
    step: Step,
    application: Application,
    found: AuthorizationRequest,
    person: SignedIn | None,
) -> Decision:
    """Return the next step.

    A voluntary request for a stronger sign-in (`acr_values`) is ignored if the person has no factor for it.
    """
    decision = decide(service.authority, application, found, person, step.arrived_at, request.now)
    if not isinstance(decision, StrongerSignInNeeded) or person is None:
        return decision
    kinds = {each.kind for each in await service.authority.store.factors_of(person.account.username)}
    able = {"passkey"} if decision.wanted == CLASS_OF_POLICY["passkey"] else {"passkey", "totp"}
    if not decision.required and not kinds & able:
        at, now = step.arrived_at, request.now
        return decide(service.authority, application, found, person, at, now, weaker_accepted=True)
    if "none" in found.prompts:
        raise sign_in_required(found)
    return decision


def _declined(
    service: Service,
    request: RequestContext,
    application: Application,
    person: SignedIn | None,
    declined: Declined,
    *,
    after_form: bool,
    headers: Headers = (),
) -> Answer:
    """Return the error at the redirect URI; for a client that this person does not trust, a page that names its host."""
    if trusts(application, person.consents if person else ()):
        answer = error_answer(service, application, declined, request.now, after_form=after_form, headers=headers)
    else:
        answer = untrusted_answer(service, request, application, declined, headers=headers)
    return answer._replace(refused=Refused(AUTHORIZATION_REQUEST, declined.reason))


async def _require_unused(service: Service, found: AuthorizationRequest) -> None:
    """Record that a pushed request is answered. Raises Refused if it was answered before (RFC 9126 §7.3).

    The record is kept until every page that was opened before the reference expired has expired itself.
    """
    if found.pushed is None:
        return
    until = found.pushed.expires_at + STEP_LIFETIME_MS + 1
    if not await use(service.authority.store, service.authority.secrets.digest, found.pushed, until):
        raise Refused(AUTHORIZATION_REQUEST, "authorization.request_uri_used")


async def verified_account(
    service: Service, request: RequestContext, application: Application | None, username: str, password: str
) -> Account:
    """Return the account with this password, with the limits and the order of the password grant (threats E12)."""
    limiter, name = service.rate_limiter, login_name(username[:MAX_NAME_CHARACTERS])
    request.claimed_username = username[:MAX_NAME_CHARACTERS]
    request.enforce(await limiter.limit_unauthenticated(request.address_prefix, application, name))
    attempt = LoginAttempt(name, application.client_id if application else "", request.address_prefix)
    check = service.authority.passwords.verify
    account = await check(attempt, password[:MAX_PASSWORD_CHARACTERS], request.now, request.disconnected)
    request.username = account.username
    request.enforce(await limiter.limit_account(account.username))
    return account


async def application_of_step(service: Service, request: RequestContext, step: Step) -> Application | None:
    """Return the application of the step's request; None if the request names no known application."""
    if step.target != "authorization":
        return None
    try:
        return await _client_of_step(service, request, step)
    except Refused:
        return None


async def _client_of_step(service: Service, request: RequestContext, step: Step) -> Application | None:
    """Return the application that the request of a step names.

    Raises Refused if it is unknown; the answer is then a page.
    """
    try:
        pairs = parameters_of(step.query)
        application = await requested_client(service.authority, service.rate_limiter, request, client_of(pairs))
        if application is not None:
            await prepare_keys(service.authority, application, pairs, request.now)
        return application
    except (UntrustedRequest, UnusableDocument) as unknown:
        raise Refused(AUTHORIZATION_REQUEST, str(unknown)) from None


def _read(service: Service, step: Step, application: Application | None) -> tuple[Application, AuthorizationRequest]:
    """Return the application and the request of a step.

    Raises Declined for an error that goes to the redirect URI, Refused for one that is shown as a page.
    """
    try:
        found = authorization_request(service.authority, application, parameters_of(step.query), step.arrived_at)
    except UntrustedRequest as untrusted:
        raise Refused(AUTHORIZATION_REQUEST, untrusted.reason) from None
    if application is None:
        raise LookupError("a request without application is untrusted")
    return application, found


async def _remember(service: Service, application: Application, person: SignedIn, now: Milliseconds) -> None:
    """Store an unverified client (`is_unverified`), once a person has allowed it."""
    if not is_unverified(application):
        return
    if application.document_digest and not may_allow_another(application.client_id, person.consents):
        raise Refused(AUTHORIZATION_REQUEST, "client_document.too_many")
    try:
        await remember(service.authority.store, application, now)
    except Conflict:
        raise Refused(STEP_LOST, "client_document.changed_meanwhile") from None
    await service.authority.follow(now)
