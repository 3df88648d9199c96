"""The forms of the second factor: enter a code at sign-in, set up or remove an authenticator app (RFC 6238)."""

from collections.abc import Mapping

from credence.identity.not_before import is_cut_off
from credence.identity.sessions import CLASS_OF_POLICY, authentication_class, is_weaker
from credence.oauth.authorization.decision import SignedIn
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.people import Factor
from credence.store.records import Account
from credence.web.browser import texts
from credence.web.browser.authorization_pages import sign_in_page
from credence.web.browser.factor_pages import (
    recovery_page,
    second_factor_page,
    set_up_page,
    set_up_passkey_page,
    sign_in_again_page,
    stronger_page,
)
from credence.web.browser.forms import form_values
from credence.web.browser.people import PASSWORD, SECOND_FACTOR, current_person, each_once, is_fresh, sign_in
from credence.web.browser.steps import PROOF_LIFETIME_MS, Step, read_step
from credence.web.endpoints.account import account_page, passkey_name
from credence.web.endpoints.authorization import proceed
from credence.web.messages.answer import Answer

MAX_CODE_CHARACTERS = 40
APP_NAME = "Authenticator app"


async def submit_second_factor(service: Service, request: RequestContext) -> Answer:
    """Check the code of a person who has just given the right password, or who is signed in and needs a second factor."""
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    earlier: SignedIn | None = None
    if step.username:
        account = await _proved(service, request, step)
    else:
        earlier = await current_person(service, request)
        account = None if earlier is None else earlier.account
    if account is None:
        return await proceed(service, request, _without_proof(step), None, after_form=True)
    code = values.get("code", "").strip()
    if not code:
        return second_factor_page(service, request, step, problem=texts.CODE_MISSING)
    try:
        await _check(service, request, account, code)
        methods, since = f"{PASSWORD} {SECOND_FACTOR}", None
        if earlier is not None:
            methods, since = _added(earlier.session.methods), earlier.session.signed_in_at
        person, cookie = await sign_in(service, request, account, methods, since)
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, SPIKE_ARREST):
            raise
        problem = texts.BUSY if refused.refusal is SPIKE_ARREST else texts.CODE_WRONG
        return second_factor_page(service, request, step, problem=problem)._replace(refused=refused)
    except Conflict:
        return await proceed(service, request, _without_proof(step), None, after_form=True)
    answer = await proceed(service, request, _without_proof(step), person, after_form=True, headers=cookie)
    return answer._replace(events=("signed_in", *answer.events))


async def change_factors(service: Service, request: RequestContext) -> Answer:
    """Set up an authenticator app, make new recovery codes, or remove both; only after a recent sign-in."""
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    person = await current_person(service, request)
    if person is None or (step.username and step.username != person.account.username):
        return sign_in_page(service, request, Step("account", arrived_at=request.now), None, "")
    act = values.get("act", "")
    if act == "go-on":
        return await proceed(service, request, step, person, after_form=True)
    lacking = await factor_lacking(service, request, step, person)
    if lacking is not None:
        return lacking
    if not is_fresh(person.session, request.now):
        again = Step("account", arrived_at=request.now)
        return sign_in_again_page(service, request, again, None, person, problem=texts.SIGN_IN_AGAIN)
    match act:
        case "set-up":
            return set_up_page(service, request, step, person)
        case "confirm" if step.key:
            return await _confirm(service, request, step, person, values.get("code", ""))
        case "renew":
            return await _renew(service, request, person)
        case "add-passkey":
            return await set_up_passkey_page(service, request, step, person)
        case "passkey" if step.challenge and step.username:
            return await _add_passkey(service, request, step, person, values)
        case "remove-passkey":
            return await _remove_passkey(service, request, person, values.get("passkey", ""))
        case "remove":
            return await _remove(service, request, person)
        case _:
            raise Refused(STEP_LOST, "step.unknown")


