"""GET and POST /account/password and /account/change-password: a person chooses a password (ASVS 6.2, 6.4).

The first takes the link of a message or of an operator, the second the current password of a person who is signed in.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from credence import paths
from credence.errors import InvalidInput
from credence.identity.accounts import with_password
from credence.identity.activation import activation_error, read_activation
from credence.identity.applications import why_excluded
from credence.identity.login_attempts import LoginAttempt
from credence.identity.password_policy import MIN_CHARACTERS, check_password
from credence.oauth.authorization.decision import SignedIn
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN, SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.account import account_page
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.forms import form_values, query_pairs
from credence.sign_in.browser.gate import Passed
from credence.sign_in.browser.people import PASSWORD, each_once, sign_in
from credence.sign_in.browser.refused import problem_of, with_refusal
from credence.sign_in.browser.steps import Step, read_step, visitor_digest, write_step
from credence.sign_in.sign_in import verified_account
from credence.store.contract import Conflict
from credence.store.records import Account
from credence.web.messages.answer import Answer
from credence.web.routing.operation import Parameter

_LINK = Parameter("link", "query", "What the link contains.")


async def choose_password(service: Service, request: Annotated[RequestContext, _LINK]) -> Answer:
    """Choose a password.

    The page to which a link leads: of a message, or of `credence account invite` or `reset-link`.
    """
    # Opening the page does not use up the link: programs that check mail open links too.
    link = dict(query_pairs(request)).get("link", "")
    found = await _account(service, request, link)
    if isinstance(found, Refused):
        return _lost(service, found)
    return _form(service, request, Step("password", link, request.now), found[0])


async def submit_password(service: Service, request: RequestContext) -> Answer:
    """Form of the page of a link.

    Stores the password of a link. Every session and token of the account ends, and every other link to it. For the page
    alone.
    """
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    if step.target != "password":
        raise Refused(STEP_LOST, "step.unknown")
    found = await _account(service, request, step.query)
    if isinstance(found, Refused):
        return _lost(service, found)
    account, by_mail = found
    request.username = account.username
    try:
        await _store(service, request, account, _chosen(values), by_mail=by_mail)
    except InvalidInput as invalid:
        return _form(service, request, step, account, str(invalid))
    except Refused as refused:
        if refused.refusal is not SPIKE_ARREST:
            raise
        return with_refusal(_form(service, request, step, account, texts.BUSY), refused)
    except Conflict:
        return _lost(service, Refused(STEP_LOST, "account.changed_meanwhile", account=account.username))
    return pages.page(
        service.settings,
        "password-chosen",
        texts.PASSWORD_CHOSEN_TITLE,
        events=("password_chosen",),
        lead=texts.PASSWORD_CHOSEN,
        account=pages.address(service.settings, paths.ACCOUNT),
    )


async def change_password(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Change the password.

    The page on which a person who is signed in changes the password.
    """
    _require_password(passed.person.account)
    return _change_form(service, request, passed.person)


