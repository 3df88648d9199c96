"""Runs the doctor on a node of the deployment that it examines (`credence doctor`, D30)."""

import asyncio
import ssl
from pathlib import Path

from credence.clock import Milliseconds
from credence.doctor.examination import examine, without_pkce
from credence.doctor.finding import Finding
from credence.doctor.site import Site
from credence.settings import Environment, Settings
from credence.store.contract import Store
from credence.tls import authority_file


def own_authority(settings: Settings) -> Path | None:
    """Return the path of the sandbox's own CA certificate, if the deployment serves with a certificate issued by it."""
    file = authority_file(settings.tls_folder)
    own = settings.environment is Environment.SANDBOX and not settings.own_tls
    return file if own and file.exists() else None


_TURN = asyncio.Lock()


async def examined(settings: Settings, store: Store, now: Milliseconds) -> list[Finding]:
    """Return the findings about the public address of the deployment, and about its applications.

    An examination takes seconds; only one runs at a time.
    """
    async with _TURN:
        found = await asyncio.to_thread(_examine_itself, settings, now)
    return [*found, without_pkce(await store.applications())]


def _examine_itself(settings: Settings, now: Milliseconds) -> list[Finding]:
    trust = ssl.create_default_context(cafile=own_authority(settings))
    return list(examine(Site(settings.issuer, trust), now))
