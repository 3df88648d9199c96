"""The device authorization endpoint (RFC 8628 §3.1): a device requests its two codes."""

from typing import NamedTuple

import msgspec

from credence import paths
from credence.crypto.randomness import user_code
from credence.identity.applications import application_time
from credence.oauth.authority import Authority
from credence.oauth.authorization.code import code_key
from credence.oauth.client_authentication.authentication import authenticate_client, check_access, require_client
from credence.oauth.devices import (
    INTERVAL_SECONDS,
    LIFETIME_SECONDS,
    DeviceCode,
    shown_user_code,
    user_code_key,
    write_device_code,
)
from credence.oauth.grants.device_code import DEVICE_CODE
from credence.oauth.parameters import scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.tokens.refresh_token import new_family_id
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.grants import GRANT_NOT_ALLOWED, INVALID_AUTHORIZATION_DETAILS
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.contract import Conflict
from credence.store.devices import DeviceRequest

_ATTEMPTS = 5
"""Attempts to find an unused user code; with a thousand pending devices, five in a row are used once in 10^37 times."""


class DeviceAuthorization(NamedTuple):
    """The answer of the endpoint (RFC 8628 §3.2)."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    """The lifetime of the codes in seconds."""
    interval: int
    """The minimum interval between polls in seconds."""


async def authorize_device(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, attributes: Attributes
) -> DeviceAuthorization:
    """Connect a device without a browser.

    A device or a command line gets a code to show (RFC 8628). While the person enters it on another machine, the
    device polls the token endpoint with its own code.

    Raises Refused in the order of the token endpoint (D3).
    """
    require_client(attributes)
    application = await authenticate_client(authority, rate_limiter, request, attributes)
    if not request.proven:  # each is a row for ten minutes, and any caller may name a public client
        await rate_limiter.require_row("device", request.address_prefix)
    if DEVICE_CODE.name not in application.grants:
        raise Refused(GRANT_NOT_ALLOWED, "grant_type.not_allowed")
    check_access(authority.settings, request, application, None)
    if attributes.authorization_details is not None:  # the device sends them with its code, which narrows them further
        raise Refused(INVALID_AUTHORIZATION_DETAILS, "authorization_details.grant")
    scope = scopes.granted(attributes.scope, scopes.of_application(application))
    settings, now = authority.settings, request.now
    for resource in attributes.resources:
        scopes.audience_of_resources((resource,), application, settings)
    device_request = DeviceRequest(
        key=b"",
        client_id=application.client_id,
        scope=scope,
        resources=" ".join(attributes.resources),
        address=str(request.caller(settings.trusted_proxies)),
        created_at=now,
        expires_at=now + LIFETIME_SECONDS * 1000,
        pause=INTERVAL_SECONDS * 1000,
    )
    code, key = await _stored(authority, device_request)
    lifetime = application.refresh_token_lifetime or settings.refresh_token_lifetime_seconds
    family_id = new_family_id(application_time(application, now) + lifetime * 1000)
    carried = DeviceCode(application.client_id, key, family_id, device_request.expires_at)
    page = f"{settings.issuer}{paths.DEVICE}"
    return DeviceAuthorization(
        device_code=write_device_code(settings.environment.prefix, code_key(authority.secrets.refresh), carried),
        user_code=shown_user_code(code),
        verification_uri=page,
        verification_uri_complete=f"{page}?user_code={shown_user_code(code)}",
        expires_in=LIFETIME_SECONDS,
        interval=INTERVAL_SECONDS,
    )


async def _stored(authority: Authority, device_request: DeviceRequest) -> tuple[str, bytes]:
    """Store the request under a user code that no other device has, and return the code and its key."""
    for _ in range(_ATTEMPTS):
        code = user_code()
        key = user_code_key(authority.secrets.digest, code)
        try:
            await authority.store.add_device_request(msgspec.structs.replace(device_request, key=key))
        except Conflict:
            continue
        return code, key
    raise LookupError("no user code is free")
