"""Finds the parameters of an authorization request: in the request itself, in a pushed request, or in a request object."""

from contextlib import suppress
from typing import NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.crypto.client_jws import read
from credence.crypto.jws import InvalidSignature
from credence.oauth import fapi
from credence.oauth.authority import Authority
from credence.oauth.authorization.code import code_key
from credence.oauth.authorization.pushed import URN, PushedRequest, read_pushed
from credence.oauth.authorization.redirect_uris import is_registered
from credence.oauth.authorization.request import (
    AuthorizationRequest,
    Declined,
    Pairs,
    Parameters,
    ReturnAddress,
    UntrustedRequest,
    read_request,
    return_address,
)
from credence.oauth.authorization.request_object import InvalidRequestObject, parameters_of_object
from credence.store.records import Application


class _Found(NamedTuple):
    parameters: Parameters
    pushed: PushedRequest | None = None
    signed: bool = False


def authorization_request(
    authority: Authority, application: Application | None, parameters: Parameters, arrived_at: Milliseconds
) -> AuthorizationRequest:
    """Return the authorization request in these parameters; raise UntrustedRequest or Declined for the first fault.

    `arrived_at` is when the request first arrived: what it refers to may expire while the person types.
    """
    if application is None or application.disabled:
        raise UntrustedRequest("authorization.client_unknown")
    found = _found(authority, application, parameters, arrived_at)
    request = read_request(found.parameters, application, authority.settings)
    if found.pushed is None:
        if fapi.needs_pushed_requests(application):
            description = "The request must be pushed (RFC 9126)."
            raise Declined("invalid_request", description, return_address(request), "authorization.not_pushed")
        require_signed(application, request, signed=found.signed)
        return request
    return msgspec.structs.replace(request, pushed=found.pushed)


async def prepare_keys(
    authority: Authority, application: Application, parameters: Parameters, now: Milliseconds
) -> None:
    """Fetch the keys that verify this request's object, if the application publishes them at an address."""
    if application.keys_uri is None or application.disabled:
        return
    texts = parameters.given("request")
    if len(texts) != 1:
        return
    with suppress(InvalidSignature):
        await authority.client_keys.prepare(application, read(texts[0]), now)


def redirect_uri_of(
    authority: Authority, application: Application, parameters: Parameters, arrived_at: Milliseconds
) -> str | None:
    """Return the redirect URI of a request, even of a faulty one; an error page names its host."""
    try:
        uris = _found(authority, application, parameters, arrived_at).parameters.all("redirect_uri")
        return uris[-1] if uris else None
    except (UntrustedRequest, Declined):
        return None


def parameters_to_push(
    authority: Authority, application: Application, pairs: Pairs, now: Milliseconds
) -> tuple[Pairs, bool]:
    """Return the parameters of a request that is being pushed, and whether the client signed them.

    Raises InvalidRequestObject.
    """
    parameters = Parameters(pairs)
    if parameters.given("request"):
        return _of_object(authority, application, parameters, now), True
    return pairs, False


def require_signed(application: Application, request: AuthorizationRequest, *, signed: bool) -> None:
    """Raise Declined for an unsigned request of an application that signs all of them (RFC 9101 §10.5)."""
    if application.signed_requests_required and not signed:
        description = "The request must be signed (RFC 9101)."
        raise Declined("invalid_request", description, return_address(request), "authorization.not_signed")


def _found(authority: Authority, application: Application, parameters: Parameters, arrived_at: Milliseconds) -> _Found:
    uris = parameters.given("request_uri")
    if len(uris) == 1 and uris[0].startswith(URN):
        pushed = _pushed(authority, application, uris[0], arrived_at)
        return _Found(Parameters(pushed.pairs), pushed)
    if not uris and parameters.given("request"):
        try:
            pairs = _of_object(authority, application, parameters, arrived_at)
        except InvalidRequestObject as invalid:
            raise _declined(application, parameters, invalid) from None
        return _Found(Parameters(pairs), signed=True)
    return _Found(parameters)


def _pushed(authority: Authority, application: Application, uri: str, arrived_at: Milliseconds) -> PushedRequest:
    """Return the pushed request of this client. Other parameters in the browser's URL are ignored (RFC 9126 §4)."""
    settings, key = authority.settings, code_key(authority.secrets.refresh)
    pushed = read_pushed(settings.environment.prefix, key, uri)
    if pushed is None:
        raise UntrustedRequest("authorization.request_uri_unknown")
    if pushed.client_id != application.client_id:
        raise UntrustedRequest("authorization.request_uri_of_another")
    if arrived_at >= pushed.expires_at:
        raise UntrustedRequest("authorization.request_uri_expired")
    return pushed


def _of_object(authority: Authority, application: Application, parameters: Parameters, at: Milliseconds) -> Pairs:
    texts = parameters.given("request")
    if len(texts) != 1:
        raise InvalidRequestObject("request_object.malformed")
    keys = authority.client_keys.keys_of(application)
    return parameters_of_object(texts[0], application, keys, authority.settings.issuer, at)


def _declined(
    application: Application, parameters: Parameters, invalid: InvalidRequestObject
) -> Declined | UntrustedRequest:
    """Return the answer to an invalid object in a browser: at the redirect URI outside it, if that is a registered one."""
    uris = parameters.given("redirect_uri")
    if len(uris) != 1 or not is_registered(application, uris[0]):
        return UntrustedRequest(invalid.reason)
    to = ReturnAddress(uris[0], "query", next(iter(parameters.given("state")), None))
    return Declined(invalid.error, invalid.description, to, invalid.reason)
