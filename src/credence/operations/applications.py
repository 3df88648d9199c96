"""Operations on applications: those that make them, and change what operators choose (spec §2.1, §5.1, D15, D25, D30)."""

from typing import Annotated, Final

import msgspec
from msgspec import Struct

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
from credence.management.developers import KINDS, MAX_APPLICATIONS, MAX_NAME_CHARACTERS, make
from credence.meanings import Input
from credence.oauth.parameters.scopes import MANAGE_APPLICATIONS
from credence.operations.acting import READ, Access, Acting, require_changeable, require_scopes
from credence.operations.operation import Change, Noun, operation, patching
from credence.operations.reading import listing, showing
from credence.store.records import Application
from credence.store.registry import APPLICATIONS

OPERATOR: Final = Access(MANAGE_APPLICATIONS, "operator")
OWN: Final = Access(MANAGE_APPLICATIONS, "operator", owner=True)
"""Operators with every application, and developers with their own."""


async def _state(_by: Acting, application: Application) -> ApplicationState:
    return state_of(application)


async def _publish_keys(by: Acting, after: Application) -> None:
    """Publish the keys of its algorithms (D13)."""
    await publish_keys(by.means.store, by.means.read_keks(), by.means.settings, after, by.now)


def _require_reach(by: Acting, found: Application | None, after: Application | None) -> None:
    for each in (found, after):
        require_scopes(by, frozenset(each.scopes or ()) if each is not None else frozenset())
    if found is not None:
        require_changeable(by, found, after)
    if after is not None and after is not found:
        require_offered(by.means.settings, after)


APPLICATION: Final[Noun[Application]] = Noun(
    name="application",
    path="applications/{client_id}",
    help="The application's client_id.",
    example="<CLIENT_ID>",
    kept=APPLICATIONS,
    prepare=_publish_keys,
    state=_state,
    require_reach=_require_reach,
    body_of=body_of,
    owners=lambda found: (found.owner,),
    most=MAX_APPLICATIONS,
)


list_applications = listing(
    APPLICATION,
    "app list",
    Applications,
    id="list_applications",
    columns=("client_id", "name", "disabled", "grants", "created_at"),
    access=READ,
    title="List applications",
    text="List the applications by client_id, in pages.",
)
read_application = showing(
    APPLICATION,
    "app show",
    id="read_application",
    access=READ,
    title="Read an application",
    text="Show an application. Of its secrets only the dates are shown.",
)


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
    after = configured_by(found, body, by.means.settings, by.now)
    return Change(after, said=f"{after.name} is {_what(found, after)}.")


def _what(found: Application, after: Application) -> str:
    if after.disabled == found.disabled and after != found:
        return "changed"
    return "disabled: it has no valid token" if after.disabled else "enabled"


change_application = patching(
    set_application,
    title="Change an application",
    text="A merge patch (RFC 7396); null gives a member its default. Disabling revokes the tokens.",
    id="change_application",
)


class OwnApplicationBody(Struct):
    """What a developer says of a new application."""

    name: Annotated[str, Input(hint=f"Shown to you and to your users. At most {MAX_NAME_CHARACTERS} characters.")]
    kind: Annotated[str, Input(choices=[(name, kind.text) for name, kind in KINDS.items()])]
    redirect_uris: Annotated[
        list[str],
        Input(
            label="Redirect URIs",
            hint="Where the browser returns after sign-in, such as http://localhost:5000/callback. Separate several with "
            "spaces. Leave empty for machine-to-machine.",
        ),
    ] = msgspec.field(default_factory=list)


@operation(
    "app create",
    on=APPLICATION,
    access=OWN,
    title="New application",
    button="Create application",
    makes=True,
    once=("client_secret",),
    site_only="developers",
    here_only="A developer chooses a kind in the portal; operators register applications with all their options.",
)
async def make_own_application(by: Acting, _found: None, body: OwnApplicationBody) -> Change[Application]:
    """Create an application and get its credentials, with a program that works. The type decides its grants."""
    owner = by.owns or by.operator
    return await with_secret(by, make(by.means.settings, owner, body.kind, body.name, body.redirect_uris, by.now))
