"""GET and POST /account/password: a person chooses a password, by a link or with the current password (ASVS 6.2, 6.4)."""

from collections.abc import Mapping

import msgspec

from credence import paths
from credence.errors import InvalidInput
from credence.identity.accounts import with_password
from credence.identity.activation import activation_error, read_activation
from credence.identity.password_policy import MIN_CHARACTERS, check_password
from credence.oauth.authorization.decision import SignedIn
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.records import Account
from credence.web.browser import pages, texts
from credence.web.browser.authorization_pages import sign_in_page
from credence.web.browser.factor_pages import sign_in_again_page
from credence.web.browser.forms import form_values, query_pairs
from credence.web.browser.people import PASSWORD, current_person, each_once, is_fresh, sign_in
from credence.web.browser.steps import Step, read_step, write_step
from credence.web.endpoints.account import account_page
from credence.web.endpoints.authorization import verified_account
from credence.web.endpoints.second_factor import factor_lacking
from credence.web.messages.answer import Answer


async def choose_password(service: Service, request: RequestContext) -> Answer:
    """Show the form of a link.

    Opening the page does not use up the link: programs that check mail open links too.
    """
    link = dict(query_pairs(request)).get("link", "")
    account = await _account(service, request, link)
    if isinstance(account, Refused):
        return _lost(service, account)
    return _form(service, request, Step("password", link, request.now), account)


async def submit_password(service: Service, request: RequestContext) -> Answer:
    """Store the chosen password, or show the form with which a signed-in person changes theirs."""
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    match step.target:
        case "password":
            return await _choose(service, request, step, values)
        case "account" | "change-password":
            return await _change(service, request, step, values)
        case _:
            raise Refused(STEP_LOST, "step.unknown")


async def _choose(service: Service, request: RequestContext, step: Step, values: Mapping[str, str]) -> Answer:
    """Store the password of a link. Every session and token of the account ends, and every other link to it."""
    account = await _account(service, request, step.query)
    if isinstance(account, Refused):
        return _lost(service, account)
    request.username = account.username
    try:
        await _store(service, request, account, _chosen(values))
    except InvalidInput as invalid:
        return _form(service, request, step, account, str(invalid))
    except Refused as refused:
        if refused.refusal is not SPIKE_ARREST:
            raise
        return _form(service, request, step, account, texts.BUSY)._replace(refused=refused)
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


async def _change(service: Service, request: RequestContext, step: Step, values: Mapping[str, str]) -> Answer:
    """Change the password of the signed-in person, who enters the current one (ASVS 6.2.3).

    Wrong passwords count as at sign-in. A session with a second factor must be recent, because the new session keeps
    its methods. Every other session and token of the account ends.
    """
    person, again = await current_person(service, request), Step("account", arrived_at=request.now)
    if person is None:
        return sign_in_page(service, request, again, None, "")
    if person.account.sign_in == "passkey":
        raise Refused(STEP_LOST, "step.unknown")
    lacking = await factor_lacking(service, request, again, person)
    if lacking is not None:
        return lacking
    if person.session.methods != PASSWORD and not is_fresh(person.session, request.now):
        return sign_in_again_page(service, request, again, None, person, problem=texts.SIGN_IN_AGAIN)
    if step.target == "account":
        return _change_form(service, request, person)
    try:
        account = await _changed(service, request, person, values)
        methods = each_once(f"{PASSWORD} {person.session.methods}")
        renewed, cookie = await sign_in(service, request, account, methods)
    except InvalidInput as invalid:
        return _change_form(service, request, person, str(invalid))
    except Refused as refused:
        if refused.refusal not in (WRONG_USER, SPIKE_ARREST):
            raise
        problem = texts.BUSY if refused.refusal is SPIKE_ARREST else texts.CURRENT_PASSWORD_WRONG
        return _change_form(service, request, person, problem)._replace(refused=refused)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile", account=person.account.username) from None
    page = await account_page(service, request, renewed, done=texts.PASSWORD_CHANGED, headers=cookie)
    return page._replace(events=("password_changed",))


async def _changed(service: Service, request: RequestContext, person: SignedIn, values: Mapping[str, str]) -> Account:
    """Return the account with the new password, stored.

    Raises InvalidInput or Refused if one of the two passwords is not right.
    """
    current, chosen = values.get("current", ""), _chosen(values)
    if not current:
        raise InvalidInput(texts.CURRENT_PASSWORD_MISSING)
    if current == chosen:
        raise InvalidInput(texts.PASSWORD_UNCHANGED)
    account = await verified_account(service, request, None, person.account.username, current)
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


async def _store(service: Service, request: RequestContext, account: Account, password: str) -> Account:
    """Hash and store the password, in the queue of the password hashing.

    Raises Conflict if the account has changed meanwhile.
    """
    authority = service.authority
    hashed = await authority.passwords.hash_new(password, request.address_prefix, request.disconnected)
    changed = with_password(account, hashed, request.now)
    await authority.store.save_account(changed, request.now)
    await authority.follow(request.now)
    return changed


async def _account(service: Service, request: RequestContext, link: str) -> Account | Refused:
    """Return the account of a link, read from the store; a Refused value if the link is invalid."""
    authority = service.authority
    activation = read_activation(service.settings.environment.prefix, authority.secrets.digest, link)
    if activation is None:
        return Refused(STEP_LOST, "link.unknown")
    account = await authority.store.account(activation.username)
    if account is None:
        return Refused(STEP_LOST, "link.account_not_active")
    reason = activation_error(activation, account, request.now)
    return account if reason is None else Refused(STEP_LOST, reason, account=account.username)


def _form(
    service: Service, request: RequestContext, step: Step, account: Account, problem: str | None = None
) -> Answer:
    text, fields = write_step(service, request, msgspec.structs.replace(step, arrived_at=request.now))
    return pages.page(
        service.settings,
        "password",
        texts.CHOOSE_PASSWORD_TITLE,
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
    return pages.page(
        service.settings,
        "change-password",
        texts.CHANGE_PASSWORD,
        headers=fields,
        lead=texts.CHANGE_PASSWORD_LEAD,
        hint=texts.PASSWORD_RULES.format(characters=MIN_CHARACTERS),
        problem=problem,
        username=person.account.username,
        account=pages.address(service.settings, paths.ACCOUNT),
        action=pages.address(service.settings, paths.PASSWORD),
        step=text,
    )


def _lost(service: Service, refused: Refused) -> Answer:
    """Return the same page for every invalid link, so that it does not reveal whether the account exists (threats A1)."""
    answer = pages.page(service.settings, "message", texts.LINK_LOST_TITLE, status=400, lead=texts.LINK_LOST)
    return answer._replace(refused=refused)
