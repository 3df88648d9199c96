"""/oauth2/v1/register: reads registration requests and writes their answers (RFC 7591, RFC 7592)."""

from collections.abc import Callable, Mapping

import msgspec

from credence import paths
from credence.oauth.endpoints import registration
from credence.oauth.registration.client_metadata import metadata_of
from credence.oauth.registration.registering import Registered
from credence.refusals.refusal import Refused
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.dialects.access_token import BEARER, credentials_of
from credence.web.dialects.media import MediaType, body_media_type
from credence.web.dialects.reader import read_screened_json
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE

UNSCREENED = frozenset(
    {
        *("n", "e", "x", "y", "x5c"),
        *("redirect_uris", "post_logout_redirect_uris", "backchannel_logout_uri", "jwks_uri", "policy_uri", "tos_uri"),
    }
)
"""Members that are not screened (D17): members of keys that are base64, and addresses, which have rules of their own."""


async def register_application(service: Service, request: RequestContext) -> Answer:
    """Register an application (RFC 7591 §3.1)."""
    made = await registration.register(
        service.authority, service.rate_limiter, request, _token(request), _members(service, request)
    )
    return _answer(service, made, 201, "registered")


async def read_registration(service: Service, request: RequestContext) -> Answer:
    """Return the registration of the application (RFC 7592 §2.1)."""
    return _answer(service, await registration.read(service.authority, service.rate_limiter, request, _token(request)))


async def change_registration(service: Service, request: RequestContext) -> Answer:
    """Replace the metadata of the application (RFC 7592 §2.2)."""
    made = await registration.change(
        service.authority, service.rate_limiter, request, _token(request), _members(service, request)
    )
    return _answer(service, made, event="registration_changed")


async def end_registration(service: Service, request: RequestContext) -> Answer:
    """Disable the application at its own request (RFC 7592 §2.3)."""
    await registration.end(service.authority, service.rate_limiter, request, _token(request))
    return Answer(204, "", b"", (NO_STORE,), ("registration_ended",))


def _token(request: RequestContext) -> str | None:
    """Return the initial or registration access token (RFC 7591 §3, RFC 7592 §2)."""
    credentials = credentials_of(request.headers, BEARER)
    return credentials.token if credentials else None


def _members(service: Service, request: RequestContext) -> Callable[[], Mapping[str, object]]:
    def read() -> Mapping[str, object]:
        if body_media_type(request.headers) is not MediaType.JSON:
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
        return read_screened_json(request.body, service.limits, UNSCREENED)

    return read


def _answer(service: Service, made: Registered, status: int = 200, event: str | None = None) -> Answer:
    """Return the client information response (RFC 7591 §3.2.1, RFC 7592 §3). Times are in seconds."""
    application = made.application
    members: dict[str, object] = {
        "client_id": application.client_id,
        "client_id_issued_at": application.created_at // 1000,
        **metadata_of(application),
    }
    if made.token is not None:
        members |= {
            "registration_access_token": made.token,
            "registration_client_uri": f"{service.settings.issuer}{paths.REGISTRATION}/{application.client_id}",
        }
    if made.secret is not None:
        members |= {"client_secret": made.secret, "client_secret_expires_at": 0}
    return Answer(status, JSON, msgspec.json.encode(members), (NO_STORE,), (event,) if event else ())
