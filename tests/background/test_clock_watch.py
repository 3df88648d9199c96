"""When the clock is trusted with deletions and the dates of keys (threats T11)."""

import pytest

from credence.background.clock_watch import ClockWatch

HOUR = 3_600
START = 1_800_000_000_000


class Machine:
    """A machine whose clock runs ahead of monotonic time by what a test says."""

    def __init__(self) -> None:
        self.seconds = 50.0
        self.ahead_ms = START
        self.watch = ClockWatch(self.wall, lambda: self.seconds)

    def wall(self) -> int:
        return self.ahead_ms + int(self.seconds * 1000)

    def run(self, seconds: float) -> bool:
        """Let time pass, with a look every ten seconds; return whether the clock is trusted at the end."""
        for _ in range(round(seconds / 10)):
            self.seconds += 10
            self.watch.trusted()
        return self.watch.trusted() is not None


def test_a_clock_is_trusted_after_an_hour() -> None:
    """A node that is started with a wrong clock deletes nothing and dates no key."""
    machine = Machine()
    assert not machine.run(HOUR - 10)
    assert machine.run(10)
    assert machine.watch.trusted() == machine.wall()


@pytest.mark.parametrize("hours", [4, -4, 24 * 365])
def test_a_leap_costs_the_trust_for_an_hour(hours: int) -> None:
    """And so does the leap back."""
    machine = Machine()
    assert machine.run(HOUR)
    machine.ahead_ms += hours * HOUR * 1000
    assert not machine.run(10)
    machine.ahead_ms -= hours * HOUR * 1000
    assert not machine.run(HOUR - 10)
    assert machine.watch.leaped
    assert machine.run(HOUR)
    assert not machine.watch.leaped


def test_a_clock_that_was_put_right_is_trusted_in_time() -> None:
    machine = Machine()
    machine.ahead_ms += 24 * HOUR * 1000
    machine.run(10)
    assert machine.run(HOUR)


def test_a_clock_that_is_slewed_stays_trusted() -> None:
    """By at most 500 ppm, as the kernel does: five milliseconds in ten seconds, and 18 seconds in ten hours."""
    machine = Machine()
    assert machine.run(HOUR)
    for _ in range(HOUR):
        machine.ahead_ms += 5
        assert machine.run(10)
