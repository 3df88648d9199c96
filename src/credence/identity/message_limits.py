"""Limits on messages that a person requests without having signed in (threats A5, A12).

A stranger must neither fill the mailbox of a person nor keep the person from getting a message of their own. So an account
gets few messages for each network and browser, and not many in all; and a network requests few in all.
"""

from credence.access.caller_address import WIDER, counted_networks
from credence.crypto.digest import keyed_digest
from credence.identity.login_attempts import KEY_BYTES, MINUTE_MS, FailureLimit, ThrottleRule, ThrottleRules

ACCOUNT = FailureLimit(12, 10 * MINUTE_MS)
"""Messages to one account, requested from unknown browsers everywhere."""

ACCOUNT_FROM_NETWORK = FailureLimit(3, 10 * MINUTE_MS)
"""Messages to one account that one network requests, /32 or /48; or one browser in which the person has signed in before."""

NETWORK = FailureLimit(10, MINUTE_MS)
"""Messages that one address prefix requests; the networks around it may request `WIDER` times as many."""


def message_rules(digest_key: bytes, purpose: str, name: str, network: str, browser: bytes = b"") -> ThrottleRules:
    """Return the rules for one message of this purpose, such as a reset, to the account or address `name`.

    `browser` is the id of one in which the person has signed in before; for it the first rule is the only one.
    """

    def key(*parts: bytes) -> bytes:
        return keyed_digest(digest_key, "message", purpose.encode(), *parts)[:KEY_BYTES]

    person, networks = name.encode(), counted_networks(network)
    if browser:
        return (ThrottleRule("message.throttled_account", ((key(b"browser", person, browser), ACCOUNT_FROM_NETWORK),)),)
    from_network = (key(b"from", person, networks[-1].encode()), ACCOUNT_FROM_NETWORK)
    return (
        ThrottleRule("message.throttled_account", (from_network,)),
        ThrottleRule("message.throttled_account", ((key(b"person", person), ACCOUNT),)),
        *(
            ThrottleRule("message.throttled_address", ((key(b"network", each.encode()), _wider(wider)),))
            for each, wider in zip(networks, WIDER, strict=False)
        ),
    )


def _wider(times: int) -> FailureLimit:
    return FailureLimit(NETWORK.failures * times, NETWORK.step // times)
