"""GET and POST /oauth2/v1/authorize, and the form of the consent page (D27, OpenID Connect Core §3.1.2).

Each step reads the request again from the form, so no page relies on the result of an earlier page.
"""

from typing import Annotated

from credence import paths
from credence.clock import Milliseconds
from credence.identity.applications import is_unverified
from credence.identity.gate import is_able
from credence.oauth.authorization.consent import consented, lasting, trusts
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
from credence.oauth.authorization.pushed import opened, use
from credence.oauth.authorization.request import (
    AuthorizationRequest,
    Declined,
    UntrustedRequest,
    return_address,
)
from credence.oauth.authorization.sources import authorization_request
from credence.oauth.client_documents.remembering import may_allow_another, remember
from credence.oauth.trusted_issuers.ways import is_for_application
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import AUTHORIZATION_REQUEST, STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages
from credence.sign_in.browser.answers import SEE_OTHER, code_answer, error_answer, untrusted_answer
from credence.sign_in.browser.application_of_step import client_of_step
from credence.sign_in.browser.authorization_pages import consent_page, sign_in_page
from credence.sign_in.browser.factor_pages import sign_in_again_page, stronger_page
from credence.sign_in.browser.forms import form_pairs, form_values, indexed, query_text, written
from credence.sign_in.browser.gate import Passed
from credence.sign_in.browser.people import current_person, facts_of
from credence.sign_in.browser.steps import LIFETIME_MS as STEP_LIFETIME_MS
from credence.sign_in.browser.steps import RedirectUnknown, Step, beginning, path_of, read_step
from credence.store.contract import Conflict
from credence.store.records import Application
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.routing.operation import Parameter

_REQUEST = (
    Parameter("response_type", "query", "Always `code`.", "code"),
    Parameter("client_id", "query", "Of the application.", "<CLIENT_ID>"),
    Parameter(
        "redirect_uri", "query", "One of the application's, letter for letter.", "https://app.example.com/callback"
    ),
    Parameter("scope", "query", "Scopes, separated by spaces.", "openid profile credit:report"),
    Parameter("state", "query", "Comes back unchanged.", "af0ifjsldkj"),
    Parameter("nonce", "query", "Comes back in the ID token.", "n-0S6_WzA2Mj"),
    Parameter(
        "code_challenge",
        "query",
        "SHA-256 of the code verifier in base64url (RFC 7636).",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    ),
    Parameter("code_challenge_method", "query", "Always `S256`.", "S256"),
    Parameter("response_mode", "query", "`query`, `form_post`, `jwt`, `query.jwt`, `form_post.jwt`."),
    Parameter("prompt", "query", "`none`, `login`, `consent`, `select_account`."),
    Parameter("max_age", "query", "Seconds since the sign-in, at most."),
    Parameter("login_hint", "query", "Username to suggest."),
    Parameter("id_token_hint", "query", "An ID token of the person who is expected."),
    Parameter("acr_values", "query", "Classes of authentication, in order of preference."),
    Parameter("claims", "query", "Single claims, as JSON (OpenID Connect Core §5.5)."),
    Parameter("resource", "query", "The resource of the token (RFC 8707)."),
    Parameter("dpop_jkt", "query", "Thumbprint of the key that redeems the code (RFC 9449 §10)."),
    Parameter("request", "query", "All parameters as a JWT that the application signed (RFC 9101)."),
    Parameter("request_uri", "query", "Of a pushed request; of the rest only the client_id counts (RFC 9126)."),
)


async def authorize(service: Service, request: Annotated[RequestContext, *_REQUEST]) -> Answer:
    """Ask a person for access.

    The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2). The browser is sent here; after sign-in and
    consent it goes back to the redirect URI with a code. The parameters may also come in a form.
    """
    if request.method == "POST":  # redirected to GET: a browser sends no Lax cookie with a form from another site
        location = f"{pages.address(service.settings, paths.AUTHORIZATION)}?{written(form_pairs(request))}"
        if len(location) <= service.limits.url:
            return Answer(SEE_OTHER, HTML, b"", (("location", location), NO_STORE))
        step = Step("authorization", written(form_pairs(request)), request.now)
    else:
        step = Step("authorization", await _query(service, request), request.now)
    return await proceed(service, request, step, await current_person(service, request), after_form=False)


async def _query(service: Service, request: RequestContext) -> str:
    """Return the query of the request, with a pushed request in place of its reference."""
    text = query_text(request)
    parameters = indexed(text)
    if not parameters.all("request_uri"):
        return text
    authority = service.authority
    environment, key = service.settings.environment.prefix, authority.secrets.digest
    return written(await opened(authority.store, environment, key, parameters.pairs, request.now))


