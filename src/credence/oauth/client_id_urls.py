"""Client_ids that are addresses: of a document about the client, which the operator may let in by its host.

The form is that of draft-ietf-oauth-client-id-metadata-document-02; `client_documents/` reads the documents.
"""

import re
from urllib.parse import urlsplit

from credence.settings import Settings

MAX_URL_CHARACTERS = 255

_URL = re.compile(
    r"https://(?P<host>[a-z0-9.\-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[1-9][0-9]{0,4})?"
    r"(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@/%\-]+)(?:\?[A-Za-z0-9._~!$&'()*+,;=:@/?%\-]*)?"
).fullmatch
"""No user information, no fragment, a path, and the host in lower case, so that one client has one client_id."""

_DOT_SEGMENTS = frozenset({".", ".."})


class UnusableDocument(Exception):
    """The client cannot be known by its document. The text is a reason code."""


def is_document_url(client_id: str) -> bool:
    """Return whether a client_id is the address of a document."""
    match = _URL(client_id) if len(client_id) <= MAX_URL_CHARACTERS else None
    segments = match["path"].lower().replace("%2e", ".").split("/") if match else ()
    return match is not None and _DOT_SEGMENTS.isdisjoint(segments)


def host_of_client(client_id: str) -> str:
    """Return the host that publishes the document of a client."""
    return urlsplit(client_id).hostname or ""


def accepts_host(host: str, settings: Settings) -> bool:
    """Return whether the settings let clients of this host in (`client_hosts.py` has the verdicts of operators)."""
    if settings.client_documents == "off" or is_among(host, settings.client_document_blocked_hosts):
        return False
    return settings.client_documents == "any" or is_among(host, settings.client_document_hosts)


def is_among(host: str, named: tuple[str, ...]) -> bool:
    """Return whether a host is one of these names; `.example.com` means all names below it."""
    return any(host == each.lower() or (each.startswith(".") and host.endswith(each.lower())) for each in named)
