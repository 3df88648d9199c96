"""Changes an application by a command: reads it, checks the change, writes the audit line, and saves it (D30)."""

import asyncio
from collections.abc import Callable

import msgspec

from credence.cli.deployment import application_of, opened, record, time_of
from credence.clock import Milliseconds
from credence.deployment import key_encryption_keys
from credence.management.applications import publish_keys, require_offered
from credence.management.protected import require_changeable
from credence.operations.audit_changes import changes
from credence.settings import Settings
from credence.store.records import Application


def change_application(
    settings: Settings, act: str, client_id: str, change: Callable[[Application, Milliseconds], Application]
) -> tuple[Application, Milliseconds]:
    """Return the application as it is after `change`, and the time of the store.

    `act` is the name of the command. Nothing is saved or written to the audit trail if nothing differs. Raises NotFound,
    InvalidInput, and Protected for a field that a site of the service needs.
    """

    async def run() -> tuple[Application, Milliseconds]:
        async with opened(settings) as store:
            found = await application_of(store, client_id)
            now = time_of(store)  # read last: tokens issued while the command starts are revoked too
            wanted = change(found, now)
            require_changeable(found, wanted, settings, by_owner=True)
            if wanted == found:
                return found, now
            require_offered(settings, wanted)
            record(settings, act, changes(found, wanted), application=client_id)
            wanted = msgspec.structs.replace(wanted, version=found.version + 1)
            await publish_keys(store, key_encryption_keys(settings), settings, wanted, now)
            await store.save_application(wanted, now)
            return wanted, now

    return asyncio.run(run())
