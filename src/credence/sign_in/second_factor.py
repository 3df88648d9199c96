"""The forms of the second factor: enter a code at sign-in, set up or remove an authenticator app (RFC 6238)."""

from collections.abc import Sequence

from credence.identity.gate import is_able
from credence.identity.sessions import CLASS_OF_POLICY
from credence.oauth.authorization.decision import SignedIn
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.account import account_page, passkey_name
from credence.sign_in.authorization import proceed, to_page
from credence.sign_in.browser import texts
from credence.sign_in.browser.factor_pages import recovery_page, second_factor_page, set_up_page, set_up_passkey_page
from credence.sign_in.browser.gate import Passed, opened_session
from credence.sign_in.browser.people import SECOND_FACTOR, browser_known_to, each_once
from credence.sign_in.browser.refused import problem_of, with_refusal
from credence.sign_in.browser.steps import Step, beginning
from credence.sign_in.sign_in import enter
from credence.store.contract import Conflict
from credence.store.people import Factor
from credence.store.records import Account
from credence.web.messages.answer import Answer

MAX_CODE_CHARACTERS = 40
APP_NAME = "Authenticator app"


async def submit_second_factor(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Form of the page for a code.

    Checks the code of a person who has just given the right password, or who is signed in and needs a second factor. For
    the page alone.
    """
    person, step, values, _ = passed
    code = values.get("code", "").strip()
    if not code:
        return second_factor_page(service, request, step, problem=texts.CODE_MISSING)
    try:
        await _check(service, request, person.account, code)
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, SPIKE_ARREST):
            raise
        problem = problem_of(refused, texts.CODE_WRONG)
        return with_refusal(second_factor_page(service, request, step, problem=problem), refused)
    try:
        return await enter(service, request, step, person.account, _added(person), person.session.signed_in_at)
    except Conflict:
        return await proceed(service, request, beginning(step), None, after_form=True)


async def change_factors(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Forms of the second factor.

    Sets up an authenticator app or a passkey, makes new recovery codes, or removes them. For the pages alone.
    """
    person, step, values, factors = passed
    match values.get("act", ""):
        case "set-up":
            return set_up_page(service, request, step, person)
        case "confirm" if step.key:
            return await _confirm(service, request, passed)
        case "renew":
            return await _renew(service, request, passed)
        case "add-passkey":
            return await set_up_passkey_page(service, request, step, person)
        case "passkey" if step.challenge and step.username:
            return await _add_passkey(service, request, passed)
        case "remove-passkey":
            chosen = values.get("passkey", "")
            gone = [each.id for each in factors if each.kind == "passkey" and passkey_name(each.id) == chosen]
            return await _remove(service, request, passed, gone)
        case "remove":
            return await _remove(service, request, passed, [each.id for each in factors if each.kind != "passkey"])
        case _:
            raise Refused(STEP_LOST, "step.unknown")


async def _confirm(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Store the app after its first right code, and open a session with both factors and a new id."""
    (person, step, values, found), account = passed, passed.person.account
    code = values.get("code", "")[:MAX_CODE_CHARACTERS]
    try:
        codes = await service.authority.factors.enrol(account, found, step.key, code, APP_NAME, request.now)
        if codes is None:
            return set_up_page(service, request, step, person, problem=texts.CODE_WRONG_AT_SET_UP)
        since = person.session.signed_in_at
        opened = await opened_session(service, request, step, account, _added(person), since)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None
    headers = () if isinstance(opened, Answer) else opened[1]
    answer = recovery_page(service, request, step, codes, headers=headers)
    return answer._replace(events=(*_signed_in(person), *answer.events))


async def _renew(service: Service, request: RequestContext, passed: Passed) -> Answer:
    account, found = passed.person.account, passed.factors
    try:
        codes = await service.authority.factors.renew_recovery(account, found, request.now)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None
    return recovery_page(service, request, Step("account", arrived_at=request.now), codes)


async def _add_passkey(service: Service, request: RequestContext, passed: Passed) -> Answer:
    (person, step, values, found), account = passed, passed.person.account
    text, name = values.get("response", ""), values.get("name", "")
    try:
        proved = await service.authority.passkeys.register(account, found, step.challenge, text, name, request.now)
    except Refused as refused:
        page = await set_up_passkey_page(service, request, step, person, problem=texts.PASSKEY_NOT_ADDED)
        return page._replace(refused=refused)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None
    methods, events = each_once(f"{person.session.methods} {proved}"), (*_signed_in(person), "factor_added")
    try:
        return await enter(service, request, step, account, methods, person.session.signed_in_at, events)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None


async def _remove(service: Service, request: RequestContext, passed: Passed, gone: Sequence[bytes]) -> Answer:
    """Remove factors, but not the last one that the policy of the account accepts."""
    (person, _, _, found), account = passed, passed.person.account
    if not is_able({each.kind for each in found if each.id not in gone}, CLASS_OF_POLICY[account.sign_in]):
        problem = texts.PASSKEY_LAST if account.sign_in == "passkey" else texts.FACTOR_LAST
        return await account_page(service, request, person, problem=problem)
    try:
        await service.authority.store.change_factors(account, found, remove=gone)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile") from None
    return to_page(service, Step("account"), events=("factor_removed",) if gone else ())


async def _check(service: Service, request: RequestContext, account: Account, code: str) -> Factor:
    request.username = account.username
    request.enforce(await service.rate_limiter.limit_account(account.username))
    browser = browser_known_to(service, request, account.username)
    check = service.authority.factors.verify
    return await check(account, code[:MAX_CODE_CHARACTERS], request.address_prefix, request.now, browser)


def _added(person: SignedIn) -> str:
    return each_once(f"{person.session.methods} {SECOND_FACTOR}")


def _signed_in(person: SignedIn) -> tuple[str, ...]:
    """Return the event of a login that gets its session with this factor; none for a person who is signed in already."""
    return () if person.session.key else ("signed_in",)
