"""The operation that revokes a token for its holder (D6, D7, D11)."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from credence.management.tokens import owner_of
from credence.meanings import Input, meaning
from credence.oauth.revoke import revoke as revoke_token
from credence.operations.accounts import ACCOUNT, SUPPORT
from credence.operations.acting import Acting, require_changeable, require_scopes
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN

MAX_TOKEN_CHARACTERS: Final = 8_192


class TokenBody(Struct, forbid_unknown_fields=True):
    """A token."""

    token_value: Annotated[
        str,
        Meta(min_length=1, max_length=MAX_TOKEN_CHARACTERS),
        meaning("An access token or refresh token of this deployment.", example="<ACCESS_TOKEN>"),
        Input("The token, or - to read it from standard input.", argument=True, piped=True, label="Token", hint=""),
    ]


class RevokedToken(Struct):
    """A token that is revoked."""

    revoked: Annotated[bool, meaning("Always true.")]
    client_id: Annotated[str, meaning("The application that it was issued to.", example="<CLIENT_ID>")]


TOKEN: Final[Noun[RevokedToken]] = Noun(name="token", path="tokens", state=as_it_is(RevokedToken))


@operation(
    "token revoke",
    on=TOKEN,
    api=("POST", "revoke"),
    access=SUPPORT,
    title="Revoke a token",
    button="Revoke",
    id="manage_revoke_token",
    makes=True,
    dangerous=True,
)
async def revoke(by: Acting, _found: None, body: TokenBody) -> Change[RevokedToken]:
    """Revoke a token. A refresh token ends its login, an access token only itself. It is neither stored nor logged."""
    authority = await by.means.read_authority()
    owner = await owner_of(authority, body.token_value, by.now)
    application = await by.means.store.application(owner.client_id)
    account = await by.means.store.account(owner.username)
    if application is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    require_scopes(by, frozenset(application.scopes or ()))
    require_changeable(by, application, None)
    if account is not None:
        ACCOUNT.require_reach(by, account, None)
    revoked, said = RevokedToken(True, owner.client_id), f"The token of {application.name} is revoked."
    if not owner.is_valid:
        return Change(None, unchanged=revoked, said=f"{said[:-1]} or has expired already.")
    named = {"application": owner.client_id, **({"account": account.username} if account else {})}
    return Change(
        revoked, effect=lambda: revoke_token(authority, application, body.token_value, by.now), named=named, said=said
    )


@members_of.register
def _of_token(_token: RevokedToken) -> dict[str, object]:
    return {}
