"""POST /oauth2/v1/token (spec §4.1): the checks that every grant passes, in the one order of D3.

What comes before stands in the pipeline and the reader: method 405, sizes 401, media type 415, structure and patterns 401.
"""

from credence.http.callers import authenticate_client, check_access, require_client
from credence.http.request import Request
from credence.oauth.grants import GRANTS
from credence.oauth.grants.grant import Grant
from credence.oauth.issue import Issued
from credence.oauth.said import Said
from credence.refusals import ACCOUNT_NOT_ACTIVE, GRANT_NOT_ALLOWED, GRANT_UNKNOWN, Refused
from credence.service import Service
from credence.store.records import Application


async def obtain_token(service: Service, request: Request, said: Said) -> Issued:
    """Return the tokens that the request earned; Refused with the first reason in order (D3)."""
    require_client(said)  # 400
    grant = _grant(said)  # 400
    _require_attributes(grant, said)  # 400
    application = await authenticate_client(service, request, said)  # spike arrest 401, wrong client 401
    _require_allowed(grant, application)  # D25 400
    login = await grant.identify(service.authority, application, said, request.now)  # wrong user or token 401
    if login.account.status != "active":  # D14 401
        raise Refused(ACCOUNT_NOT_ACTIVE, f"account.{login.account.status}")
    check_access(service, request, application, login.account)  # 403
    return await grant.issue(service.authority, application, login, request.now)


def _grant(said: Said) -> Grant:
    grant = GRANTS.get(said.grant_type or _implied_grant(said))
    if grant is None:
        raise Refused(GRANT_UNKNOWN, "grant_type.unknown")
    return grant


def _implied_grant(said: Said) -> str:
    """Return what an absent grant_type means (D2); a request that says nothing is told about username and password."""
    if said.refresh_token and not (said.username or said.password):
        return "refresh_token"
    return "password"


def _require_attributes(grant: Grant, said: Said) -> None:
    if not all(getattr(said, name) for name in grant.needs):
        raise Refused(grant.missing, f"{grant.name}.attribute_missing")


def _require_allowed(grant: Grant, application: Application) -> None:
    if grant.name not in application.grants:
        raise Refused(GRANT_NOT_ALLOWED, "grant_type.not_allowed")