async def _confirm(service: Service, request: RequestContext, step: Step, person: SignedIn, code: str) -> Answer:
    """Store the app after its first right code, and renew the session with both factors and a new id."""
    authority, account = service.authority, person.account
    try:
        codes = await authority.factors.enrol(account, step.key, code[:MAX_CODE_CHARACTERS], APP_NAME, request.now)
        if codes is None:
            return set_up_page(service, request, step, person, problem=texts.CODE_WRONG_AT_SET_UP)
        methods, since = _added(person.session.methods), person.session.signed_in_at
        _, cookie = await sign_in(service, request, account, methods, since)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None
    return recovery_page(service, request, step, codes, headers=cookie)


async def _renew(service: Service, request: RequestContext, person: SignedIn) -> Answer:
    try:
        codes = await service.authority.factors.renew_recovery(person.account, request.now)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None
    return recovery_page(service, request, Step("account", arrived_at=request.now), codes)


async def _add_passkey(
    service: Service, request: RequestContext, step: Step, person: SignedIn, values: Mapping[str, str]
) -> Answer:
    authority, text = service.authority, values.get("response", "")
    try:
        name = values.get("name", "")
        proved = await authority.passkeys.register(person.account, step.challenge, text, name, request.now)
        methods, since = f"{person.session.methods} {proved}", person.session.signed_in_at
        changed, cookie = await sign_in(service, request, person.account, each_once(methods), since)
    except Refused as refused:
        page = await set_up_passkey_page(service, request, step, person, problem=texts.PASSKEY_NOT_ADDED)
        return page._replace(refused=refused)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None
    answer = await proceed(service, request, _without_proof(step), changed, after_form=True, headers=cookie)
    return answer._replace(events=("factor_added", *answer.events))


async def _remove_passkey(service: Service, request: RequestContext, person: SignedIn, chosen: str) -> Answer:
    store, username = service.authority.store, person.account.username
    found = [each.id for each in await store.factors_of(username) if each.kind == "passkey"]
    if person.account.sign_in == "passkey" and len(found) == 1:
        return await account_page(service, request, person, problem=texts.PASSKEY_LAST)
    removed = await store.remove_factors(username, [each for each in found if passkey_name(each) == chosen])
    answer = await proceed(service, request, Step("account", arrived_at=request.now), person, after_form=True)
    return answer._replace(events=("factor_removed",)) if removed else answer


async def _remove(service: Service, request: RequestContext, person: SignedIn) -> Answer:
    store, username = service.authority.store, person.account.username
    gone = [each.id for each in await store.factors_of(username) if each.kind in ("totp", "recovery")]
    removed = await store.remove_factors(username, gone)
    step = Step("account", arrived_at=request.now)
    answer = await proceed(service, request, step, person, after_form=True)
    return answer._replace(events=("factor_removed",)) if removed else answer


async def factor_lacking(service: Service, request: RequestContext, step: Step, person: SignedIn) -> Answer | None:
    """Return the page for a code or passkey if the account has one and the session has used none; otherwise None."""
    if not is_weaker(authentication_class(person.session.methods), CLASS_OF_POLICY["factor"]):
        return None
    kinds = {each.kind for each in await service.authority.store.factors_of(person.account.username)}
    if not kinds & {"totp", "passkey"}:
        return None
    return await stronger_page(service, request, step, person, CLASS_OF_POLICY["factor"])


async def _proved(service: Service, request: RequestContext, step: Step) -> Account | None:
    """Return the account whose password was right; None if that is too long ago or the account has changed since."""
    account = await service.authority.revocation_cache.account(step.username)
    if account is None or account.status != "active" or account.password_version != step.password_version:
        return None
    if is_cut_off(step.proved_at, account.not_before) or request.now - step.proved_at > PROOF_LIFETIME_MS:
        return None
    return account


async def _check(service: Service, request: RequestContext, account: Account, code: str) -> Factor:
    request.username = account.username
    limiter = service.rate_limiter
    request.enforce(await limiter.limit_account(account.username))
    text = code[:MAX_CODE_CHARACTERS]
    return await service.authority.factors.verify(account, text, request.address_prefix, request.now)


def _added(methods: str) -> str:
    return each_once(f"{methods} {SECOND_FACTOR}")


def _without_proof(step: Step) -> Step:
    return Step(step.target, step.query, step.arrived_at)
