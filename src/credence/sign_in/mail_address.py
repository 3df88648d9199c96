"""GET and POST /account/mail-address: a person changes the mail address, with proof of the old and of the new one.

Each gets a code. The answer does not depend on other accounts: several may have one address (threats A1, A18).
"""

from credence import paths
from credence.clock import Milliseconds
from credence.identity.accounts import with_proven_address
from credence.identity.address_codes import LIFETIME_MS, AddressChange, codes_prove, guess_rules, roles_of
from credence.identity.counted_check import checked, placed
from credence.identity.login_attempts import Throttled
from credence.identity.message_limits import message_rules
from credence.identity.sign_up import mail_address as address_in
from credence.identity.sign_up import mailbox_of
from credence.mail.message import AddressCode, delivery_of
from credence.oauth.authorization.decision import SignedIn
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.account import account_page
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.gate import Passed
from credence.sign_in.browser.refused import problem_of, with_refusal
from credence.sign_in.browser.steps import Step, write_step
from credence.store.contract import Conflict
from credence.store.records import Account
from credence.web.messages.answer import Answer

MAX_CODE_CHARACTERS = 40
MAX_ADDRESS_CHARACTERS = 320


async def mail_address(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Change the mail address.

    The page on which a person who is signed in changes the mail address, with codes sent to the old and to the new one;
    without a mail relay it says whom to ask.
    """
    return _form(service, request, passed.person.account)


async def submit_mail_address(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Forms of the page for changing the mail address.

    Sends the codes for a new address, or stores it if the codes are right. For the page alone.
    """
    if not service.settings.mail_relay:
        raise Refused(STEP_LOST, "step.unknown")
    # The gate lets an older sign-in pass with codes than without (`routes.py`), so what is done depends on the act.
    if passed.values.get("act") != "codes":
        return await _send(service, request, passed)
    if not passed.step.query:
        raise Refused(STEP_LOST, "step.unknown")
    if request.now >= passed.step.arrived_at + LIFETIME_MS:
        refused = Refused(STEP_LOST, "address_code.expired")
        return with_refusal(
            _form(service, request, passed.person.account, passed.step.query, texts.ADDRESS_CODES_OLD), refused
        )
    return await _change(service, request, passed)


async def _send(service: Service, request: RequestContext, passed: Passed) -> Answer:
    account, now = passed.person.account, request.now
    typed = passed.values.get("address", "").strip()[:MAX_ADDRESS_CHARACTERS]
    address = address_in(typed)
    if address is None:
        return _form(service, request, account, typed, texts.ADDRESS_WRONG)
    if account.email_verified and address == account.email:
        return _form(service, request, account, typed, texts.ADDRESS_SAME)
    store, key, network = service.authority.store, service.authority.secrets.digest, request.address_prefix
    rules = (
        *message_rules(key, "address of", account.username, network),
        *message_rules(key, "address to", mailbox_of(address), network),
    )
    try:
        await placed(store, rules, SPIKE_ARREST, now)
    except Throttled as refused:
        return with_refusal(_form(service, request, account, typed, problem_of(refused, "")), refused)
    change = _change_of(account, address, now)
    messages = [AddressCode(change, role) for role in roles_of(account)]
    await store.add_deliveries([delivery_of(key, each, account.username, now) for each in messages])
    page = _code_form(service, request, change, account)
    return page._replace(events=("mail_address_codes_requested",))


async def _change(service: Service, request: RequestContext, passed: Passed) -> Answer:
    person, account, authority = passed.person, passed.person.account, service.authority
    key, change = authority.secrets.digest, _change_of(account, passed.step.query, passed.step.arrived_at)
    codes = {role: passed.values.get(f"{role}_code", "").strip()[:MAX_CODE_CHARACTERS] for role in roles_of(account)}
    if not all(codes.values()):
        return _code_form(service, request, change, account, texts.ADDRESS_CODES_MISSING)

    async def check() -> bool | None:
        return codes_prove(key, change, codes) or None

    wrong = Refused(WRONG_USER, "address_code.mismatch", account=account.username)
    rules = guess_rules(key, account.username, request.address_prefix)
    try:
        await checked(authority.store, rules, wrong, check, request.now)
    except Refused as refused:
        if refused.refusal is not WRONG_USER:
            raise
        problem = problem_of(refused, texts.ADDRESS_CODES_WRONG)
        return with_refusal(_code_form(service, request, change, account, problem), refused)
    changed = with_proven_address(account, change.address, request.now)
    try:
        await authority.store.save_account(changed, request.now)
    except Conflict:
        raise Refused(STEP_LOST, "account.changed_meanwhile", account=account.username) from None
    await authority.follow(request.now)
    left = SignedIn(person.session, changed, person.consents)
    page = await account_page(service, request, left, done=texts.ADDRESS_CHANGED)
    return page._replace(events=("mail_address_changed",))


def _change_of(account: Account, address: str, asked_at: Milliseconds) -> AddressChange:
    return AddressChange(account.username, account.version, address, asked_at)


def _form(
    service: Service, request: RequestContext, account: Account, typed: str = "", problem: str | None = None
) -> Answer:
    settings = service.settings
    if not settings.mail_relay:
        lead = texts.ADDRESS_BY_SUPPORT.format(support=texts.support(settings.support_email))
        return pages.page(settings, "message", texts.CHANGE_ADDRESS, lead=lead)
    lead = texts.ADDRESS_LEAD_BOTH.format(address=account.email) if "old" in roles_of(account) else texts.ADDRESS_LEAD
    text, fields = write_step(service, request, Step("mail-address", arrived_at=request.now))
    return pages.page(
        settings,
        "mail-address",
        texts.CHANGE_ADDRESS,
        headers=fields,
        lead=lead,
        problem=problem,
        address=typed,
        account=pages.address(settings, paths.ACCOUNT),
        action=pages.address(settings, paths.MAIL_ADDRESS),
        step=text,
    )


def _code_form(
    service: Service, request: RequestContext, change: AddressChange, account: Account, problem: str | None = None
) -> Answer:
    settings, addresses = service.settings, {"old": account.email, "new": change.address}
    step = Step("mail-address", change.address, change.asked_at, account.username)
    text, fields = write_step(service, request, step)
    return pages.page(
        settings,
        "mail-address-codes",
        texts.CHECK_MAIL,
        headers=fields,
        lead=texts.ADDRESS_CODES,
        problem=problem,
        codes=[(f"{role}_code", texts.ADDRESS_CODE.format(address=addresses[role])) for role in roles_of(account)],
        account=pages.address(settings, paths.ACCOUNT),
        action=pages.address(settings, paths.MAIL_ADDRESS),
        step=text,
    )
