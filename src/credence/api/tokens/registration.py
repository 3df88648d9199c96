"""/oauth2/v1/register: reads registration requests and writes their answers (RFC 7591, RFC 7592)."""

from collections.abc import Callable, Mapping
from typing import Annotated

import msgspec

from credence import paths
from credence.api.reference.described_bodies import BODIES
from credence.oauth.endpoints import registration
from credence.oauth.registration.client_metadata import metadata_of
from credence.oauth.registration.registering import Registered
from credence.refusals.refusal import Refused
from credence.refusals.registration import INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI, REGISTRATION_CHANGED
from credence.refusals.requests import FORBIDDEN, UNSUPPORTED_MEDIA_TYPE
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.dialects.access_token import BEARER, credentials_of
from credence.web.dialects.reader import read_screened_json
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import MediaType, body_media_type
from credence.web.routing.operation import Content, Parameter

UNSCREENED = frozenset(
    {
        *("n", "e", "x", "y", "x5c"),
        *("redirect_uris", "post_logout_redirect_uris", "backchannel_logout_uri", "jwks_uri", "policy_uri", "tos_uri"),
    }
)
"""Members that are not screened (D17): members of keys that are base64, and addresses, which have rules of their own."""


_BODY = Content(JSON, (BODIES["ClientMetadataBody"],))
_INFORMATION = BODIES["ClientInformation"]
_OF_APPLICATION = Parameter("client_id", "path", "The application's client_id.", "<CLIENT_ID>")
_OF_METADATA = (UNSUPPORTED_MEDIA_TYPE, INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI)


async def register_application(
    service: Service, request: Annotated[RequestContext, _BODY]
) -> Annotated[Answer, Content(JSON, (_INFORMATION,), status=201), *_OF_METADATA]:
    """Register an application.

    With an initial access token from the operator (`credence app invite`), which limits what may be registered (RFC 7591).
    Unknown members are ignored. Only this response contains the secret and the registration access token.
    """
    made = await registration.register(
        service.authority, service.rate_limiter, request, _token(request), _members(service, request)
    )
    return _answer(service, made, 201, "registered")


async def read_registration(
    service: Service, request: Annotated[RequestContext, _OF_APPLICATION]
) -> Annotated[Answer, _INFORMATION, FORBIDDEN]:
    """Read a registration.

    The metadata of the application (RFC 7592 §2.1), without its secret, which is not stored.
    """
    return _answer(service, await registration.read(service.authority, service.rate_limiter, request, _token(request)))


async def change_registration(
    service: Service, request: Annotated[RequestContext, _OF_APPLICATION, _BODY]
) -> Annotated[Answer, _INFORMATION, FORBIDDEN, *_OF_METADATA, REGISTRATION_CHANGED]:
    """Change a registration.

    Replaces all metadata: an absent member returns to its default (RFC 7592 §2.2). Values that the operator has set by
    command do not change, and a request with other values is refused. The response has a new registration access token;
    the previous one is no longer valid.
    """
    made = await registration.change(
        service.authority, service.rate_limiter, request, _token(request), _members(service, request)
    )
    return _answer(service, made, event="registration_changed")


async def end_registration(
    service: Service, request: Annotated[RequestContext, _OF_APPLICATION]
) -> Annotated[Answer, Content("", status=204), FORBIDDEN, REGISTRATION_CHANGED]:
    """End a registration.

    Disables the application and revokes its tokens (RFC 7592 §2.3). Its client_id is never assigned again.
    """
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
