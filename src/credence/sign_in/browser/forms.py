"""Reads the query and the form of a page request strictly, but with any parameters that applications send."""

from functools import lru_cache
from urllib.parse import urlencode

from credence.oauth.authorization.request import Pairs, Parameters
from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.request_context import RequestContext
from credence.web.dialects.form import parse_form
from credence.web.dialects.media import MediaType, body_media_type

MAX_PAIRS = 60


def query_pairs(request: RequestContext) -> Pairs:
    """Return the parameters of the query in order. Raises Refused if the query is malformed."""
    return parameters_of(query_text(request))


def query_text(request: RequestContext) -> str:
    """Return the query as received, form-encoded."""
    return request.query.decode("latin-1")


def form_pairs(request: RequestContext) -> Pairs:
    """Return the parameters of the form in order. Raises Refused if the body is not a form."""
    if body_media_type(request.headers) is not MediaType.FORM:
        raise Refused(THREAT, "form.syntax")
    return _pairs(request.body)


def form_values(request: RequestContext) -> dict[str, str]:
    """Return the fields of one of our own forms. Raises Refused if a name occurs twice."""
    pairs = form_pairs(request)
    values = dict(pairs)
    if len(values) != len(pairs):
        raise Refused(THREAT, "form.repeated")
    return values


@lru_cache(maxsize=64)
def parameters_of(query: str) -> Pairs:
    """Return the parameters of a query in order. Raises Refused if the query is malformed.

    The result is cached, because several steps of one request read it.
    """
    return tuple(_pairs(query.encode("latin-1")))


@lru_cache(maxsize=64)
def indexed(query: str) -> Parameters:
    """Return the parameters of a query by name. Raises Refused if the query is malformed."""
    return Parameters(parameters_of(query))


def written(pairs: Pairs) -> str:
    """Return the parameters as a query, form-encoded."""
    return urlencode(list(pairs))


def _pairs(data: bytes) -> Pairs:
    form = parse_form(data)
    if not form.well_formed or len(form.pairs) > MAX_PAIRS or b"\0" in data or b"%00" in data:
        raise Refused(THREAT, "form.syntax")
    return form.pairs
