"""GET and POST /account/password: a person with a link chooses the password of their account (ASVS 6.2, 6.4)."""

from dataclasses import replace

import msgspec

from credence import paths
from credence.errors import InvalidInput
from credence.identity.accounts import with_password
from credence.identity.activation import activation_error, read_activation
from credence.identity.password_policy import MIN_CHARACTERS
from credence.refusals import SPIKE_ARREST, STEP_LOST, Refused
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.records import Account
from credence.web.browser import pages, texts
from credence.web.browser.forms import form_values, query_pairs
from credence.web.browser.steps import Step, read_step, write_step
from credence.web.messages.answer import Answer


async def choose_password(service: Service, request: RequestContext) -> Answer:
    """Show the form of a link. Opening the page does not use the link up: programs that check mail open links too."""
    link = dict(query_pairs(request)).get("link", "")
    account = await _account(service, request, link)
    if isinstance(account, Refused):
        return _lost(service, account)
    return _form(service, request, Step("password", link, request.now), account)


async def submit_password(service: Service, request: RequestContext) -> Answer:
    """Store the chosen password. Every session and token of the account ends, and every other link to it."""
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    if step.target != "password":
        raise Refused(STEP_LOST, "step.unknown")
    account = await _account(service, request, step.query)
    if isinstance(account, Refused):
        return _lost(service, account)
    request.username = account.username
    password = values.get("password", "")
    if password != values.get("again", ""):
        return _form(service, request, step, account, texts.PASSWORDS_DIFFER)
    authority = service.authority
    try:
        hashed = await authority.passwords.hash_new(password, request.address_prefix, request.disconnected)
        changed = with_password(account, hashed, request.now)
        await authority.store.save_account(changed, request.now)
    except InvalidInput as invalid:
        return _form(service, request, step, account, str(invalid))
    except Refused as refused:
        if refused.refusal is not SPIKE_ARREST:
            raise
        return replace(_form(service, request, step, account, texts.BUSY), refused=refused)
    except Conflict:
        return _lost(service, Refused(STEP_LOST, "account.changed_meanwhile", account=account.username))
    await authority.follow(request.now)
    return pages.page(
        service.settings,
        "password-chosen",
        texts.PASSWORD_CHOSEN_TITLE,
        events=("password_chosen",),
        lead=texts.PASSWORD_CHOSEN,
        account=pages.address(service.settings, paths.ACCOUNT),
    )


async def _account(service: Service, request: RequestContext, link: str) -> Account | Refused:
    """Return the account of a link as the store has it, or why the link does not work."""
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


def _lost(service: Service, refused: Refused) -> Answer:
    """Return one page for every link that does not work: it does not say whether the account exists (threats A1)."""
    answer = pages.page(service.settings, "message", texts.LINK_LOST_TITLE, status=400, lead=texts.LINK_LOST)
    return replace(answer, refused=refused)
