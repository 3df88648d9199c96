"""Links that prove a mail address, with which a person with an address at an allowed domain creates an account.

A link is not stored, and no account exists before it is used. It contains the address with an authentication tag. The
address becomes the login name of the account, so a link creates one account, and an address has one.
"""

import re

import msgspec

from credence.clock import Milliseconds
from credence.crypto.tagged_text import TaggedText
from credence.identity.usernames import MAX_NAME_BYTES, login_name

LINK_SECONDS = 86_400
"""How long a link is valid."""

_LINK = TaggedText("sgn", "sign-up")

_ADDRESS = re.compile(r"[a-z0-9](?:[a-z0-9._+-]{0,62}[a-z0-9])?@[a-z0-9.-]{1,253}").fullmatch
"""Accepted addresses. Quoted ones and those in other scripts (RFC 6531) need an operator's invitation.

`%` is refused: some relays take the text after it as a domain, and forward the message there.
"""


class ProvenAddress(msgspec.Struct, frozen=True, array_like=True):
    """An address, and the expiry of its link."""

    address: str
    expires_at: Milliseconds


_decode = msgspec.json.Decoder(ProvenAddress).decode


def mail_address(text: str) -> str | None:
    """Return the normal form of a mail address; None for any other text."""
    address = login_name(text.strip())
    return None if not _ADDRESS(address) or ".." in address or len(address) > MAX_NAME_BYTES else address


def address_at(text: str, domains: tuple[str, ...]) -> str | None:
    """Return the normal form of a mail address at one of these domains; None for any other text."""
    address = mail_address(text)
    return address if address and address.rpartition("@")[2] in map(str.casefold, domains) else None


def mailbox_of(address: str) -> str:
    """Return the address without a plus sign and what follows it: many servers deliver these to one person (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def write_link(environment: str, key: bytes, proven: ProvenAddress) -> str:
    """Return the text of a link."""
    return _LINK.write(environment, key, msgspec.json.encode(proven))


def read_link(environment: str, key: bytes, text: str, now: Milliseconds) -> str | None:
    """Return the address in a link; None if this service did not write it, or it has expired."""
    content = _LINK.read(environment, key, text)
    if content is None:
        return None
    proven = _decode(content)
    return proven.address if now < proven.expires_at else None
