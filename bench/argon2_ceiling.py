"""How many Argon2 verifications a second do the server's cores allow? `python -m bench.argon2_ceiling SECONDS`.

As many threads as cores the process may use, as in the service, and nothing else to do: no grant can be faster.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from credence.crypto.passwords import PasswordHashing

PROFILE = "standard"
PASSWORD = "correct horse battery staple"


def ceiling(seconds: float) -> float:
    """Return verifications per second."""
    threads = len(os.sched_getaffinity(0))
    work = partial(_verify_until, PasswordHashing(PROFILE), time.monotonic() + seconds)
    begun = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        verified = sum(pool.map(lambda _: work(), range(threads)))
    return verified / (time.monotonic() - begun)


def _verify_until(hashing: PasswordHashing, end: float) -> int:
    verified, password_hash = 0, hashing.hash(PASSWORD)
    while time.monotonic() < end:
        verified += hashing.verify(password_hash, PASSWORD)
    return verified


if __name__ == "__main__":
    print(ceiling(float(sys.argv[1])))
