"""The header field that counts the ignored parameters of a request, for the developer of a client (D21)."""

from msgspec import Struct

from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Headers


def ignored_parameters(service: Service, request: RequestContext, known: type[Struct]) -> Headers:
    """In the sandbox, return the field with the number of parameters that are no member of `known`, unless it is zero.

    A client may have misspelt a parameter. The field contains nothing of the request.
    """
    count = len(request.parameters.keys() - set(known.__struct_encode_fields__))
    return (("x-ignored-parameters", str(count)),) if count and service.shows_reasons else ()
