"""Links with which a person chooses a password: for a new account, or in place of a forgotten one (ASVS 6.4.1, 6.4.3).

A link is not stored. It contains the account and the version of its password under an authentication tag; the password that
is chosen has the next version, so a link works once, on many nodes too.
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import constant_time_equal
from credence.crypto.tagged_text import TaggedText
from credence.store.records import Account

MAX_LIFETIME_SECONDS = 2_592_000
"""The maximum lifetime of a link: thirty days."""

_LINK = TaggedText("act", "activation")


class Activation(msgspec.Struct, frozen=True, array_like=True):
    """The content of a link: who may choose a password, and until when."""

    username: str
    password_version: int
    expires_at: Milliseconds
    browser: bytes = b""
    """The digest of the only browser in which the link works; empty for every browser."""
    email: str = ""
    """The address that the link was sent to, which its use proves; empty for a link that an operator gives.

    The link is void once the account has another address: an operator moves it out of a mailbox that a thief reads.
    """


_decode = msgspec.json.Decoder(Activation).decode


def write_activation(environment: str, key: bytes, activation: Activation) -> str:
    """Return the text of a link."""
    return _LINK.write(environment, key, msgspec.json.encode(activation))


def read_activation(environment: str, key: bytes, text: str) -> Activation | None:
    """Return the content of a link, expired or not; None for a text that this service did not write."""
    content = _LINK.read(environment, key, text)
    return None if content is None else _decode(content)


def activation_error(activation: Activation, account: Account, browser: bytes, now: Milliseconds) -> str | None:
    """Return the reason code if a link cannot be used for its account in this browser; None if it can."""
    if activation.browser and not constant_time_equal(activation.browser, browser):
        return "link.other_browser"
    if now >= activation.expires_at:
        return "link.expired"
    if account.status != "active":
        return "link.account_not_active"
    if account.password_version != activation.password_version:
        return "link.used"
    if activation.email and activation.email != account.email:
        return "link.address_changed"
    return None
