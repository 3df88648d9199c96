"""The operation with which a developer makes an application in the portal (D25, threats E13)."""

from typing import Annotated

import msgspec
from msgspec import Struct

from credence.management.developers import KINDS, MAX_NAME_CHARACTERS, make
from credence.meanings import Input
from credence.operations.acting import Acting
from credence.operations.applications import APPLICATION, OWN, with_secret
from credence.operations.operation import Change, operation
from credence.store.records import Application


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
