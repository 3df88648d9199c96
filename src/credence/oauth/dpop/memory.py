"""The caches of one process for DPoP: parsed public keys, and the proofs that it has accepted."""

from credence.clock import Milliseconds
from credence.crypto.jws import VerifyingKey
from credence.generational_cache import GenerationalCache
from credence.oauth.dpop.nonce import STEP_MS

MAX_KEYS = 2_000
"""Parsed public keys in the cache, about a kilobyte each."""

MAX_PROOFS = 200_000
"""Maximum number of cached proofs, a tenth of a kilobyte each: all proofs of five minutes at 660 a second."""


class ProofMemory:
    """The accepted proofs of one process. When it is full, it refuses the oldest nonces together with their proofs.

    It also refuses nonces from before the process started, because an earlier process may have accepted proofs with them.
    """

    def __init__(self, since: Milliseconds = 0, max_proofs: int = MAX_PROOFS) -> None:
        self.keys: GenerationalCache[str, VerifyingKey] = GenerationalCache(MAX_KEYS)
        """Public keys by the JOSE header of their proofs, which is the same in all proofs of one client."""
        self._max_proofs = max_proofs
        self._seen: dict[int, set[bytes]] = {}
        self._count = 0
        self._refused_before = since // STEP_MS

    def remembers(self, step: int) -> bool:
        """Return whether all accepted proofs with a nonce of this step are still cached."""
        return step >= self._refused_before

    def consume_once(self, mark: bytes, step: int, oldest: int) -> bool:
        """Record that the proof `mark`, with the nonce of this step, was used; return False if it was used before.

        Proofs with nonces of steps before `oldest` are deleted, because these nonces are refused anyway.
        """
        if self._seen and (first := min(self._seen)) < oldest:
            self._delete(first)
        seen = self._seen.setdefault(step, set())
        if mark in seen:
            return False
        seen.add(mark)
        self._count += 1
        while self._count > self._max_proofs:
            self._delete(min(self._seen))
        return True

    def _delete(self, step: int) -> None:
        self._count -= len(self._seen.pop(step))
        self._refused_before = max(self._refused_before, step + 1)
