"""The families of a filled store: expired ones and live ones, in the order of their ids.

A family is computed from its number, so that no list of ids is kept: ten million would take a gigabyte.
"""

import bisect
from collections.abc import Iterator
from dataclasses import dataclass

from credence.store.records import TokenFamily

DAY_MS = 86_400_000

TODAY = 1_790_000_000_000 // DAY_MS
"""The day of all rotations, since the Unix epoch."""

NOW = TODAY * DAY_MS

KEPT_DAYS = 3
"""Days after their expiry for which a node keeps families, as `background/tasks.KEPT_EXPIRED_MS` says."""

EXPIRED_DAYS = 64
"""Days over which the expiry of the expired families is spread."""

FIRST_DAY = TODAY - KEPT_DAYS - EXPIRED_DAYS

LIVE_DAYS = 30

FAMILIES_OF_AN_ACCOUNT = 60
"""Families of an account, at random, so that those that expire together are far from each other in the index by account."""

CLIENT = "crd_sbx_app_0123456789abcdefghijklmn"
KID = "Q8hX2k9vT1mWnY4bZ7cL3pR6sD0fGjKxE5uAoIqVtNw"
SCOPE = "offline_access openid risk.business.read"

_ODD = 0x9E3779B97F4A7C15F39CC0605CEDC835
"""An odd number of 128 bits; the multiples of it, modulo 2**128, are all different and look like random ones."""

_ID_MASK = (1 << 128) - 1


@dataclass(frozen=True, slots=True)
class Families:
    """So many live and expired families, numbered in the order of their expiry, the expired ones first."""

    live: int
    expired: int = 0

    @property
    def name(self) -> str:
        """The name of the file or folder of its store."""
        return f"{self.live}-{self.expired}"

    def until(self, number: int) -> int:
        """Return when a family expires, in milliseconds."""
        if number < self.expired:
            return FIRST_DAY * DAY_MS + number * EXPIRED_DAYS * DAY_MS // self.expired
        return NOW + DAY_MS + (number - self.expired) * (LIVE_DAYS - 1) * DAY_MS // self.live

    def id(self, number: int) -> bytes:
        """Return the id of a family."""
        return self.until(number).to_bytes(6, "big") + (number * _ODD & _ID_MASK).to_bytes(16, "big")

    def account(self, number: int) -> str:
        """Return the account of a family."""
        accounts = 1 + (self.live + self.expired) // FAMILIES_OF_AN_ACCOUNT
        return f"user{((number + 1) * _ODD >> 64 & 0xFFFFFFFF) % accounts}"

    def family(self, number: int) -> TokenFamily:
        """Return a family as it is when it is opened."""
        until = self.until(number)
        begun = until - LIVE_DAYS * DAY_MS
        return TokenFamily(self.id(number), CLIENT, self.account(number), SCOPE, begun, until, begun, 3_600, KID)

    def number_of(self, family_id: bytes) -> int:
        """Return the number of the first family that is not before this id."""
        return bisect.bisect_left(range(self.live + self.expired), family_id, key=self.id)

    def all(self) -> Iterator[TokenFamily]:
        """Yield every family in the order of the ids."""
        return map(self.family, range(self.live + self.expired))
