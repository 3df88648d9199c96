"""A reader follows a token request through few files: 36 for a password grant and 29 for a refresh.

The files of the store are not counted, apart from its cache: some seven over SQLite. The rate limits of the deployment are
off; on, they add one file (`ratelimit/limits.py`).
"""

import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import credence
from tests.deployment import Deployment, Reply

PROGRAM = Path(credence.__file__).parent
STORE = PROGRAM / "store"
CACHE = STORE / "revocation_cache.py"


@contextmanager
def files_of_calls() -> Iterator[set[str]]:
    """Yield the set of files of the program, filled with those whose functions are called in this block."""
    found: set[str] = set()

    def add(frame: FrameType, event: str, _argument: object) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(PROGRAM) and (file == CACHE or not file.is_relative_to(STORE)):
            found.add(str(file.relative_to(PROGRAM)))

    threading.setprofile(add)
    sys.setprofile(add)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def files_of(send: Callable[[], Awaitable[Reply]]) -> set[str]:
    """Return the files of the second request; the first one has filled the caches."""
    assert (await send()).status == 200
    with files_of_calls() as found:
        assert (await send()).status == 200
    return found


async def test_a_password_grant_passes_at_most_36_files(deployment: Deployment) -> None:
    found = await files_of(deployment.login)
    assert "oauth/grants/password.py" in found
    assert len(found) <= 36, sorted(found)


async def test_a_refresh_passes_at_most_29_files(deployment: Deployment) -> None:
    tokens = [(await deployment.tokens())["refresh_token"]]

    async def refresh() -> Reply:
        reply = await deployment.refresh(tokens[-1])
        tokens.append(reply.json["refresh_token"])
        return reply

    found = await files_of(refresh)
    assert "oauth/grants/refresh.py" in found
    assert len(found) <= 29, sorted(found)
