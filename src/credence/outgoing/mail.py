"""Sends a message through the operator's mail relay (RFC 5321). Nothing is queued here: the relay does that.

A relay on another machine is used only over TLS with a verified certificate: smtps from the first octet (RFC 8314 §3), smtp
after STARTTLS (RFC 3207). A relay on this machine may use smtp without TLS.
"""

import asyncio
import smtplib
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.utils import format_datetime, localtime
from urllib.parse import unquote, urlsplit

TIMEOUT_SECONDS = 20.0
"""The timeout of each answer of the relay."""

MAX_AT_ONCE = 4
"""The number of messages that are sent at the same time.

They have separate threads: otherwise a relay that does not answer would block the threads that write the audit trail and
the request log.
"""

MAX_UNDER_WAY = 16
"""The maximum number of messages that are being sent or wait for that."""

_PORTS = {"smtp": 25, "smtps": 465}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


_threads = ThreadPoolExecutor(MAX_AT_ONCE, thread_name_prefix="mail")
_places = threading.BoundedSemaphore(MAX_UNDER_WAY)


class MailFailed(Exception):
    """The relay did not accept the message."""


class MailBusy(MailFailed):
    """Too many messages are under way; nothing was tried."""


async def send_mail(
    relay: str, sender: str, recipient: str, subject: str, text: str, html: str = "", stop: str = ""
) -> None:
    """Send a message by the relay, a URL with smtp:// or smtps://; raises MailFailed if it is not accepted.

    `html` is the same text with marks. `stop` is the address at which one click ends messages of this kind (RFC 8058).
    """
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, recipient, subject
    message["Date"] = format_datetime(localtime())
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: prevents automatic answers
    if stop:
        message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{stop}>", "List-Unsubscribe=One-Click"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    if not _places.acquire(blocking=False):
        raise MailBusy("too many messages are under way")
    try:
        await asyncio.get_running_loop().run_in_executor(_threads, _send, relay, message)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        raise MailFailed(type(error).__name__) from error
    finally:
        _places.release()


def _send(relay: str, message: EmailMessage) -> None:
    parts = urlsplit(relay)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    trust = ssl.create_default_context()
    if parts.scheme == "smtps":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT_SECONDS, context=trust)
    else:
        connection = smtplib.SMTP(host, port, timeout=TIMEOUT_SECONDS)
    with connection as relaying:
        if parts.scheme == "smtp" and host not in _LOOPBACK:
            relaying.starttls(context=trust)
        if parts.username:
            relaying.login(unquote(parts.username), unquote(parts.password or ""))
        relaying.send_message(message)
