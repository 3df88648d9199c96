"""Hosts of unverified clients that operators allow or block while the service runs, next to the settings (D29, D30).

One shared value has all of them, so that every node decides alike. A host that the settings block stays blocked.
"""

from typing import Final, Literal

import msgspec

from credence.errors import InvalidInput
from credence.oauth.client_id_urls import accepts_host, host_of_client, is_among
from credence.settings import Settings
from credence.store.contract import Store

NAME: Final = "client_hosts"

MAX_HOSTS = 1_000

Verdict = Literal["allow", "block", "settings"]
"""`settings` means that the settings decide."""


class HostVerdicts(msgspec.Struct, frozen=True):
    """The hosts that operators have allowed or blocked."""

    allowed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()


async def read_verdicts(store: Store) -> tuple[int, HostVerdicts]:
    """Return the version of the stored verdicts, 0 before the first, and the verdicts."""
    found = await store.shared_value(NAME)
    return (0, HostVerdicts()) if found is None else (found[0], msgspec.json.decode(found[1], type=HostVerdicts))


async def save_verdict(store: Store, host: str, verdict: Verdict) -> None:
    """Store the verdict on a host, in place of an earlier one. Raises InvalidInput for too many hosts, Conflict."""
    version, found = await read_verdicts(store)
    allowed, blocked = ([each for each in names if each != host] for names in (found.allowed, found.blocked))
    if verdict != "settings":
        (allowed if verdict == "allow" else blocked).append(host)
    if len(allowed) + len(blocked) > MAX_HOSTS:
        raise InvalidInput(f"At most {MAX_HOSTS:,} hosts are decided on here: use CREDENCE_CLIENT_DOCUMENTS.")
    verdicts = HostVerdicts(tuple(sorted(allowed)), tuple(sorted(blocked)))
    await store.save_shared_value(NAME, version + 1, msgspec.json.encode(verdicts))


def accepts(verdicts: HostVerdicts, host: str, settings: Settings) -> bool:
    """Return whether clients with a document on this host are accepted."""
    if settings.client_documents == "off" or host in verdicts.blocked:
        return False
    if host in verdicts.allowed:
        return not is_among(host, settings.client_document_blocked_hosts)
    return accepts_host(host, settings)


async def accepts_client(store: Store, client_id: str, settings: Settings) -> bool:
    """Return whether a client with a document is accepted. One read of the store; raises StoreUnavailable."""
    if settings.client_documents == "off":
        return False
    _, verdicts = await read_verdicts(store)
    return accepts(verdicts, host_of_client(client_id), settings)
