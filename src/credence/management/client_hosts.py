"""The hosts of clients with a document: the known ones, and the decisions of operators about them (D29, D30)."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import get_args

from credence.clock import Milliseconds
from credence.errors import InvalidInput
from credence.identity.applications import with_every_login_ended
from credence.oauth.client_hosts import Verdict, accepts, read_verdicts, save_verdict
from credence.oauth.client_id_urls import host_of_client, is_document_url
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Application

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*").fullmatch

_SCHEME = "https://"
_ROWS = 1_000
MAX_FETCHES = 20
"""Maximum number of reads of the store for a list of all hosts."""


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
    clients = Counter(host_of_client(each.client_id) for each in await _clients(store, "", MAX_FETCHES))
    names = sorted({*clients, *verdicts.allowed, *verdicts.blocked})
    return [
        HostSeen(
            name,
            clients[name],
            "block" if name in verdicts.blocked else "allow" if name in verdicts.allowed else "settings",
            accepts(verdicts, name, settings),
        )
        for name in names
    ]


async def decide_on(store: Store, host: str, verdict: Verdict, now: Milliseconds) -> int:
    """Store a verdict on a host; return how many clients it has. A block also ends all their logins. Raises Conflict."""
    await save_verdict(store, host, verdict)
    found = [each for each in await _clients(store, host) if host_of_client(each.client_id) == host]
    for each in found if verdict == "block" else ():
        await store.save_application(with_every_login_ended(each, now), now)
    return len(found)


async def _clients(store: Store, host: str, most: int | None = None) -> list[Application]:
    """Return the stored clients whose client_id is the URL of a document on a host whose name begins with `host`.

    Their rows are adjacent in the store; `most` limits the number of reads.
    """
    found: list[Application] = []
    after = first = f"{_SCHEME}{host}"
    for _ in count() if most is None else range(most):
        rows = await store.applications(after, _ROWS)
        found += [each for each in rows if is_document_url(each.client_id)]
        if len(rows) < _ROWS or not rows[-1].client_id.startswith(first):
            break
        after = rows[-1].client_id
    return found
