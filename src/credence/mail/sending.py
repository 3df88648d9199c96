"""Sends the messages of the outbox through the operator's mail relay."""

import datetime as dt
from typing import NamedTuple

from credence import paths
from credence.clock import Clock, Milliseconds
from credence.identity.activation import Activation, write_activation
from credence.identity.address_codes import code_of
from credence.mail import texts
from credence.mail.message import AddressCode, AlertMail, Message, Notice, ResetLink, message_of
from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.ways import must_sign_in_there
from credence.outbox.engine import MESSAGES, AttemptOutcome, DeliveryKind
from credence.outgoing.mail import MailBusy, MailFailed, send_mail
from credence.settings import Settings
from credence.store.deliveries import Delivery
from credence.store.records import Account


class Written(NamedTuple):
    """A message as it is sent."""

    to: str
    subject: str
    text: str
    html: str = ""
    stop: str = ""
    """The address that ends messages of this kind at one click."""


def mail_deliveries(authority: Authority, clock: Clock) -> DeliveryKind:
    """Return the delivery kind that sends messages."""
    settings = authority.settings

    async def attempt(delivery: Delivery) -> AttemptOutcome:
        written = await _written(authority, message_of(authority.secrets.digest, delivery), clock())
        if written is None:
            return AttemptOutcome(delivered=True, text="not_wanted")
        sender = settings.mail_from or settings.support_email
        try:
            await send_mail(settings.mail_relay, sender, *written)
        except MailBusy:
            return AttemptOutcome(delivered=False, text="mail.busy", attempted=False)
        except MailFailed as failed:
            return AttemptOutcome(delivered=False, text=str(failed))
        return AttemptOutcome(delivered=True, text="sent")

    return DeliveryKind(attempt, MESSAGES)


async def _written(authority: Authority, message: Message, now: Milliseconds) -> Written | None:
    """Return the message as it is sent; None for one that is not to be sent."""
    match message:
        case Notice():
            return _notice(authority.settings, message)
        case ResetLink():
            account = await authority.store.account(message.username)
            return None if account is None else _reset(authority, message, account, now)
        case AddressCode():
            account = await authority.store.account(message.change.username)
            return None if account is None else _address_code(authority, message, account, now)
        case AlertMail():
            return Written(message.to, message.subject, message.text, message.html, message.stop)


def _reset(authority: Authority, message: ResetLink, account: Account, now: Milliseconds) -> Written | None:
    settings, until = authority.settings, message.asked_at + message.KEPT_MS
    if now >= until or account.status != "active" or account.type == "service" or not account.email:
        return None
    names = {"operator": settings.operator_name, "username": account.username, "support": settings.support_email}
    subject = texts.RESET_SUBJECT.format(**names)
    if account.sign_in == "passkey":
        return Written(account.email, subject, texts.RESET_BY_PASSKEY.format(**names))
    if must_sign_in_there(authority, account, None):
        return Written(account.email, subject, texts.RESET_ELSEWHERE.format(**names))
    activation = Activation(account.username, account.password_version, until, message.browser, account.email)
    link = write_activation(settings.environment.prefix, authority.secrets.digest, activation)
    url = f"{settings.issuer}{paths.PASSWORD}?link={link}"
    return Written(account.email, subject, texts.RESET.format(**names, link=url, time=instant(until)))


def _address_code(authority: Authority, message: AddressCode, account: Account, now: Milliseconds) -> Written | None:
    settings, change, until = authority.settings, message.change, message.change.asked_at + message.KEPT_MS
    to = account.email if message.role == "old" else change.address
    if now >= until or account.status != "active" or account.version != change.version or not to:
        return None
    text = texts.ADDRESS_CODES[message.role].format(
        operator=settings.operator_name,
        username=account.username,
        code=code_of(authority.secrets.digest, change, message.role),
        time=instant(until),
        account=f"{settings.issuer}{paths.ACCOUNT}",
        support=settings.support_email,
    )
    return Written(to, texts.ADDRESS_CODE_SUBJECT.format(operator=settings.operator_name), text)


def _notice(settings: Settings, notice: Notice) -> Written:
    changes = "\n".join(f"- {texts.CHANGES[each]}" for each in notice.changes)
    not_you = texts.NOT_YOU_AND_ANOTHER_ADDRESS if "address" in notice.changes else texts.NOT_YOU
    text = texts.NOTICE.format(
        operator=settings.operator_name,
        username=notice.username,
        time=instant(notice.at),
        changes=changes,
        to_do=not_you.format(
            account=f"{settings.issuer}{paths.ACCOUNT}",
            password=f"{settings.issuer}{paths.FORGOTTEN_PASSWORD}",
            support=settings.support_email,
        ),
    )
    return Written(notice.to, texts.NOTICE_SUBJECT.format(operator=settings.operator_name), text)


def instant(at: Milliseconds) -> str:
    """Return an instant as text for a person, in UTC."""
    return f"{dt.datetime.fromtimestamp(at / 1000, dt.UTC):%-d %B %Y, %H:%M} UTC"
