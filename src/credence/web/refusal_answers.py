"""Answers a refused request: status, format and header fields of the answer, and what is recorded of it (D3, D8)."""

from credence.ratelimit.limiter import NO_USAGE
from credence.refusals.refusal import Refusal, Refused
from credence.refusals.requests import FORM_CHARSET, FORM_UNSUPPORTED, METHOD_NOT_ALLOWED, SPIKE_ARREST
from credence.refusals.resources import RESOURCE_ERRORS
from credence.request_context import RequestContext, ResponseFormat
from credence.service import Service
from credence.sign_in.browser import pages
from credence.web import audit
from credence.web.challenges import challenges
from credence.web.dialects.media import answer_media_type
from credence.web.dialects.writer import explanation, house_format, refusal_answer
from credence.web.messages.answer import Answer
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