async def submit_consent(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Form of the consent page.

    Stores the consent, if the request needs it next, and answers the request; if the person refused, answers with
    `access_denied`. For the page alone.
    """
    person, step, values, _ = passed
    try:
        application, found = _read(service, step, await client_of_step(service, request, step))
        request.client_id = application.client_id
        if values.get("decision") != "allow":
            return await _denied(service, request, application, found, person)
        if not await _counts(service, person, application):
            return await proceed(service, request, step, None, after_form=True)
        decision = await _decision(service, request, step, application, found, person)
    except Declined:
        return await proceed(service, request, step, person, after_form=True)
    shown = values.get("document", "") == application.document_digest.hex()  # unless changed while the page was open
    if not shown or not isinstance(decision, ConsentNeeded):
        return await proceed(service, request, step, person, after_form=True)
    await _remember(service, application, person, request.now)
    scope = lasting(found.scope, with_rights=found.rights is not None)
    given = consented(application, scope, person.account.username, person.consents, request.now)
    await service.authority.store.save_consent(given)
    person = SignedIn(person.session, person.account, [given])
    answer = await proceed(service, request, step, person, after_form=True)
    return answer._replace(events=("consent_given", *answer.events))


async def cancel(service: Service, request: RequestContext, step: Step) -> Answer:
    """Answer a request with access_denied, because the person does not want to sign in."""
    person = await current_person(service, request)
    try:
        application, found = _read(service, step, await client_of_step(service, request, step))
    except Declined:
        return await proceed(service, request, step, person, after_form=True)
    request.client_id = application.client_id
    return await _denied(service, request, application, found, person)


async def proceed(
    service: Service,
    request: RequestContext,
    step: Step,
    person: SignedIn | None,
    *,
    after_form: bool,
    headers: Headers = (),
) -> Answer:
    """Return the answer to the authorization request of the step, or the page that is needed next.

    Other steps go on with the page on which they began, whose gate decides.
    """
    if step.target != "authorization":
        return to_page(service, step, headers)
    application = await client_of_step(service, request, step)
    request.client_id = application.client_id if application is not None else None
    try:
        application, found = _read(service, step, application)
        if person is not None and not await _counts(service, person, application):
            person = None  # the person signs in at an issuer that is for this application
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


async def _counts(service: Service, person: SignedIn, application: Application) -> bool:
    """Return whether the session counts for the application; any does while no issuer is trusted."""
    authority = service.authority
    return not authority.issuers or await is_for_application(authority, person.session, application)


async def _denied(
    service: Service,
    request: RequestContext,
    application: Application,
    found: AuthorizationRequest,
    person: SignedIn | None,
) -> Answer:
    declined = Declined("access_denied", "The person refused.", return_address(found), "authorization.denied")
    await _require_unused(service, found)
    return _declined(service, request, application, person, declined, after_form=True)


def to_page(service: Service, step: Step, headers: Headers = (), events: tuple[str, ...] = ()) -> Answer:
    """Return the redirect to the page on which a step begins."""
    location = pages.address(service.settings, path_of(step) or paths.ACCOUNT)
    return Answer(SEE_OTHER, HTML, b"", (("location", location), NO_STORE, *headers), events)


async def continue_sign_in(service: Service, request: RequestContext) -> Answer:
    """Form of the page with recovery codes.

    Goes on with what the person was about to do. For the page alone.
    """
    step = beginning(read_step(service, request, form_values(request).get("step")))
    return await proceed(service, request, step, await current_person(service, request), after_form=True)


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
    session, account = (person.session, person.account) if person is not None else (None, None)
    facts = facts_of(service, request, session, account, (application,))
    decision = decide(service.authority, application, found, person, facts, step.arrived_at)
    if not isinstance(decision, StrongerSignInNeeded) or person is None:
        return decision
    kinds = {each.kind for each in await service.authority.store.factors_of(person.account.username)}
    if not decision.required and not is_able(kinds, decision.wanted):
        return decide(service.authority, application, found, person, facts, step.arrived_at, weaker_accepted=True)
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


def _read(service: Service, step: Step, application: Application | None) -> tuple[Application, AuthorizationRequest]:
    """Return the application and the request of a step.

    Raises Declined for an error that goes to the redirect URI, Refused for one that is shown as a page.
    """
    try:
        found = authorization_request(service.authority, application, indexed(step.query), step.arrived_at)
    except UntrustedRequest as untrusted:
        if untrusted.redirect_uri and application is not None:
            raise RedirectUnknown(application, untrusted.redirect_uri) from None
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
