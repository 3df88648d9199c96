"""The pushed authorization request endpoint (RFC 9126).

The client is authenticated, and its request is checked as at the authorization endpoint before a browser is involved. The
answer is a reference to the request, which the client sends with the browser.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from credence.identity.applications import is_unverified
from credence.oauth.authority import Authority
from credence.oauth.authorization.code import code_key
from credence.oauth.authorization.pushed import LIFETIME_SECONDS, MAX_CHARACTERS, keep, new_pushed, seal_pushed
from credence.oauth.authorization.request import PARAMETERS, Declined, Pairs, Parameters, UntrustedRequest, read_request
from credence.oauth.authorization.request_object import InvalidRequestObject
from credence.oauth.authorization.sources import parameters_to_push, prepare_keys, require_signed
from credence.oauth.client_authentication.authentication import authenticate_client, check_access, require_client
from credence.oauth.client_documents.remembering import requested_client
from credence.oauth.client_id_urls import UnusableDocument
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.sender_constraint import proven_key
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.credentials import WRONG_CLIENT
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import PUSHED_REQUEST, PUSHED_REQUEST_TOO_LONG
from credence.request_context import RequestContext
from credence.store.records import Application


class Pushed(NamedTuple):
    """The answer of the endpoint (RFC 9126 §2.2)."""

    request_uri: str
    expires_in: int
    """The lifetime of the request_uri in seconds."""


async def push_request(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, attributes: Attributes
) -> Pushed:
    """Push an authorization request.

    The application sends its authorization request itself, authenticated, and the browser brings only a reference (RFC
    9126). A DPoP proof binds the code to its key.

    Raises Refused in the order of the token endpoint (D3).
    """
    require_client(attributes)
    find = partial(requested_client, authority, rate_limiter, request)
    try:
        application = await authenticate_client(authority, rate_limiter, request, attributes, find=find)
    except UnusableDocument as unusable:
        request.enforce(await rate_limiter.limit_unauthenticated(request.address_prefix))
        raise Refused(WRONG_CLIENT, str(unusable)) from None
    if not request.proven or is_unverified(application):  # each is stored, and any caller may be such a client
        await rate_limiter.require_row("pushed", request.address_prefix)
    check_access(authority.settings, request, application, None)
    proven = await proven_key(authority, request, application)
    await prepare_keys(authority, application, Parameters(attributes.pushed), request.now)
    try:
        pairs = _readable(authority, application, attributes.pushed, proven, request)
    except UntrustedRequest as untrusted:
        raise Refused(PUSHED_REQUEST, untrusted.reason) from None
    except (InvalidRequestObject, Declined) as faulty:
        said = replace(PUSHED_REQUEST, oauth_error=faulty.error, description=faulty.description)
        raise Refused(said, faulty.reason) from None
    pushed = new_pushed(application.client_id, pairs, request.now)
    environment, secrets = authority.settings.environment.prefix, authority.secrets
    sealed = seal_pushed(environment, code_key(secrets.refresh), pushed)
    if len(sealed) > MAX_CHARACTERS:
        raise Refused(PUSHED_REQUEST_TOO_LONG, "pushed_request.too_long")
    uri = await keep(authority.store, environment, secrets.digest, pushed, sealed)
    return Pushed(uri, LIFETIME_SECONDS)


def _readable(
    authority: Authority, application: Application, sent: Pairs, proven: str | None, request: RequestContext
) -> tuple[tuple[str, str], ...]:
    """Return the parameters of the request, after checking that the authorization endpoint would accept them.

    A DPoP proof adds its key as `dpop_jkt`; a `dpop_jkt` in the request must name the same key (RFC 9449 §10.1).
    """
    if any(name == "request_uri" for name, _ in sent):  # RFC 9126 §2.1
        raise UntrustedRequest("pushed_request.request_uri")
    found, signed = parameters_to_push(authority, application, sent, request.now)
    pairs = tuple((name, value) for name, value in found if name in PARAMETERS and value)
    if not any(name == "client_id" for name, _ in pairs):
        pairs = (("client_id", application.client_id), *pairs)
    read = read_request(Parameters(pairs), application, authority.settings)
    require_signed(application, read, signed=signed)
    if proven is None or read.dpop_jkt == proven:
        return pairs
    if read.dpop_jkt is not None:
        raise UntrustedRequest("pushed_request.other_key")
    return (*pairs, ("dpop_jkt", proven))
