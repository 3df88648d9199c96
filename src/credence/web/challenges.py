"""The WWW-Authenticate fields of refusals (D9, D20, RFC 6749 §5.2, RFC 6750 §3, RFC 9449 §7.1, RFC 9728 §5.1)."""

from credence.oauth.dpop.proof import ALGORITHMS
from credence.oauth.metadata.protected_resource import metadata_url
from credence.oauth.parameters.scopes import API_SCOPES
from credence.refusals.credentials import (
    AUTHENTICATION_FAILED,
    BEARER_MALFORMED,
    CLIENT_MISSING,
    INSUFFICIENT_AUTHENTICATION,
    INSUFFICIENT_SCOPE,
    INVALID_DPOP_PROOF,
    INVALID_TOKEN,
    USE_DPOP_NONCE,
    WRONG_CLIENT,
)
from credence.refusals.refusal import Refused
from credence.refusals.registration import REGISTRATION_TOKEN_INVALID
from credence.request_context import RequestContext, ResponseFormat
from credence.settings import Settings
from credence.web.messages.answer import Headers
from credence.web.routing.route import Protection, Route

_NAME = "www-authenticate"


def challenges(request: RequestContext, route: Route | None, refused: Refused, settings: Settings) -> Headers:
    """Return the WWW-Authenticate fields; empty if other credentials would not help."""
    if route is not None and route.protection is Protection.BEARER:
        return _of_api(
            request,
            refused,
            settings,
            f"{settings.issuer}{route.path}" if route.own_resource else None,
            described=route.resource is None,
        )
    if route is not None and route.protection is Protection.REGISTRATION:
        return _of_registration(refused)
    if refused.refusal in (CLIENT_MISSING, WRONG_CLIENT) and request.response_format is ResponseFormat.STANDARD:
        return ((_NAME, 'Basic realm="credence"'),)
    return ()


def _of_registration(refused: Refused) -> Headers:
    """Return the fields for a missing or invalid initial or registration access token (RFC 7591 §3.2.2, RFC 6750 §3.1)."""
    if refused.refusal is AUTHENTICATION_FAILED:
        return ((_NAME, "Bearer"),)
    if refused.refusal is REGISTRATION_TOKEN_INVALID:
        return ((_NAME, 'Bearer error="invalid_token"'),)
    return ()


def _of_api(
    request: RequestContext, refused: Refused, settings: Settings, own_resource: str | None, *, described: bool
) -> Headers:
    """Return a challenge for the scheme that was used (RFC 9449 §7.1), or for both if the request has no token.

    Without a token the challenge names no error (RFC 6750 §3.1), only the metadata of the resource. A resource of its
    own always names its metadata and scopes: agents have no other way to discover them (MCP, authorization). A resource
    that is not `described` has no metadata.
    """
    where = metadata_url(own_resource or settings.token_audience)
    about = [f'resource_metadata="{where}"'] if where and described else []
    if own_resource and refused.refusal is not INSUFFICIENT_SCOPE:
        about.append(f'scope="{" ".join(API_SCOPES)}"')
    if refused.refusal is AUTHENTICATION_FAILED:
        bearer = f"Bearer {', '.join(about)}" if about else "Bearer"
        return ((_NAME, f"{bearer}, DPoP {_ALGS}"),)
    error = _ERRORS.get(refused.refusal)
    if error is None:
        return ()
    parameters = [f'error="{error}"']
    if refused.refusal is INSUFFICIENT_SCOPE:
        parameters.append(f'scope="{request.required_scope}"')
    if refused.refusal is INSUFFICIENT_AUTHENTICATION:
        parameters += _required_sign_in(*request.required_sign_in)
    if own_resource:
        parameters += about
    if request.headers.get("authorization", "")[:5].lower() != "dpop ":
        return ((_NAME, f"Bearer {', '.join(parameters)}"),)
    return ((_NAME, f"DPoP {', '.join((*parameters, _ALGS))}"),)


def _required_sign_in(acr_values: str, max_age: int | None) -> list[str]:
    """Return the parameters with which the client sends the person to the authorization endpoint (RFC 9470 §3, §4)."""
    parameters = ['error_description="A stronger or more recent sign-in is required."']
    if acr_values:
        parameters.append(f'acr_values="{acr_values}"')
    if max_age is not None:
        parameters.append(f'max_age="{max_age}"')
    return parameters


_ALGS = f'algs="{" ".join(ALGORITHMS)}"'

_ERRORS = {
    BEARER_MALFORMED: "invalid_request",
    INVALID_TOKEN: "invalid_token",
    INSUFFICIENT_SCOPE: "insufficient_scope",
    INSUFFICIENT_AUTHENTICATION: "insufficient_user_authentication",
    INVALID_DPOP_PROOF: "invalid_dpop_proof",
    USE_DPOP_NONCE: "use_dpop_nonce",
}
"""Refusal -> `error` of a presented token (RFC 6750 §3.1, RFC 9449 §7.1, §9)."""
