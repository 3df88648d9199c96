"""POST /oauth2/v1/sign-in and /oauth2/v1/passkey: a person proves who they are (D28, WebAuthn Level 3 §7.2).

Every way to sign in ends in `opened_session` (`browser/gate.py`), which opens a session only for what the policy of the
account accepts. A weaker login is a step of the pages: it adds what the policy needs, and nothing else can be done with it.
"""

from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.identity.login_attempts import LoginAttempt
from credence.identity.usernames import login_name
from credence.oauth.authorization.decision import SignedIn
from credence.oauth.trusted_issuers.ways import METHOD, must_sign_in_there
from credence.refusals.credentials import ACCOUNT_NOT_ACTIVE, WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.authorization import cancel, proceed
from credence.sign_in.browser import issuer_texts, texts
from credence.sign_in.browser.application_of_step import application_of_step
from credence.sign_in.browser.authorization_pages import sign_in_page
from credence.sign_in.browser.forms import form_values
from credence.sign_in.browser.gate import opened_session
from credence.sign_in.browser.people import PASSWORD, browser_known_to, current_person, each_once, login_under_way
from credence.sign_in.browser.refused import problem_of, with_refusal
from credence.sign_in.browser.steps import LIFETIME_MS, FailedAtIssuer, Step, beginning, read_step
from credence.sign_in.from_issuer import leave_for_issuer
from credence.store.contract import Conflict
from credence.store.records import Account, Application
from credence.web.messages.answer import Answer

MAX_NAME_CHARACTERS = 254
MAX_PASSWORD_CHARACTERS = 1_024


async def submit_sign_in(service: Service, request: RequestContext) -> Answer:
    """Form of the sign-in page.

    Requests the password after the login name; checks both, opens a session, and continues with the request. For the page
    alone.
    """
    values = form_values(request)
    step = beginning(read_step(service, request, values.get("step")))
    if values.get("act") == "cancel" and step.target == "authorization":
        return await cancel(service, request, step)
    username, password = values.get("username", "").strip(), values.get("password")
    application = await application_of_step(service, request, step)
    if service.authority.issuers:
        try:
            leaving = await leave_for_issuer(service, request, step, application, values)
        except FailedAtIssuer as failed:
            if values.get("act") or not username:
                raise
            # For every address alike: an owner, whom the domains do not bind, gets in while the issuer is out of order.
            problem = issuer_texts.OUT_OF_ORDER
            page = sign_in_page(service, request, step, application, username, password=True, problem=problem)
            return with_refusal(page, failed)
        if leaving is not None:
            return leaving
    if not username or not password:
        missing = None
        if not username:
            missing = texts.USERNAME_MISSING
        elif password is not None:
            missing = texts.PASSWORD_MISSING
        typed = bool(username) or password is not None
        return sign_in_page(service, request, step, application, username, password=typed, problem=missing)
    try:
        account = await verified_account(service, request, username, password)
        _require_person(service, account, application)
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, SPIKE_ARREST, ACCOUNT_NOT_ACTIVE):
            raise
        problem = _problem(service, refused, texts.WRONG)
        page = sign_in_page(service, request, step, application, username, password=True, problem=problem)
        return with_refusal(page, refused)
    try:
        return await enter(service, request, step, account, PASSWORD)
    except Conflict:
        page = sign_in_page(service, request, step, application, username, password=True, problem=texts.WRONG)
        return page._replace(refused=Refused(WRONG_USER, "account.changed_meanwhile"))


