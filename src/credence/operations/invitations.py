"""Operations on invitations, with which applications register themselves (RFC 7591 §3, D30)."""

from dataclasses import replace
from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from credence.clock import rfc3339
from credence.management.application_fields import read
from credence.management.application_schema import GRANT, PKCE, PKCE_VALUES, RESOURCE, SCOPE
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.registration.invitation import MAX_LIFETIME_SECONDS, MAX_USES, Invitation, new_invitation, write
from credence.operations.acting import Acting, require_scopes
from credence.operations.applications import OPERATOR
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, operation

USUAL_GRANTS: Final = ("client_credentials",)
_LIVES: Final = (
    ("86400", "a day"),
    ("604800", "a week"),
    (str(MAX_LIFETIME_SECONDS), "thirty days"),
    ("3600", "an hour"),
)
Names = list[Annotated[str, Meta(max_length=2_048)]]


class InvitationBody(Struct, forbid_unknown_fields=True):
    """What an invitation allows."""

    uses: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_USES)],
        meaning("Applications that may register with it."),
        Input("Number of applications that may register with it.", label="Applications", hint=f"At most {MAX_USES}."),
    ] = 1
    expires_in: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_LIFETIME_SECONDS)],
        meaning("For how long it is valid.", unit="seconds", example=86400),
        Input("Seconds for which it is valid.", flag="--expires", label="Valid for", hint="", choices=_LIVES),
    ] = 86_400
    grants: Annotated[
        Names | UnsetType,
        meaning("The grants they may have; default: `client_credentials`."),
        replace(GRANT, default=", ".join(USUAL_GRANTS)),
    ] = UNSET
    scopes: Annotated[
        Names | UnsetType,
        meaning("The scopes they may have; default: all but `manage:*`."),
        SCOPE,
    ] = UNSET
    audiences: Annotated[
        Names | UnsetType,
        meaning("Further resources of their tokens; default: none."),
        RESOURCE,
    ] = UNSET
    pkce: Annotated[
        str | UnsetType,
        meaning("What their authorization requests need (D35); default: `or_nonce`.", values=PKCE_VALUES),
        PKCE,
    ] = UNSET


class InvitationState(Struct):
    """An invitation. The service keeps none; only its uses are counted."""

    uses: Annotated[int, meaning("Applications that may register with it.")]
    expires_at: Annotated[str, meaning("Until when it is valid.")]
    grants: Annotated[list[str], meaning("The grants they may have.")]
    scopes: Annotated[list[str], meaning("The scopes they may have.")]
    audiences: Annotated[list[str], meaning("Further resources of their tokens.")]
    pkce: Annotated[str, meaning("What their authorization requests need.", values=PKCE_VALUES)]
    initial_access_token: Annotated[
        str | UnsetType, meaning("The token to register with. Only this answer has it.", example="<TOKEN>")
    ] = UNSET


async def _state(_by: Acting, invitation: Invitation) -> InvitationState:
    return InvitationState(
        uses=invitation.uses,
        expires_at=rfc3339(invitation.expires_at),
        grants=list(invitation.grants),
        scopes=list(invitation.scopes),
        audiences=list(invitation.audiences),
        pkce=invitation.pkce,
    )


def _require_reach(by: Acting, _found: Invitation | None, changed: Invitation | None) -> None:
    require_scopes(by, frozenset(changed.scopes if changed is not None else ()))


INVITATION: Final[Noun[Invitation]] = Noun(
    name="invitation",
    path="invitations",
    state=_state,
    require_reach=_require_reach,
)


@operation(
    "app invite",
    on=INVITATION,
    api=("POST", ""),
    access=OPERATOR,
    title="Create an invitation",
    id="make_invitation",
    makes=True,
    once=("initial_access_token",),
)
async def invite(by: Acting, _found: None, body: InvitationBody) -> Change[Invitation]:
    """Create an initial access token that lets applications register themselves. It is shown once; its uses are counted.

    It limits the grants, scopes and resources of these applications, and says whether they need PKCE.
    """
    given = {name: getattr(body, name) for name in ("grants", "scopes", "audiences", "pkce")}
    limits = read({name: value for name, value in given.items() if value is not UNSET})
    made = new_invitation(
        by.now + body.expires_in * 1000,
        body.uses,
        limits.get("grants", USUAL_GRANTS),
        limits.get("scopes", tuple(SCOPES)),
        limits.get("audiences", ()),
        limits.get("pkce", "or_nonce"),
    )
    settings = by.means.settings
    token = write(settings.environment.prefix, await by.means.read_digest_key(), made)
    off = "" if settings.registration else " Registration is off: set CREDENCE_REGISTRATION=on before it is used."
    return Change(made, {"initial_access_token": token}, said=f"It is valid until {rfc3339(made.expires_at)}.{off}")


@members_of.register
def _of_invitation(invitation: Invitation) -> dict[str, object]:
    limits = {name: list(getattr(invitation, name)) for name in ("grants", "scopes", "audiences")}
    return {"uses": invitation.uses, "expires_at": rfc3339(invitation.expires_at), "pkce": invitation.pkce, **limits}
