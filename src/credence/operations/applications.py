"""Operations on applications (D15, D25, D30)."""

import msgspec

from credence.clock import Milliseconds
from credence.management.applications import publish_keys, require_offered, state_of
from credence.management.schema import ApplicationState
from credence.operations.acting import Acting, Means, require_changeable, require_scopes
from credence.operations.operation import Noun
from credence.store.records import Application


async def _find(means: Means, client_id: str) -> Application | None:
    return await means.store.application(client_id)


def _state(application: Application, _now: Milliseconds) -> ApplicationState:
    return state_of(application)


async def _save(by: Acting, found: Application | None, wanted: Application) -> None:
    """Publish the keys of its algorithms, then save it (D13)."""
    version = 1 if found is None else found.version + 1
    await publish_keys(by.means.store, by.means.read_keks(), by.means.settings, wanted, by.now)
    await by.means.store.save_application(msgspec.structs.replace(wanted, version=version), by.now)


def _require_reach(by: Acting, found: Application | None, wanted: Application | None) -> None:
    for each in (found, wanted):
        require_scopes(by, frozenset(each.scopes or ()) if each is not None else frozenset())
    if found is not None:
        require_changeable(by, found, wanted)


def _check(means: Means, wanted: Application) -> None:
    require_offered(means.settings, wanted)


APPLICATION: Noun[Application] = Noun(
    "application",
    "applications/{client_id}",
    "The application's client_id.",
    _find,
    _state,
    _save,
    lambda found: found.client_id,
    "<CLIENT_ID>",
    _require_reach,
    _check,
    owner=lambda found: found.owner,
)
