"""GET and POST /developers/sign-up: a person with a mail address at an allowed domain makes an account for the portal.

A message with a link verifies the address. The page is the same for every address at an allowed domain, and each gets a
message, whether it has an account or not (threats A1).
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from credence import paths
from credence.access.caller_address import WIDER, counted_networks
from credence.crypto.digest import keyed_digest
from credence.errors import InvalidInput
from credence.identity import accounts
from credence.identity.password_policy import MIN_CHARACTERS, check_password
from credence.identity.sign_up import LINK_SECONDS, ProvenAddress, address_at, mailbox_of, read_link, write_link
from credence.mail import texts as mail_texts
from credence.operations.audit_changes import changes
from credence.outgoing.mail import MailFailed, send_mail
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.forms import form_values, query_pairs
from credence.sign_in.browser.refused import with_refusal
from credence.sign_in.browser.steps import Step, read_step, write_step
from credence.store.contract import Conflict
from credence.store.tallies import TallyIncrement
from credence.web.messages.answer import Answer
from credence.web.messages.recorded import record_act
from credence.web.routing.operation import Parameter

ONE_MESSAGE_IN_MS = 600_000
"""Milliseconds in which one address gets at most one message: another person may have typed the address."""

MAX_MESSAGES = 10
"""The most messages that callers at one address prefix can request at once; after that one in `ONE_MORE_IN_MS`."""

ONE_MORE_IN_MS = 60_000


_LINK = Parameter("link", "query", "What the link contains.")


async def sign_up(service: Service, request: Annotated[RequestContext, _LINK]) -> Answer:
    """Sign up for the developer portal.

    For people with a mail address at one of `CREDENCE_DEVELOPER_DOMAINS`: the page with the form for the address, and the
    one to which the link of the message leads.
    """
    # Opening a link has no effect, because programs that check mail open links.
    link = dict(query_pairs(request)).get("link", "")
    if not link:
        return _address_form(service, request)
    address = _address_of(service, request, link)
    return _lost(service) if address is None else _password_form(service, request, link, address)


async def submit_sign_up(service: Service, request: RequestContext) -> Answer:
    """Forms of the pages for signing up.

    For the pages alone: they send the message, and make the account.
    """
    values = form_values(request)
    step = read_step(service, request, values.get("step"))
    if step.target != "sign-up":
        raise Refused(STEP_LOST, "step.unknown")
    if step.query:
        return await _made(service, request, step.query, values)
    typed = values.get("email", "")
    address = address_at(typed, service.settings.developer_domains)
    if address is None:
        domains = ", ".join(service.settings.developer_domains)
        return _address_form(service, request, typed, texts.SIGN_UP_WRONG.format(domains=domains), status=422)
    try:
        await _send(service, request, address)
    except MailFailed:
        return _address_form(service, request, typed, texts.SIGN_UP_NOT_SENT, status=503)
    return pages.page(
        service.settings,
        "message",
        texts.CHECK_MAIL,
        lead=texts.SIGN_UP_SENT.format(address=address),
        events=("sign_up_requested",),
    )


async def _send(service: Service, request: RequestContext, address: str) -> None:
    """Send a sign-up link; an address that has an account gets instructions to sign in instead.

    A second message within `ONE_MESSAGE_IN_MS` is not sent. Raises MailFailed; the next attempt then sends at once.
    """
    authority, settings, now = service.authority, service.settings, request.now
    await _count(service, request)
    names = {"operator": settings.operator_name, "address": address, "portal": f"{settings.issuer}{paths.DEVELOPERS}"}
    if await authority.store.account(address) is not None:
        text = mail_texts.SIGN_UP_MAIL_KNOWN.format(**names, support=settings.support_email)
    else:
        proven = ProvenAddress(address, now + LINK_SECONDS * 1000)
        link = write_link(settings.environment.prefix, authority.secrets.digest, proven)
        text = mail_texts.SIGN_UP_MAIL.format(**names, link=f"{settings.issuer}{paths.SIGN_UP}?link={link}")
    subject, sender = mail_texts.SIGN_UP_MAIL_SUBJECT.format(**names), settings.mail_from or settings.support_email
    key = keyed_digest(authority.secrets.digest, "sign-up message", mailbox_of(address).encode())
    if await authority.store.reserve_answer(key, b"", now, now + ONE_MESSAGE_IN_MS) is not None:
        return
    try:
        await send_mail(settings.mail_relay, sender, address, subject, text)
    except MailFailed:
        await authority.store.keep_answer(key, b"", now)
        raise


async def _count(service: Service, request: RequestContext) -> None:
    """Count a message against the address prefix of the caller and the networks around it. Raises Refused after too many."""
    store, digest_key = service.authority.store, service.authority.secrets.digest
    messages = [
        TallyIncrement(
            keyed_digest(digest_key, "sign-up caller", network.encode()),
            ONE_MORE_IN_MS // wider,
            MAX_MESSAGES * ONE_MORE_IN_MS,
        )
        for network, wider in zip(counted_networks(request.address_prefix), WIDER, strict=False)
    ]
    if not await store.count_within(messages, request.now):
        raise Refused(SPIKE_ARREST, "sign_up.too_many", retry_after=ONE_MORE_IN_MS // 1_000)


async def _made(service: Service, request: RequestContext, link: str, values: Mapping[str, str]) -> Answer:
    address = _address_of(service, request, link)
    authority = service.authority
    if address is None or await authority.store.account(address) is not None:
        return _lost(service)
    password = values.get("password", "")
    try:
        if password != values.get("again", ""):
            raise InvalidInput(texts.PASSWORDS_DIFFER)
        check_password(password)
        hashed = await authority.passwords.hash_new(password, address, request.disconnected)
        account = accounts.register(address, "user", hashed, request.now, email=address)
    except InvalidInput as invalid:
        return _password_form(service, request, link, address, str(invalid))
    except Refused as refused:
        if refused.refusal is not SPIKE_ARREST:
            raise
        return with_refusal(_password_form(service, request, link, address, texts.BUSY), refused)
    account = msgspec.structs.replace(account, developer=True, email_verified=True)
    await record_act(
        service, request, address, "developers", "account invite", changes(None, account), account=account.username
    )
    try:
        await authority.store.save_account(account, request.now)
    except Conflict:
        return _lost(service)
    await authority.follow(request.now)
    return pages.page(
        service.settings,
        "password-chosen",
        texts.SIGN_UP_DONE_TITLE,
        events=("signed_up",),
        lead=texts.SIGN_UP_DONE.format(address=address),
        account=pages.address(service.settings, paths.DEVELOPERS),
    )


def _address_of(service: Service, request: RequestContext, link: str) -> str | None:
    """Return the address of a link; None if the link is invalid or its domain is no longer allowed."""
    settings = service.settings
    address = read_link(settings.environment.prefix, service.authority.secrets.digest, link, request.now)
    return None if address is None else address_at(address, settings.developer_domains)


def _address_form(
    service: Service, request: RequestContext, typed: str = "", problem: str | None = None, *, status: int = 200
) -> Answer:
    text, fields = write_step(service, request, Step("sign-up", arrived_at=request.now))
    return pages.page(
        service.settings,
        "sign-up",
        texts.SIGN_UP_TITLE,
        status=status,
        headers=fields,
        lead=texts.SIGN_UP.format(domains=", ".join(service.settings.developer_domains)),
        problem=problem,
        email=typed[:254],
        action=pages.address(service.settings, paths.SIGN_UP),
        step=text,
    )


def _password_form(
    service: Service, request: RequestContext, link: str, address: str, problem: str | None = None
) -> Answer:
    text, fields = write_step(service, request, Step("sign-up", link, request.now))
    return pages.page_with_script(
        service.settings,
        "password",
        texts.CHOOSE_PASSWORD_TITLE,
        pages.password_script(),
        headers=fields,
        lead=texts.CHOOSE_PASSWORD.format(username=address),
        hint=texts.PASSWORD_RULES.format(characters=MIN_CHARACTERS),
        problem=problem,
        username=address,
        action=pages.address(service.settings, paths.SIGN_UP),
        step=text,
    )


def _lost(service: Service) -> Answer:
    answer = pages.page(service.settings, "message", texts.LINK_LOST_TITLE, status=400, lead=texts.LINK_LOST)
    return answer._replace(refused=Refused(STEP_LOST, "link.unknown"))