async def submit_passkey(service: Service, request: RequestContext) -> Answer:
    """Passkey of the sign-in page.

    Checks the passkey's signature, opens a session, and continues with the step. For the page alone (WebAuthn).
    """
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    if not step.challenge:
        raise Refused(STEP_LOST, "step.unknown")
    authority, until, again = service.authority, step.arrived_at + LIFETIME_MS + 1, beginning(step)
    try:
        username, methods = await authority.passkeys.verify(
            step.challenge, until, values.get("response", ""), request.now
        )
        account = await authority.revocation_cache.account(username)
        if account is None:
            raise Refused(WRONG_USER, "passkey.unknown")
        there = await _login_at_issuer(service, request, step, username)
        if there is None:
            _require_person(service, account, await application_of_step(service, request, again))
        else:  # the passkey is a factor in addition
            methods = each_once(f"{there.session.methods} {methods}")
            again = msgspec.structs.replace(again, begun=step.begun)
        request.username = username
        request.enforce(await service.rate_limiter.limit_account(username))
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, ACCOUNT_NOT_ACTIVE):
            raise
        return await _passkey_again(service, request, again, refused)
    try:
        return await enter(service, request, again, account, methods)
    except Conflict:
        return await _passkey_again(service, request, again, Refused(WRONG_USER, "account.changed_meanwhile"))


async def enter(
    service: Service,
    request: RequestContext,
    step: Step,
    account: Account,
    methods: str,
    since: Milliseconds | None = None,
    events: Sequence[str] = ("signed_in",),
) -> Answer:
    """Open a session for a person who has proved this with these methods, and go on with the step.

    Return the page for what the policy of the account needs besides, if it needs more. `since` is the time of the sign-in if
    that is not now.
    Raises Conflict when the account changed meanwhile, Refused for an address or time that its access rules exclude.
    """
    opened = await opened_session(service, request, step, account, methods, since)
    if isinstance(opened, Answer):
        return opened
    person, cookie = opened
    answer = await proceed(service, request, beginning(step), person, after_form=True, headers=cookie)
    return answer._replace(events=(*events, *answer.events))


async def verified_account(service: Service, request: RequestContext, username: str, password: str) -> Account:
    """Return the account with this password, by the check of the password grant (threats E12).

    The application that the browser names has proved nothing, so its limits are not those of the attempt.
    """
    request.claimed_username = username[:MAX_NAME_CHARACTERS]
    name = login_name(request.claimed_username)
    attempt = LoginAttempt(name, "", request.address_prefix, browser_known_to(service, request, name))
    check = service.authority.passwords.verify
    account = await check(attempt, password[:MAX_PASSWORD_CHARACTERS], request.now, request.disconnected)
    request.username = account.username
    request.enforce(await service.rate_limiter.limit_account(account.username))
    return account


async def _login_at_issuer(service: Service, request: RequestContext, step: Step, username: str) -> SignedIn | None:
    """Return the login or session of this person that began at a trusted issuer; None for no such one."""
    person = await login_under_way(service, step) or await current_person(service, request)
    if person is None or person.account.username != username or METHOD not in person.session.methods.split():
        return None
    return person


def _require_person(service: Service, account: Account, application: Application | None) -> None:
    """Raise Refused for an account that is not active, belongs to a program, or whose person signs in elsewhere alone.

    Called once the person has proved who they are.
    """
    if account.status != "active":
        raise Refused(ACCOUNT_NOT_ACTIVE, f"account.{account.status}", account=account.username)
    if account.type == "service":
        raise Refused(ACCOUNT_NOT_ACTIVE, "account.service", account=account.username)
    if service.authority.issuers and must_sign_in_there(service.authority, account, application):
        raise Refused(ACCOUNT_NOT_ACTIVE, "account.signs_in_elsewhere", account=account.username)


async def _passkey_again(service: Service, request: RequestContext, step: Step, refused: Refused) -> Answer:
    application = await application_of_step(service, request, step)
    problem = _problem(service, refused, texts.PASSKEY_WRONG)
    return sign_in_page(service, request, step, application, "", problem=problem)._replace(refused=refused)


def _problem(service: Service, refused: Refused, wrong: str) -> str:
    if refused.reason == "account.service":
        return texts.SERVICE_ACCOUNT
    if refused.reason == "account.signs_in_elsewhere":
        return issuer_texts.SIGNS_IN_ELSEWHERE
    if refused.refusal is ACCOUNT_NOT_ACTIVE:
        return texts.NOT_ACTIVE.format(support=texts.support(service.settings.support_email))
    return problem_of(refused, wrong, texts.TOO_MANY_OR_RESET if service.settings.mail_relay else texts.TOO_MANY)
