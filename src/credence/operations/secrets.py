"""Operations on the client secrets of an application."""

from typing import Annotated, Final

from msgspec import Struct

from credence.identity import applications
from credence.management.application_schema import SecretBody
from credence.meanings import Input, meaning
from credence.operations.acting import Acting
from credence.operations.applications import APPLICATION, OWN
from credence.operations.operation import Change, operation
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_MALFORMED, RESOURCE_UNKNOWN
from credence.store.records import Application

_NO_SECRET: Final = because(RESOURCE_MALFORMED, "The application authenticates by other means: it has no secret.")


@operation(
    "app rotate-secret",
    on=APPLICATION,
    api=("POST", "secrets"),
    access=OWN,
    title="Create another secret",
    id="add_secret",
    once=("client_secret",),
    offered=applications.has_secret,
)
async def rotate_secret(by: Acting, found: Application, body: SecretBody) -> Change[Application]:
    """Add a secret, which is shown once. The newest of the old ones stays valid for a while, so that it can be deployed."""
    if not applications.has_secret(found):
        raise Refused(_NO_SECRET, "manage.no_secret")
    prefix, key = by.means.settings.environment.prefix, await by.means.read_digest_key()
    old_until = by.now + body.keep_old_seconds * 1000
    changed, secret = applications.rotate_secret(found, prefix, key, by.now, old_until)
    return Change(changed, {"client_secret": secret}, said=f"{found.name} has another secret.")


class SecretId(Struct):
    """Which secret ends."""

    secret: Annotated[str, meaning("Its `id`.", example="1795339800000"), Input(argument=True)]


@operation("app end-secret", on=APPLICATION, api=("DELETE", "secrets/{secret}"), access=OWN, title="End a secret")
async def end_secret(_by: Acting, found: Application, body: SecretId) -> Change[Application]:
    """End a secret at once: it is refused from now on. Tokens obtained with it stay valid."""
    text = body.secret
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else -1
    changed = applications.without_secret_of(found, number)
    if changed is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return Change(changed, said="The secret has ended.")
