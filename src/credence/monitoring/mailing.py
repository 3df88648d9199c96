"""The alerts of the morning by mail, for people who asked for them: one message a day, if there is an alert.

It goes to the verified address of an account that works for an application with `credit:monitor`, after six in the morning
in London. It has no image, and no link that shows who opened it. One click on the button of the mail program stops it
(RFC 8058); the link in it names the person, and is not valid for anything else.
"""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from credence import paths
from credence.clock import HOUR_MS, Milliseconds, day_in_words, london_day
from credence.crypto.tagged_text import TaggedText
from credence.mail.message import AlertMail, delivery_of
from credence.monitoring.company_alerts import CompanyAlert, alerts_by_company
from credence.monitoring.mail_text import html_of, subject_of, text_of
from credence.oauth.parameters import scopes
from credence.store.collections import repeated
from credence.store.contract import Conflict, Store
from credence.store.records import Account

PEOPLE = "alert mails"
MAILED = "alerts mailed"
"""The shared values with the people who get the mail, and with the last day that was mailed."""

FROM_HOUR = 6


class Sender(NamedTuple):
    """The service that sends the messages."""

    issuer: str
    """Its address, before the paths of links."""
    environment: str
    """The prefix of its environment in texts that it writes."""
    operator: str
    key: bytes
    """Seals the messages and makes their links."""


class MailWish(msgspec.Struct, frozen=True):
    """Whether a person wants the alerts by mail."""

    username: str
    wanted: bool


_LINK = TaggedText("alm", "alert mail")
_decode = msgspec.json.Decoder(tuple[str, ...]).decode


def may_get_mail(account: Account) -> bool:
    """Return whether the alerts can be mailed to a person: the address must be proven."""
    return account.status == "active" and bool(account.email) and account.email_verified and bool(account.workbench_for)


async def people_with_mail(store: Store) -> tuple[str, ...]:
    """Return the login names of the people who asked for the mail."""
    found = await store.shared_value(PEOPLE)
    return _decode(found[1]) if found else ()


async def set_mail(store: Store, username: str, *, wanted: bool) -> None:
    """Start or stop the mail to a person. Raises Conflict after several concurrent changes."""

    async def attempt() -> None:
        version, document = await store.shared_value(PEOPLE) or (0, b"[]")
        people = {*_decode(document)}
        changed = people | {username} if wanted else people - {username}
        if changed != people:
            await store.save_shared_value(PEOPLE, version + 1, msgspec.json.encode(sorted(changed)))

    await repeated(attempt)


def stop_link(sender: Sender, username: str) -> str:
    """Return the address at which one click stops the mail to a person."""
    link = _LINK.write(sender.environment, sender.key, username.encode())
    return f"{sender.issuer}{paths.ALERT_MAIL}?link={link}"


def person_of(sender: Sender, link: str) -> str | None:
    """Return the login name in the link of a message; None for a text that this service did not write."""
    content = _LINK.read(sender.environment, sender.key, link)
    return None if content is None else content.decode()


async def queue_alert_mails(store: Store, sender: Sender, now: Milliseconds) -> int:
    """Put the messages of this morning into the outbox, once; return how many. Names of closed accounts are forgotten.

    The messages are stored together with their day, so a node that is slower than another one puts none.
    """
    day = london_day(now - FROM_HOUR * HOUR_MS)
    version, last = await store.shared_value(MAILED) or (0, b"")
    if last.decode() >= day.isoformat():
        return 0
    deliveries = []
    for username in await people_with_mail(store):
        account = await store.account(username)
        if account is None or account.status == "closed":
            await set_mail(store, username, wanted=False)
        alerts = await _alerts_of(store, account, day) if account else []
        if account and account.email and alerts:
            message = _message(sender, account, alerts, day)
            deliveries.append(delivery_of(sender.key, message, username, now, f"alerts {day} {username}"))
    try:
        await store.add_deliveries_once(deliveries, MAILED, version + 1, day.isoformat().encode())
    except Conflict:  # another node was faster
        return 0
    return len(deliveries)


async def _alerts_of(store: Store, account: Account, day: dt.date) -> list[CompanyAlert]:
    application = await store.application(account.workbench_for) if may_get_mail(account) else None
    if application is None or application.disabled or scopes.MONITOR not in scopes.of_application(application):
        return []
    return await alerts_by_company(store, application.client_id, day)


def _message(sender: Sender, account: Account, alerts: Sequence[CompanyAlert], day: dt.date) -> AlertMail:
    stop, home = stop_link(sender, account.username), f"{sender.issuer}{paths.WORKBENCH}"
    text, html = (write(alerts, day_in_words(day), home, stop) for write in (text_of, html_of))
    return AlertMail(account.email or "", account.username, subject_of(alerts, sender.operator), text, html, stop)
