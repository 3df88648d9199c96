"""The alerts of the morning by mail, for people who asked for them: one message a day, if there is an alert.

It goes to the verified address of an account that works for an application with `credit:monitor`, after six in the morning
in London. It has no image, and no link that shows who opened it. One click on the button of the mail program stops it
(RFC 8058); the link in it names the person, and is not valid for anything else.
"""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from markupsafe import escape

from credence import paths
from credence.blocks.text import visible
from credence.clock import HOUR_MS, Milliseconds, day_in_words, london_day
from credence.crypto.tagged_text import TaggedText
from credence.mail.message import AlertMail, delivery_of
from credence.monitoring.company_alerts import CompanyAlert, alerts_by_company, total_at_risk, words_of
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


SHOWN = 20
"""The most companies in a message."""

_REASON = "You get this message because you asked for it in the workbench."


def subject_of(alerts: Sequence[CompanyAlert], operator: str) -> str:
    """Return the subject: how many companies, and the pounds at risk."""
    companies = f"{len(alerts):,} {'company' if len(alerts) == 1 else 'companies'}"
    total, is_least = total_at_risk(alerts)
    at_risk = f", {_pounds(total, is_least)} at risk" if total or not is_least else ""
    return f"{operator}: alerts about {companies}{at_risk}"


def text_of(alerts: Sequence[CompanyAlert], day: str, home: str, stop: str) -> str:
    """Return the message as plain text. `home` is the address of the workbench, `stop` that which ends the messages."""
    parts = [f"Alerts on {day}, the largest amount at risk first."]
    for each in alerts[:SHOWN]:
        causes = "\n".join(f"- {visible(words)}" for words in words_of(each))
        parts.append(f"{_name(each)} ({each.company_number})\n{_figures(each)}\n{causes}\n{each.to_do}")
    parts += [*_more(alerts), f"Open the workbench: {home}", f"{_REASON}\nStop these messages: {stop}"]
    return "\n\n".join(parts) + "\n"


def html_of(alerts: Sequence[CompanyAlert], day: str, home: str, stop: str) -> str:
    """Return the message as HTML; every text is escaped."""
    items = "".join(
        f"<li><p><strong>{escape(_name(each))}</strong> ({escape(each.company_number)})<br>{escape(_figures(each))}</p>"
        f"<ul>{''.join(f'<li>{escape(visible(words))}</li>' for words in words_of(each))}</ul>"
        f"<p>{escape(each.to_do)}</p></li>"
        for each in alerts[:SHOWN]
    )
    more = "".join(f"<p>{escape(text)}</p>" for text in _more(alerts))
    return (
        '<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Alerts</title></head>'
        '<body style="font-family:sans-serif;max-width:40em">'
        f"<h1>Alerts on {escape(day)}</h1><p>The largest amount at risk first.</p><ol>{items}</ol>{more}"
        f'<p><a href="{escape(home)}">Open the workbench</a></p>'
        f'<p><small>{_REASON} <a href="{escape(stop)}">Stop these messages</a></small></p></body></html>'
    )


def _name(each: CompanyAlert) -> str:
    return visible(each.name or each.company_number)


def _figures(each: CompanyAlert) -> str:
    risk, exposure = (_pounds(amount, each.exposure_is_least) for amount in (each.at_risk, each.exposure))
    return f"{risk} at risk, exposure {exposure}, limit {_pounds(each.limit)}, {each.severity}"


def _more(alerts: Sequence[CompanyAlert]) -> list[str]:
    left = len(alerts) - SHOWN
    return [f"{left:,} more {'company has' if left == 1 else 'companies have'} alerts."] if left > 0 else []


def _pounds(amount: int | None, is_least: bool = False) -> str:
    if amount is None or (is_least and not amount):
        return "unknown"
    return f"{'at least ' if is_least else ''}£{amount:,}"
