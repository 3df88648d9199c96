"""Answers a refused request: status, format and header fields of the answer, and what is recorded of it (D3, D8).

WWW-Authenticate follows RFC 6749 §5.2, RFC 6750 §3, RFC 9449 §7.1 and RFC 9728 §5.1 (D9, D20).
"""

from credence.oauth.dpop.proof import ALGORITHMS
from credence.oauth.endpoints.metadata import metadata_url
from credence.oauth.parameters.scopes import API_SCOPES
from credence.ratelimit.limiter import NO_USAGE
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
from credence.refusals.refusal import Refusal, Refused
from credence.refusals.registration import REGISTRATION_TOKEN_INVALID
from credence.refusals.requests import FORM_CHARSET, FORM_UNSUPPORTED, METHOD_NOT_ALLOWED, SPIKE_ARREST
from credence.refusals.resources import RESOURCE_ERRORS
from credence.request_context import RequestContext, ResponseFormat
from credence.service import Service
from credence.settings import Settings
from credence.sign_in.browser import pages
from credence.web import audit
from credence.web.dialects.writer import explanation, house_format, refusal_answer
from credence.web.messages.answer import Answer, Headers
from credence.web.messages.request import answer_media_type
from credence.web.route_lookup import allowed_methods
from credence.web.routing.route import Protection, Route


def answer_refusal(service: Service, request: RequestContext, route: Route | None, refused: Refused) -> Answer:
    """Return the answer to a refused request; `route` is None if none was found."""
    refusal = refused.refusal
    request.client_id = refused.application or request.client_id
    headers = []
    if refusal is METHOD_NOT_ALLOWED and route is not None:
        headers.append(("allow", ", ".join(allowed_methods(route.path))))  # RFC 9110 §15.5.6
    if refusal is SPIKE_ARREST or (refusal.status == 429 and refused.retry_after is not None):
        headers.append(("retry-after", str(refused.retry_after or 1)))
    elif route is not None and route.protection is Protection.CLIENT:
        request.usage = NO_USAGE  # the usage would reveal to an unauthenticated caller how busy an account is
    headers += challenges(request, route, refused, service.settings)
    if service.shows_reasons:
        headers.append(("x-reason", refused.reason))
        headers.append(("link", f'<{explanation(service.settings, refused.reason)}>; rel="help"'))
    if _is_for_a_person(request, route, refusal) or (route is None and _reads_pages(request)):
        answered = pages.refusal(service.settings, refused, request.request_id)
    elif route is not None and _is_opened_by_a_person(request):
        answered = pages.refusal_of_api(service.settings, refused, allowed_methods(route.path), request.request_id)
    else:
        answered = None
    if answered is not None:
        answered = answered._replace(headers=(*answered.headers, *headers))
        return record_refusal(service, request, refused, answered)
    answered = refusal_answer(
        refusal,
        request.response_format or _early_response_format(request, refusal),
        service.settings,
        *headers,
        reason=refused.reason if service.shows_reasons or _may_be_explained(request, refusal) else None,
        request_id=request.request_id,
    )
    return record_refusal(service, request, refused, answered)


def record_refusal(service: Service, request: RequestContext, refused: Refused, answered: Answer) -> Answer:
    """Add the refusal to the request, the audit trail and the metrics, and return its answer."""
    request.reason = refused.reason
    request.username = refused.account or request.username
    audit.record_refusal(service, request, refused, answered.status)
    service.counts.refusals[refused.reason] += 1
    return answered


def _early_response_format(request: RequestContext, refusal: Refusal) -> ResponseFormat:
    """Return the format of a refusal before the endpoint is called, even if the header fields were not read (D8).

    A refused form also gets the members of RFC 6749, unless Accept prefers XML, which has no such format (D1).
    """
    fields = request.headers
    if not fields:
        fields = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.raw_headers}
    house = house_format(answer_media_type(fields))
    is_form = refusal in (FORM_UNSUPPORTED, FORM_CHARSET)
    return ResponseFormat.STANDARD if is_form and house is ResponseFormat.HOUSE_JSON else house


def _is_for_a_person(request: RequestContext, route: Route | None, refusal: Refusal) -> bool:
    """Return whether a refusal is answered by a page.

    A 405 is answered by a page only for GET: a person opened the address of a form.
    """
    if route is None or route.protection not in (Protection.BROWSER, Protection.PERSON):
        return False
    return refusal is not METHOD_NOT_ALLOWED or request.method == "GET"


def _reads_pages(request: RequestContext) -> bool:
    """Return whether a caller of an unknown path is a browser: it names HTML, which clients of the API do not."""
    accepted = (value.decode("latin-1") for name, value in request.raw_headers if name.lower() == b"accept")
    return request.method == "GET" and any(each.strip().startswith("text/html") for each in accepted)


def _is_opened_by_a_person(request: RequestContext) -> bool:
    """Return whether a person opened an address of the API in a browser, which says so (Fetch Metadata §2.3)."""
    navigates = any(
        name.lower() == b"sec-fetch-mode" and value.lower() == b"navigate" for name, value in request.raw_headers
    )
    return navigates and _reads_pages(request)


def _may_be_explained(request: RequestContext, refusal: Refusal) -> bool:
    """Return whether a problem detail has its reason code.

    An unauthenticated caller gets none, because the reason could help an attacker.
    """
    return request.response_format is ResponseFormat.PROBLEM and request.proven and refusal.name in RESOURCE_ERRORS


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
