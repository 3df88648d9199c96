"""GET /.well-known/ssf-configuration: where streams are made, and how they deliver (SSF 1.0 §7)."""

from typing import Annotated

import msgspec

from credence.oauth.endpoints.metadata import path_of
from credence.oauth.signals.schema import Configuration, configuration
from credence.refusals.refusal import Refused
from credence.refusals.requests import NOT_FOUND
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer
from credence.web.messages.caching import cacheable
from credence.web.routing.operation import Parameter

MAX_AGE_SECONDS = 3_600

_OF_ISSUER = Parameter("path", "path", "That of the issuer.", "risk")


async def signal_configuration(service: Service, request: RequestContext) -> Annotated[Answer, Configuration]:
    """Transmitter metadata.

    Where streams are made and which methods deliver (Shared Signals Framework 1.0 §7).

    Raises Refused with 404 for the path of another issuer.
    """
    if request.segment and f"/{request.segment}" != path_of(service.settings.issuer):
        raise Refused(NOT_FOUND, "path.unknown")
    return cacheable(request, msgspec.json.encode(configuration(service.settings)), MAX_AGE_SECONDS)


async def signal_configuration_with_path(
    service: Service, request: Annotated[RequestContext, _OF_ISSUER]
) -> Annotated[Answer, Configuration, NOT_FOUND]:
    """Transmitter metadata, with a path.

    The same where the issuer has a path of its own, which then follows here. Any other is a 404.
    """
    return await signal_configuration(service, request)
