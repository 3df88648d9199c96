"""Who acts by an access token: in the management API an operator (threats E13), elsewhere the application for itself."""

import asyncio
from collections.abc import Mapping
from functools import partial

from credence.api.public.health import health_of
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.operations.acting import Acting, Means
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.recorded import described


def acting_by_token(service: Service, request: RequestContext, bearer: Bearer) -> Acting:
    """Return the caller of a request with an access token."""
    client_id, account = bearer.application.client_id, bearer.account
    operator = account.username if account is not None else client_id
    return Acting(
        means_of(service),
        lambda: request.now,
        operator,
        Recording(service, request, operator, client_id),
        scopes=bearer.scopes,
        role=account.console_role if account is not None else None,
        signed_in_at=(bearer.claims.auth_time or bearer.claims.iat) * 1000 if account is not None else None,
    )


def acting_for_itself(service: Service, request: RequestContext, bearer: Bearer) -> Acting:
    """Return the application of an access token, which acts on what is its own; its acts are events of the request."""

    async def record(_line: Mapping[str, object]) -> None:
        """Write nothing: the answer has the event."""

    client_id = bearer.application.client_id
    return Acting(means_of(service), lambda: request.now, client_id, record, scopes=bearer.scopes, owns=client_id)


def means_of(service: Service) -> Means:
    """Return the parts of a running service with which operations act."""

    async def digest_key() -> bytes:
        return service.authority.secrets.digest

    async def read_authority() -> Authority:
        return authority

    authority = service.authority
    return Means(
        service.settings,
        authority.store,
        lambda: authority.keks,
        digest_key,
        read_authority,
        partial(health_of, service),
    )


class Recording:
    """Writes the audit lines of the acts of one request."""

    def __init__(self, service: Service, request: RequestContext, operator: str, through: str) -> None:
        self._service, self._request = service, request
        self._by = {"operator": operator, "through": through}

    async def __call__(self, line: Mapping[str, object]) -> None:
        """Write a line before its act. Raises Refused with 500 if that fails (threats F2)."""
        service, request = self._service, self._request
        fields = {**self._by, **line, **described(service.settings, request)}
        try:
            await asyncio.to_thread(service.audit.record_first, "operator", request.now, **fields)
        except OSError:
            raise Refused(INTERNAL, "manage.audit_unavailable") from None
