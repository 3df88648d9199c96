"""The limits of spike arrest in one deployment (D16)."""

from credence.ratelimit.limiter import Pace, pace


class SpikeLimits:
    """Requests a minute, and how many of them at once, for an application, an account and an address prefix; 0: any."""

    def __init__(self, application: tuple[int, int], account: tuple[int, int], address: tuple[int, int]) -> None:
        self.account = pace("account", *account)
        self.address = pace("address", *address)
        self._house, self._burst = application
        self._applications: dict[int, Pace | None] = {}

    def application(self, own: int | None) -> Pace | None:
        """Return the pace of an application with this rate of its own, or the house's when it has none."""
        rate = self._house if own is None else own
        try:
            return self._applications[rate]
        except KeyError:  # as many as operators have given different rates
            return self._applications.setdefault(rate, pace("application", rate, self._burst))
