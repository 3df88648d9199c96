"""How many Argon2 verifications a second do the server's cores allow? `python -m bench.argon2_ceiling SECONDS`.

As many threads as cores the process may use, as in the service, and nothing else to do: no grant can be faster.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from credence.crypto.passwords import hash_password, verify_password

PROFILE = "standard"
PASSWORD = "correct horse battery staple"


def ceiling(seconds: float) -> float:
    """Return verifications per second."""
    threads = len(os.sched_getaffinity(0))
    work = partial(_verify_until, hash_password(PROFILE, PASSWORD), time.monotonic() + seconds)
    begun = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        verified = sum(pool.map(lambda _: work(), range(threads)))
    return verified / (time.monotonic() - begun)


def _verify_until(password_hash: str, end: float) -> int:
    verified = 0
    while time.monotonic() < end:
        verified += verify_password(PROFILE, password_hash, PASSWORD)
    return verified


if __name__ == "__main__":
    print(ceiling(float(sys.argv[1])))
