"""The hosts of clients with a document: the known ones, and the decisions of operators about them (D29, D30)."""

import re
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from typing import get_args

from credence.clock import Milliseconds
from credence.errors import InvalidInput, OperatorError
from credence.management.logins import end_logins_of
from credence.oauth.client_hosts import HostVerdicts, Verdict, accepts, read_verdicts, save_verdict
from credence.oauth.client_id_urls import host_of_client, is_document_url
from credence.settings import Settings
from credence.store.contract import Conflict, Store
from credence.store.records import Application

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*").fullmatch

_SCHEME = "https://"
_ROWS = 1_000
MAX_FETCHES = 20
"""Maximum number of reads of the store for a list of all hosts."""

_ATTEMPTS = 3
"""Attempts to store a verdict: other operators may decide on other hosts at the same time."""

_NAMED = 10
"""The most clients that a message names."""


class LoginsNotEnded(OperatorError):
    """A host is blocked, but logins of clients that others changed at the same time go on; the message names them."""


@dataclass(frozen=True, slots=True)
class HostSeen:
    """A host, and its clients that people have allowed."""

    host: str
    clients: int
    verdict: Verdict
    accepted: bool
    """Whether its clients are accepted at present."""


def checked_host(text: str) -> str:
    """Return the name of a host in lower case; InvalidInput for another text."""
    host = text.strip().lower()
    if not _HOST(host):
        raise InvalidInput("A host is a name such as app.example, without scheme, port and path.")
    return host


async def hosts_seen(store: Store, settings: Settings) -> list[HostSeen]:
    """Return the hosts with clients or with a verdict, by name."""
    _, verdicts = await read_verdicts(store)
    found = [each async for each in _clients(store, _SCHEME, MAX_FETCHES)]
    clients = Counter(host_of_client(each.client_id) for each in found)
    names = sorted({*clients, *verdicts.allowed, *verdicts.blocked})
    return [
        HostSeen(
            name,
            clients[name],
            _verdict(verdicts, name),
            accepts(verdicts, name, settings),
        )
        for name in names
    ]


async def verdict_change(store: Store, host: str, verdict: Verdict) -> tuple[dict[str, Verdict], dict[str, Verdict]]:
    """Return the verdict on a host as it is and as it would be, for the audit line."""
    _, verdicts = await read_verdicts(store)
    return {"verdict": _verdict(verdicts, host)}, {"verdict": verdict}


async def decide_on(store: Store, host: str, verdict: Verdict, now: Milliseconds) -> int:
    """Store a verdict on a host; return how many clients it has. A block also ends all their logins.

    Raises Conflict if others decide on hosts at the same time, and LoginsNotEnded if they change clients of this one.
    """
    for attempt in count(1):
        try:
            await save_verdict(store, host, verdict)
            break
        except Conflict:
            if attempt == _ATTEMPTS:
                raise
    clients, kept = 0, []
    for start in (f"{_SCHEME}{host}/", f"{_SCHEME}{host}:"):  # without a port, and with one
        async for each in _clients(store, start):
            clients += 1
            if verdict == "block" and not await end_logins_of(store, each, now):
                kept.append(each.client_id)
    if kept:
        raise LoginsNotEnded(
            f"{host} is blocked, but {len(kept)} of its {clients:,} clients were changed at the same time, and their logins "
            f"go on: {', '.join(kept[:_NAMED])}. Block it again."
        )
    return clients


def _verdict(verdicts: HostVerdicts, host: str) -> Verdict:
    return "block" if host in verdicts.blocked else "allow" if host in verdicts.allowed else "settings"


async def _clients(store: Store, start: str, most: int | None = None) -> AsyncIterator[Application]:
    """Yield the stored clients whose client_id is the URL of a document and begins with `start`.

    Their rows are adjacent in the store; `most` limits the number of reads.
    """
    after = start
    for _ in count() if most is None else range(most):
        rows = await store.applications(after, _ROWS)
        for each in rows:
            if not each.client_id.startswith(start):
                return
            if is_document_url(each.client_id):
                yield each
        if len(rows) < _ROWS:
            return
        after = rows[-1].client_id
