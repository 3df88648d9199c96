"""GET and POST of the link that stops the alerts by mail.

A mail program posts to it by itself (RFC 8058), so the link alone is the right to stop: no session and no form value.
Opening it changes nothing, because programs that check mail open links.
"""

from typing import Annotated

from credence.monitoring.mailing import Sender, person_of, set_mail
from credence.oauth.authority import Authority
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.forms import query_pairs
from credence.web.messages.answer import HTML, Answer
from credence.web.routing.operation import Content, Parameter

_LINK = Parameter("link", "query", "What the link of the message contains.")
_UNKNOWN = Content(HTML, status=404)


async def alert_mail(service: Service, request: Annotated[RequestContext, _LINK]) -> Annotated[Answer, _UNKNOWN]:
    """Stop the alerts by mail.

    The page with the button that stops them.
    """
    if _person(service, request) is None:
        return _unknown(service)
    return pages.page(service.settings, "alert-mail", texts.ALERT_MAIL_TITLE)


async def stop_alert_mail(service: Service, request: Annotated[RequestContext, _LINK]) -> Annotated[Answer, _UNKNOWN]:
    """Stop the alerts by mail.

    One click in a mail program (RFC 8058) or the button of the page.
    """
    username = _person(service, request)
    if username is None:
        return _unknown(service)
    await set_mail(service.authority.store, username, wanted=False)
    return pages.page(
        service.settings,
        "message",
        texts.ALERT_MAIL_STOPPED_TITLE,
        lead=texts.ALERT_MAIL_STOPPED,
        events=("alert_mail_stopped",),
    )


def sender_of(authority: Authority) -> Sender:
    """Return the service as the sender of the messages."""
    settings = authority.settings
    return Sender(settings.issuer, settings.environment.prefix, settings.operator_name, authority.secrets.digest)


def _person(service: Service, request: RequestContext) -> str | None:
    link = dict(query_pairs(request)).get("link", "")
    return person_of(sender_of(service.authority), link)


def _unknown(service: Service) -> Answer:
    return pages.page(service.settings, "message", texts.ALERT_MAIL_TITLE, status=404, lead=texts.ALERT_MAIL_UNKNOWN)
