"""Operations on applications: those that make them, and change what operators choose (spec §2.1, §5.1, D15, D25, D30)."""

from typing import Final

import msgspec

from credence.clock import Milliseconds
from credence.identity import applications
from credence.management.application_schema import ApplicationBody, Applications, ApplicationState
from credence.management.applications import (
    body_of,
    configured_by,
    new_application,
    publish_keys,
    require_offered,
    state_of,
)
from credence.management.developers import MAX_APPLICATIONS
from credence.oauth.parameters.scopes import MANAGE_APPLICATIONS
from credence.operations.acting import READ, Access, Acting, Means, require_changeable, require_scopes
from credence.operations.operation import Change, Noun, operation, patching, reading
from credence.operations.pages import Page, first_of
from credence.store.records import Application

OPERATOR: Final = Access(MANAGE_APPLICATIONS, "operator")
OWN: Final = Access(MANAGE_APPLICATIONS, "operator", owner=True)
"""Operators with every application, and developers with their own."""


async def _find(means: Means, client_id: str) -> Application | None:
    return await means.store.application(client_id)


def _state(application: Application, _now: Milliseconds) -> ApplicationState:
    return state_of(application)


async def _save(by: Acting, found: Application | None, wanted: Application) -> None:
    """Publish the keys of its algorithms, then save it (D13). Raises Full if a developer has too many."""
    version = 1 if found is None else found.version + 1
    await publish_keys(by.means.store, by.means.read_keks(), by.means.settings, wanted, by.now)
    most = MAX_APPLICATIONS if found is None and by.owns is not None else None
    await by.means.store.save_application(msgspec.structs.replace(wanted, version=version), by.now, most)


def _require_reach(by: Acting, found: Application | None, wanted: Application | None) -> None:
    for each in (found, wanted):
        require_scopes(by, frozenset(each.scopes or ()) if each is not None else frozenset())
    if found is not None:
        require_changeable(by, found, wanted)


def _check(means: Means, wanted: Application) -> None:
    require_offered(means.settings, wanted)


APPLICATION: Final[Noun[Application]] = Noun(
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
    body_of=body_of,
    owner=lambda found: found.owner,
)


@reading(
    "app list",
    api="applications",
    rows="applications",
    columns=("client_id", "name", "disabled", "grants", "created_at"),
    access=READ,
    title="List applications",
)
async def list_applications(by: Acting, _found: None, page: Page) -> Applications:
    """List the applications by client_id, in pages."""
    found = await by.means.store.applications(page.after, page.size + 1)
    entries, following = first_of(found, lambda each: each.client_id, page)
    return Applications([state_of(each) for each in entries], following)


@reading("app show", on=APPLICATION, access=READ, title="Read an application")
async def read_application(_by: Acting, found: Application, _query: None) -> ApplicationState:
    """Show an application. Its secrets appear by their dates only."""
    return state_of(found)


@operation(
    "app create",
    on=APPLICATION,
    api=("POST", ""),
    access=OPERATOR,
    title="Register an application",
    id="manage_register_application",
    makes=True,
    once=("client_secret",),
    again="app rotate-secret",
)
async def make_application(by: Acting, _found: None, body: ApplicationBody) -> Change[Application]:
    """Register an application. What is left out has its default. A client secret is shown once, here.

    An application may get a scope `manage:*` only by a token that has it.
    """
    return await with_secret(by, new_application(body, by.means.settings.environment.prefix, by.now))


async def with_secret(by: Acting, made: Application) -> Change[Application]:
    """Return the change that makes a new application, with its first secret if it has one."""
    advice = ""
    if "password" in made.grants:
        advice = " Its password grant is allowed, as the specification requires; RFC 9700 advises against that grant."
    if not applications.has_secret(made):
        return Change(made, said=f"{made.name} is registered.{advice}")
    prefix, key = by.means.settings.environment.prefix, await by.means.read_digest_key()
    made, secret = applications.with_first_secret(made, prefix, key, by.now)
    keep = "Keep its secret on servers: never in an app, a page or a repository."
    return Change(made, {"client_secret": secret}, said=f"{made.name} is registered. {keep}{advice}")


@operation(
    "app set",
    on=APPLICATION,
    api=("PUT", ""),
    access=OPERATOR,
    title="Replace an application",
    id="replace_application",
)
async def set_application(by: Acting, found: Application, body: ApplicationBody) -> Change[Application]:
    """Make everything that operators choose what the body says; what it leaves out gets its default."""
    wanted = configured_by(found, body, by.means.settings, by.now)
    return Change(wanted, said=f"{wanted.name} is {_what(found, wanted)}.")


def _what(found: Application, wanted: Application) -> str:
    if wanted.disabled == found.disabled and wanted != found:
        return "changed"
    return "disabled: it has no valid token" if wanted.disabled else "enabled"


change_application = patching(
    set_application,
    title="Change an application",
    text="A merge patch (RFC 7396); null gives a member its default. Disabling revokes the tokens.",
    id="change_application",
)
