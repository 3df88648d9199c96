"""Creates invitations for the command line and the management API (RFC 7591 §3, D30)."""

import msgspec
from msgspec import UNSET

from credence.clock import Milliseconds, rfc3339
from credence.management.application_fields import read
from credence.management.service_schema import InvitationBody, InvitationState
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.registration.invitation import Invitation, new_invitation, write

USUAL_GRANTS = ("client_credentials",)


def invitation_of(body: InvitationBody, now: Milliseconds) -> Invitation:
    """Return a new invitation; InvalidInput for an unknown or impossible grant, scope or resource."""
    given = {name: getattr(body, name) for name in ("grants", "scopes", "audiences")}
    limits = read({name: value for name, value in given.items() if value is not UNSET})
    return new_invitation(
        now + body.expires_in * 1000,
        body.uses,
        limits.get("grants", USUAL_GRANTS),
        limits.get("scopes", tuple(SCOPES)),
        limits.get("audiences", ()),
    )


def state_of(invitation: Invitation, environment: str, key: bytes) -> InvitationState:
    """Return the invitation with its token, which is stored nowhere."""
    return InvitationState(
        uses=invitation.uses,
        expires_at=rfc3339(invitation.expires_at),
        grants=list(invitation.grants),
        scopes=list(invitation.scopes),
        audiences=list(invitation.audiences),
        initial_access_token=write(environment, key, invitation),
    )


def without_token(state: InvitationState) -> InvitationState:
    """Return the invitation without its token, for a preview."""
    return msgspec.structs.replace(state, initial_access_token=UNSET)
