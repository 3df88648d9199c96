"""The parts that all acts of the management API share: limits of the caller's rights, preview, audit line, answer."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from credence.identity.console_roles import role_reaches
from credence.management.protected import OwnerNeeded, Protected, require_changeable
from credence.management.reach import may_hand_on
from credence.oauth.bearer import Bearer
from credence.oauth.parameters.scopes import MANAGE_SCOPES
from credence.operations.audit_changes import NO_CHANGES, Changes
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import Account, Application
from credence.web.messages.answer import JSON, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.recorded import record_act
from credence.web.resource_api.preconditions import require_match, tag_of

T = TypeVar("T", Account, Application)

_encode = msgspec.json.Encoder().encode


def require_reach(service: Service, bearer: Bearer, found: Application, wanted: Application) -> None:
    """Raise Refused if the caller may not make this change of an application (threats E13).

    403 if it has, or would get, more rights to this service than the token: a caller who can make a secret for it, or
    change its redirect URIs, gets the rights of its tokens. 403 or 409 for what is protected (`management/protected.py`).
    """
    for application in (found, wanted):
        require_reach_of_scopes(bearer, application.scopes or ())
    _require_changeable(service, bearer, found, wanted)


def require_reach_of_scopes(bearer: Bearer, scopes: Iterable[str]) -> None:
    """Raise Refused with 403 if a `manage:*` scope is one that the token lacks, or that its person may not grant."""
    scopes = frozenset(scopes)
    if bearer.account is not None and not may_hand_on(bearer.account.console_role, scopes):
        raise Refused(INSUFFICIENT_SCOPE, "manage.role")
    if not bearer.scopes.issuperset(scopes.intersection(MANAGE_SCOPES)):
        raise Refused(INSUFFICIENT_SCOPE, "manage.reach")


def require_reach_of_account(service: Service, bearer: Bearer, found: Account, wanted: Account | None = None) -> None:
    """Raise Refused with 403 if the caller may not make this change, or an act that changes no field (threats E13).

    A person acts on no account with a stronger console role, and only an owner on what is protected of an owner's account.
    """
    if bearer.account is not None and not role_reaches(bearer.account.console_role, found.console_role):
        raise Refused(INSUFFICIENT_SCOPE, "manage.role")
    _require_changeable(service, bearer, found, wanted)


def _require_changeable(service: Service, bearer: Bearer, found: T, wanted: T | None) -> None:
    by_owner = bearer.account is not None and role_reaches(bearer.account.console_role, "owner")
    try:
        require_changeable(found, wanted, service.settings, by_owner=by_owner)
    except Protected as error:
        raise Refused(because(RESOURCE_CHANGED, str(error)), "manage.protected") from None
    except OwnerNeeded as error:
        raise Refused(because(INSUFFICIENT_SCOPE, str(error)), "manage.owner") from None


async def record(
    service: Service,
    request: RequestContext,
    bearer: Bearer,
    act: str,
    changed: Changes = NO_CHANGES,
    **fields: str,
) -> None:
    """Write the audit line of an act of the management API before the act and after its checks."""
    through = bearer.application.client_id
    operator = bearer.account.username if bearer.account else through
    await record_act(service, request, operator, through, act, changed, **fields)


def shown(state: object, status: int = 200, headers: Headers = (), **secret: str | None) -> Answer:
    """Return a resource as an answer with its entity tag. `secret` is a member that only this answer has, if it is not None.

    The tag is computed without the secret, so that it is valid for the next change.
    """
    tag = tag_of(_encode(state))
    for name, value in secret.items():
        if value is not None:
            setattr(state, name, value)
    return Answer(status, JSON, _encode(state), (NO_STORE, ("etag", tag), *headers))


def require_version(request: RequestContext, state: object) -> None:
    """Raise Refused unless If-Match has the entity tag of this state: 428 without If-Match, 412 for another tag."""
    require_match(request, tag_of(_encode(state)))
