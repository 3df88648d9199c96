"""Links that prove a mail address, with which a person at an allowed domain makes an account.

A link is not stored, and no account exists before it is used. It contains the address under an authentication tag. The
account has the address as its login name, so a link makes one account, and an address has one.
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
"""Addresses of people at work. Quoted ones and those in other scripts (RFC 6531) are an operator's to invite.

A `%` is refused: some relays take what follows it for a domain, and pass the message on to there.
"""


class ProvenAddress(msgspec.Struct, frozen=True, array_like=True):
    """An address, and until when its link is valid."""

    address: str
    expires_at: Milliseconds


_decode = msgspec.json.Decoder(ProvenAddress).decode


def address_at(text: str, domains: tuple[str, ...]) -> str | None:
    """Return the normal form of a mail address at one of these domains; None for any other text."""
    address = login_name(text.strip())
    if not _ADDRESS(address) or ".." in address or len(address) > MAX_NAME_BYTES:
        return None
    return address if address.rpartition("@")[2] in map(str.casefold, domains) else None


def mailbox_of(address: str) -> str:
    """Return the address without what follows a plus sign: many servers deliver all of these to one person (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def write_link(environment: str, key: bytes, proven: ProvenAddress) -> str:
    """Return the text of a link."""
    return _LINK.write(environment, key, msgspec.json.encode(proven))


def read_link(environment: str, key: bytes, text: str, now: Milliseconds) -> str | None:
    """Return the address that a link proves; None for a text that this service did not write, and for an expired one."""
    content = _LINK.read(environment, key, text)
    if content is None:
        return None
    proven = _decode(content)
    return proven.address if now < proven.expires_at else None
