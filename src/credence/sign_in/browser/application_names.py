"""How the pages for people name an application: one that chose its name itself is marked as such (UTS #39, RFC 7591 §5)."""

import re

from credence.identity.applications import is_unverified
from credence.oauth.client_id_urls import host_of_client
from credence.sign_in.browser import texts
from credence.store.records import Application

_DOUBLE_MARKS = re.compile('["\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]')
"""Marks with which a name could pretend to end; those of clients from before a rule forbade them are left out."""


def name_in_heading(application: Application) -> str:
    """Return the name; in quotation marks if the operator has not verified the application."""
    if not is_unverified(application):
        return application.name
    return texts.NAMED_BY_ITSELF.format(name=without_marks(application.name))


def without_marks(text: str) -> str:
    """Return a text that an application chose, without the quotation marks with which it could pretend to end."""
    return _DOUBLE_MARKS.sub("", text)


def name_in_text(application: Application) -> str:
    """Return the name as in a heading; of an unverified client with a document, also the host of the document."""
    name = name_in_heading(application)
    if not application.document_digest:
        return name
    return texts.NAMED_BY_DOCUMENT.format(application=name, host=host_of_client(application.client_id))
