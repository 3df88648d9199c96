"""What an answer says about the rates it counted against (draft-ietf-httpapi-ratelimit-headers-11)."""

from credence.ratelimit.header_fields import rate_limit_fields
from credence.ratelimit.limiter import Usage
from credence.ratelimit.limits import LimitDecision, rate_limit


def test_the_policy_names_every_rate_in_one_order_and_a_burst_is_at_most_a_minute_of_requests() -> None:
    account, application = rate_limit("account", 60, 10), rate_limit("application", 3, 200)
    assert account is not None
    assert application is not None
    fields = rate_limit_fields(Usage((account, application), LimitDecision(True, application, 2, 19_000_000_001)))
    assert fields == (
        ("ratelimit-policy", '"application";q=3;w=60;credence-burst=3, "account";q=60;w=60;credence-burst=10'),
        ("ratelimit", '"application";r=2;t=20'),
    )


def test_what_counts_against_nothing_has_no_policy() -> None:
    """A refusal by a limit that was only checked."""
    account = rate_limit("account", 60, 10)
    assert account is not None
    fields = rate_limit_fields(Usage((), LimitDecision(False, account, 0, 1_000_000_000)))
    assert fields == (("ratelimit", '"account";r=0;t=1'),)


def test_of_two_decisions_on_one_request_a_refusal_counts_even_if_both_have_nothing_left() -> None:
    account, address = rate_limit("account", 60, 10), rate_limit("address", 60, 10)
    assert account is not None
    assert address is not None
    admitted = Usage((address,), LimitDecision(True, address, 0, 1_000_000_000))
    refused = Usage((account,), LimitDecision(False, account, 0, 1_000_000_000))
    assert admitted.and_then(refused) == Usage((address, account), refused.decision)
