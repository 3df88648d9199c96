"""Operations on the hosts of clients with a document: the known ones, and the decisions about them (D29, D30)."""

import re
from collections import Counter
from collections.abc import AsyncIterator
from itertools import count
from typing import Annotated, Final, get_args

from msgspec import Struct

from credence.clock import Milliseconds
from credence.errors import InvalidInput
from credence.management.logins import changed, end_logins_of
from credence.meanings import Input, meaning
from credence.oauth.client_hosts import HostVerdicts, Verdict, accepts, read_verdicts, save_verdict
from credence.oauth.client_id_urls import host_of_client, is_document_url
from credence.operations.acting import READ, Acting
from credence.operations.applications import OPERATOR
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.operations.reading import reading
from credence.settings import Settings
from credence.store.collections import repeated
from credence.store.contract import Store
from credence.store.records import Application

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)

_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*").fullmatch

_SCHEME = "https://"
_ROWS = 1_000
MAX_FETCHES = 20
"""Maximum number of reads of the store for a list of all hosts."""

_NAMED = 10
"""The most clients that a message names."""

_TEXTS = {
    "allow": "allowed by an operator",
    "block": "blocked by an operator",
    "settings": "as the settings say",
}


class HostState(Struct, frozen=True):
    """A host, and its clients that people have allowed."""

    host: Annotated[str, meaning("Its name.")]
    clients: Annotated[int, meaning("How many clients it has.")]
    verdict: Annotated[
        Verdict,
        meaning(
            "Whether its clients are allowed.",
            values={"allow": "by an operator", "block": "not, by an operator", "settings": "as the settings say"},
        ),
    ]
    accepted: Annotated[bool, meaning("Whether its clients are accepted at present.")]


class HostStates(Struct):
    """The hosts with clients or with a verdict."""

    hosts: Annotated[list[HostState], meaning("The hosts, by name.")]


class HostBody(Struct, forbid_unknown_fields=True):
    """A decision about a host."""

    verdict: Annotated[
        Verdict,
        meaning("Whether its clients are allowed; `settings` takes a decision back."),
        Input(
            f"One of {', '.join(VERDICTS)}; settings takes a decision back.",
            argument=True,
            label="Its clients are",
            hint="",
            choices=(("block", "blocked"), ("allow", "allowed"), ("settings", "as the settings say")),
        ),
    ]


async def hosts_seen(store: Store, settings: Settings) -> list[HostState]:
    """Return the hosts with clients or with a verdict, by name."""
    _, verdicts = await read_verdicts(store)
    found = [each async for each in _clients(store, _SCHEME, MAX_FETCHES)]
    clients = Counter(host_of_client(each.client_id) for each in found)
    names = sorted({*clients, *verdicts.allowed, *verdicts.blocked})
    return [
        HostState(name, clients[name], _verdict(verdicts, name), accepts(verdicts, name, settings)) for name in names
    ]


async def _find(by: Acting, name: str) -> HostState:
    host, store = checked_host(name), by.means.store
    _, verdicts = await read_verdicts(store)
    clients = len([each async for each in _clients_of(store, host)])
    return HostState(host, clients, _verdict(verdicts, host), accepts(verdicts, host, by.means.settings))


async def _save(by: Acting, _found: HostState | None, after: HostState) -> None:
    await save_decision(by.means.store, after.host, after.verdict)


async def save_decision(store: Store, host: str, verdict: Verdict) -> None:
    """Store a verdict on a host, again after each of others on other hosts. Raises Conflict after several attempts."""
    await repeated(lambda: save_verdict(store, host, verdict))


HOST: Final[Noun[HostState]] = Noun(
    name="host",
    path="client-hosts/{host}",
    help="The host, such as app.example.",
    example="app.example",
    find=_find,
    save=_save,
    state=as_it_is(HostState),
    identity=lambda host: host.host,
)


@reading("app hosts", on=HOST, lists=True, rows="hosts", access=READ, title="List the hosts of clients")
async def list_hosts(by: Acting, _found: None, _query: None) -> HostStates:
    """List the hosts of clients that describe themselves by a document, and whether their clients are allowed."""
    return HostStates(await hosts_seen(by.means.store, by.means.settings))


@operation(
    "app host",
    on=HOST,
    api=("PUT", ""),
    access=OPERATOR,
    title="Decide on a host",
    button="Decide",
    id="decide_on_host",
    is_versioned=False,
)
async def decide(by: Acting, found: HostState, body: HostBody) -> Change[HostState]:
    """Allow or block the clients of a host, on all nodes at once. A block ends every login of its clients."""
    store = by.means.store
    _, verdicts = await read_verdicts(store)
    others = HostVerdicts(
        tuple(each for each in verdicts.allowed if each != found.host) + ((found.host,) * (body.verdict == "allow")),
        tuple(each for each in verdicts.blocked if each != found.host) + ((found.host,) * (body.verdict == "block")),
    )
    after = HostState(found.host, found.clients, body.verdict, accepts(others, found.host, by.means.settings))
    ends = body.verdict == "block" and found.clients > 0
    clients = "client" if found.clients == 1 else f"{found.clients:,} clients"
    ended = f" Every login of its {clients} has ended." if ends else ""
    return Change(
        after,
        effect=(lambda: end_logins_of_host(store, found.host, by.now)) if ends else None,
        said=f"{found.host}: {_TEXTS[body.verdict]}.{ended}",
    )


@members_of.register
def _of_host(host: HostState) -> dict[str, object]:
    return {"verdict": host.verdict}


async def end_logins_of_host(store: Store, host: str, now: Milliseconds) -> int:
    """End every login of the clients of a host; return how many clients it has.

    Raises Refused with 409, which names clients that others change at the same time and whose logins go on.
    """
    clients, kept = 0, []
    async for each in _clients_of(store, host):
        clients += 1
        if not await end_logins_of(store, each, now):
            kept.append(each.client_id)
    if kept:
        raise changed(
            f"{host} is blocked, but {len(kept)} of its {clients:,} clients were changed at the same time, and their logins "
            f"go on: {', '.join(kept[:_NAMED])}. Block it again."
        )
    return clients


def checked_host(text: str) -> str:
    """Return the name of a host in lower case; InvalidInput for another text."""
    host = text.strip().lower()
    if not _HOST(host):
        raise InvalidInput("A host is a name such as app.example, without scheme, port and path.", member="host")
    return host


async def _clients_of(store: Store, host: str) -> AsyncIterator[Application]:
    for start in (f"{_SCHEME}{host}/", f"{_SCHEME}{host}:"):  # without a port, and with one
        async for each in _clients(store, start):
            yield each


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
