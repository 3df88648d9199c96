"""Reads the query and the form of a page request, strictly, and as the parameters that people's applications send."""

from urllib.parse import urlencode

from credence.oauth.authorization.request import Pairs
from credence.refusals import THREAT, Refused
from credence.request_context import RequestContext
from credence.web.dialects.form import parse_form
from credence.web.dialects.media import Form, body_form

MAX_PAIRS = 60


def query_pairs(request: RequestContext) -> Pairs:
    """Return the parameters of the query in order; Refused when it is no query."""
    return _pairs(request.query)


def form_pairs(request: RequestContext) -> Pairs:
    """Return the parameters of the form in order; Refused when the body is no form."""
    if body_form(request.headers) is not Form.FORM:
        raise Refused(THREAT, "form.syntax")
    return _pairs(request.body)


def form_values(request: RequestContext) -> dict[str, str]:
    """Return the fields of one of our own forms, each of which has a name of its own."""
    pairs = form_pairs(request)
    values = dict(pairs)
    if len(values) != len(pairs):
        raise Refused(THREAT, "form.repeated")
    return values


def parameters_of(query: str) -> Pairs:
    """Return the parameters that `written` wrote."""
    return parse_form(query.encode()).pairs


def written(pairs: Pairs) -> str:
    """Return parameters as a query."""
    return urlencode(list(pairs))


def _pairs(data: bytes) -> Pairs:
    form = parse_form(data)
    if not form.well_formed or len(form.pairs) > MAX_PAIRS or any("\0" in name + value for name, value in form.pairs):
        raise Refused(THREAT, "form.syntax")
    return form.pairs
