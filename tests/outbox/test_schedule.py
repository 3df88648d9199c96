"""When a failed delivery is attempted again."""

import pytest

from credence.outbox.engine import SIGN_OUTS, VERIFICATIONS, WEBHOOKS, Schedule
from credence.store.deliveries import plausible_until

NOW = 1_700_000_000_000
MIDDLE = 0.5
"""The chance that changes no delay."""

SECONDS = {1: 5, 2: 300, 3: 1_800, 4: 7_200, 5: 18_000, 6: 36_000, 7: 50_400, 8: 72_000, 9: 86_400}
"""After so many attempts: the schedule that Standard Webhooks recommends."""


@pytest.mark.parametrize(("attempts", "seconds"), SECONDS.items())
def test_a_webhook_is_attempted_again_on_the_published_schedule(attempts: int, seconds: int) -> None:
    assert WEBHOOKS.next_attempt(attempts, NOW, MIDDLE) == NOW + seconds * 1_000


def test_after_its_last_attempt_a_delivery_is_given_up() -> None:
    assert WEBHOOKS.next_attempt(10, NOW, MIDDLE) is None
    assert SIGN_OUTS.next_attempt(3, NOW, MIDDLE) == NOW + 300_000
    assert SIGN_OUTS.next_attempt(4, NOW, MIDDLE) is None


@pytest.mark.parametrize(("chance", "delay"), [(0, 80_000), (0.5, 100_000), (0.999999, 120_000)])
def test_a_delay_is_a_fifth_longer_or_shorter_by_chance(chance: float, delay: int) -> None:
    assert Schedule((100_000,)).next_attempt(1, NOW, chance) == NOW + delay


@pytest.mark.parametrize("schedule", [WEBHOOKS, VERIFICATIONS, SIGN_OUTS])
def test_no_wait_is_as_long_as_one_that_a_clock_which_was_ahead_has_left(schedule: Schedule) -> None:
    """threats T11."""
    for attempts in range(1, len(schedule.delays_ms) + 1):
        due_at = schedule.next_attempt(attempts, NOW, 1.0, retry_after_ms=10**12)
        assert due_at is not None
        assert due_at <= plausible_until(NOW)


def test_a_receiver_may_request_a_longer_wait_of_a_day_at_most() -> None:
    schedule = Schedule((5_000,))
    assert schedule.next_attempt(1, NOW, MIDDLE, retry_after_ms=4_000) == NOW + 5_000
    assert schedule.next_attempt(1, NOW, MIDDLE, retry_after_ms=60_000) == NOW + 60_000
    assert schedule.next_attempt(1, NOW, MIDDLE, retry_after_ms=10**12) == NOW + 86_400_000