async def submit_change_of_password(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Form of the page for changing the password.

    Changes the password of a person who enters the current one (ASVS 6.2.3). Wrong passwords count as at sign-in. The new
    session keeps the methods of this one; every other session and token of the account ends. For the page alone.
    """
    person = passed.person
    _require_password(person.account)
    try:
        account = await _changed(service, request, person, passed.values)
        methods = each_once(f"{PASSWORD} {person.session.methods}")
        renewed, cookie = await sign_in(service, request, account, methods)
    except InvalidInput as invalid:
        return _change_form(service, request, person, str(invalid))
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, SPIKE_ARREST):
            raise
        problem = problem_of(refused, texts.CURRENT_PASSWORD_WRONG)
        return with_refusal(_change_form(service, request, person, problem), refused)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile", account=person.account.username) from None
    page = await account_page(service, request, renewed, done=texts.PASSWORD_CHANGED, headers=cookie)
    return page._replace(events=("password_changed",))


def _require_password(account: Account) -> None:
    """Raise Refused for an account that needs a passkey: it has no password to change."""
    if account.sign_in == "passkey":
        raise Refused(STEP_LOST, "step.unknown")


async def _changed(service: Service, request: RequestContext, person: SignedIn, values: Mapping[str, str]) -> Account:
    """Return the account with the new password, stored.

    Raises InvalidInput or Refused if one of the two passwords is not right.
    """
    current, chosen = values.get("current", ""), _chosen(values)
    if not current:
        raise InvalidInput(texts.CURRENT_PASSWORD_MISSING)
    if current == chosen:
        raise InvalidInput(texts.PASSWORD_UNCHANGED)
    account = await verified_account(service, request, person.account.username, current)
    return await _store(service, request, account, chosen)


def _chosen(values: Mapping[str, str]) -> str:
    """Return the password that was entered twice.

    Raises InvalidInput if the two differ or the rules refuse the password.
    """
    password = values.get("password", "")
    if password != values.get("again", ""):
        raise InvalidInput(texts.PASSWORDS_DIFFER)
    check_password(password)
    return password


async def _store(
    service: Service, request: RequestContext, account: Account, password: str, *, by_mail: bool = False
) -> Account:
    """Hash and store the password, in the queue of the password hashing, and trust this origin.

    So the person gets in with it at once, also if wrong passwords were tried from here or elsewhere.
    Raises Conflict if the account has changed meanwhile.
    """
    authority = service.authority
    hashed = await authority.passwords.hash_new(password, account.username, request.disconnected)
    changed = with_password(account, hashed, request.now, proves_address=by_mail)
    await authority.store.save_account(changed, request.now)
    await authority.passwords.trust(LoginAttempt(account.username, "", request.address_prefix), request.now)
    await authority.follow(request.now)
    return changed


async def _account(service: Service, request: RequestContext, link: str) -> tuple[Account, bool] | Refused:
    """Return the account of a link, read from the store, and whether the link was sent to its mail address.

    Returns a Refused value if the link is invalid. Raises Refused for an address or time that the access rules of the
    account exclude.
    """
    authority = service.authority
    activation = read_activation(service.settings.environment.prefix, authority.secrets.digest, link)
    if activation is None:
        return Refused(STEP_LOST, "link.unknown")
    account = await authority.store.account(activation.username)
    if account is None:
        return Refused(STEP_LOST, "link.account_not_active")
    reason = activation_error(activation, account, visitor_digest(service, request), request.now)
    if reason is not None:
        return Refused(STEP_LOST, reason, account=account.username)
    excluded = why_excluded(None, account, lambda: request.caller(service.settings.trusted_proxies), request.now)
    if excluded is not None:
        raise Refused(FORBIDDEN, excluded, account=account.username)
    return account, bool(activation.email)


def _form(
    service: Service, request: RequestContext, step: Step, account: Account, problem: str | None = None
) -> Answer:
    text, fields = write_step(service, request, msgspec.structs.replace(step, arrived_at=request.now))
    return pages.page_with_script(
        service.settings,
        "password",
        texts.CHOOSE_PASSWORD_TITLE,
        pages.password_script(),
        headers=fields,
        lead=texts.CHOOSE_PASSWORD.format(username=account.username),
        hint=texts.PASSWORD_RULES.format(characters=MIN_CHARACTERS),
        problem=problem,
        username=account.username,
        action=pages.address(service.settings, paths.PASSWORD),
        step=text,
    )


def _change_form(service: Service, request: RequestContext, person: SignedIn, problem: str | None = None) -> Answer:
    text, fields = write_step(service, request, Step("change-password", arrived_at=request.now))
    return pages.page_with_script(
        service.settings,
        "change-password",
        texts.CHANGE_PASSWORD,
        pages.password_script(),
        headers=fields,
        lead=texts.CHANGE_PASSWORD_LEAD,
        hint=texts.PASSWORD_RULES.format(characters=MIN_CHARACTERS),
        problem=problem,
        username=person.account.username,
        account=pages.address(service.settings, paths.ACCOUNT),
        action=pages.address(service.settings, paths.CHANGE_PASSWORD),
        step=text,
    )


def _lost(service: Service, refused: Refused) -> Answer:
    """Return the same page for every invalid link, so that it does not reveal whether the account exists (threats A1).

    A genuine link in another browser gets a page of its own: only its receiver has it.
    """
    lead = texts.LINK_OF_ANOTHER_BROWSER if refused.reason == "link.other_browser" else texts.LINK_LOST
    answer = pages.page(service.settings, "message", texts.LINK_LOST_TITLE, status=400, lead=lead)
    return answer._replace(refused=refused)
