"""Client_ids that are URLs of a document about the client. The operator accepts such clients by host."""

import re
from urllib.parse import urlsplit

from credence.settings import Settings

MAX_URL_CHARACTERS = 255

_URL = re.compile(
    r"https://(?P<host>[a-z0-9.\-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[1-9][0-9]{0,4})?"
    r"(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@/%\-]+)(?:\?[A-Za-z0-9._~!$&'()*+,;=:@/?%\-]*)?"
).fullmatch
"""No user information, no fragment, a path, and a lower-case host, so that one client has one client_id."""

_DOT_SEGMENTS = frozenset({".", ".."})


class UnusableDocument(Exception):
    """The document of a client cannot be used. The message is a reason code."""


def is_document_url(client_id: str) -> bool:
    """Return whether a client_id is the address of a document."""
    match = _URL(client_id) if len(client_id) <= MAX_URL_CHARACTERS else None
    segments = match["path"].lower().replace("%2e", ".").split("/") if match else ()
    return match is not None and _DOT_SEGMENTS.isdisjoint(segments)


def host_of_client(client_id: str) -> str:
    """Return the host that publishes the document of a client."""
    return urlsplit(client_id).hostname or ""


def accepts_host(host: str, settings: Settings) -> bool:
    """Return whether the settings accept clients of this host (`client_hosts.py` has the verdicts of operators)."""
    if settings.client_documents == "off" or is_among(host, settings.client_document_blocked_hosts):
        return False
    return settings.client_documents == "any" or is_among(host, settings.client_document_hosts)


def is_among(host: str, named: tuple[str, ...]) -> bool:
    """Return whether a host is in a list of names; `.example.com` includes all names below it."""
    return any(host == each.lower() or (each.startswith(".") and host.endswith(each.lower())) for each in named)
