"""Codes by mail that prove a new mail address, and the old one if that was proved (threats A18).

Nothing of a change is stored before it is made. A code is a digest of the change under the digest key, so it proves one
address of one change, and is void once the account has changed in any way.
"""

from typing import Literal

import msgspec

from credence.access.caller_address import WIDER, counted_networks
from credence.clock import Milliseconds
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.identity.login_attempts import (
    KEY_BYTES,
    MINUTE_MS,
    FailureLimit,
    ThrottleRule,
    ThrottleRules,
    account_key,
)
from credence.store.records import Account

CODE_DIGITS = 8
LIFETIME_MS: Milliseconds = 30 * MINUTE_MS

ACCOUNT = FailureLimit(10, 30 * MINUTE_MS)
"""Wrong codes of an account: a year of guessing succeeds with a probability of about one in 5,700."""

NETWORK = FailureLimit(30, MINUTE_MS)
"""Wrong codes from one address prefix, for all accounts; from the networks around it `WIDER` times as many."""

Role = Literal["old", "new"]
"""Which address of a change a code goes to."""


class AddressChange(msgspec.Struct, frozen=True):
    """A change of the mail address for which codes were requested."""

    username: str
    version: int
    """That of the account when the codes were requested."""
    address: str
    """The new one."""
    asked_at: Milliseconds


def roles_of(account: Account) -> tuple[Role, ...]:
    """Return which addresses need proof: the present one only if it was proved."""
    return ("old", "new") if account.email and account.email_verified else ("new",)


def code_of(digest_key: bytes, change: AddressChange, role: Role) -> str:
    """Return the code that goes to this address of the change."""
    digest = keyed_digest(digest_key, "address code", role.encode(), msgspec.json.encode(change))
    return str(int.from_bytes(digest, "big") % 10**CODE_DIGITS).zfill(CODE_DIGITS)


def codes_prove(digest_key: bytes, change: AddressChange, codes: dict[Role, str]) -> bool:
    """Tell whether all these codes are right. All are compared, so the duration does not tell which is wrong."""
    right = [
        constant_time_equal(code_of(digest_key, change, role).encode(), "".join(code.split()).encode())
        for role, code in codes.items()
    ]
    return all(right)


def guess_rules(digest_key: bytes, username: str, network: str) -> ThrottleRules:
    """Return the rules for one attempt with codes for the account."""

    def key(*parts: str) -> bytes:
        return keyed_digest(digest_key, "address guess", *(part.encode() for part in parts))[:KEY_BYTES]

    account = account_key(digest_key, username) + key("account", username)
    return (
        ThrottleRule("address_code.throttled_account", ((account, ACCOUNT),)),
        *(
            ThrottleRule("address_code.throttled_address", ((key("network", each), _wider(wider)),))
            for each, wider in zip(counted_networks(network), WIDER, strict=False)
        ),
    )


def _wider(times: int) -> FailureLimit:
    return FailureLimit(NETWORK.failures * times, NETWORK.step // times)
