"""GET /sandbox/scenarios: how to provoke each answer, with values to copy (D24)."""

from functools import lru_cache
from pathlib import Path

import msgspec

from credence.refusals import NOT_FOUND, Refused
from credence.sandbox import sandbox_file
from credence.service import Service
from credence.settings import Environment
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import Request


async def sandbox_scenarios(service: Service, _request: Request) -> Answer:
    """Return the scenarios that the sandbox wrote down; Refused 404 in every other environment."""
    if service.settings.environment is not Environment.SANDBOX:
        raise Refused(NOT_FOUND, "sandbox.not_a_sandbox")
    path = service.settings.sandbox_file
    try:
        changed = path.stat().st_mtime_ns
    except FileNotFoundError:
        raise Refused(NOT_FOUND, "sandbox.not_provisioned") from None
    return Answer(200, JSON, _scenarios(path, changed), (NO_STORE,))


@lru_cache(maxsize=1)
def _scenarios(path: Path, _changed: int) -> bytes:
    contents = sandbox_file.read(path)
    return msgspec.json.encode({"scenarios": contents.scenarios if contents else ()})
