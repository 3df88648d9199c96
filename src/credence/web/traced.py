"""The span of a request: its route, status and id, in the trace, the log and the answer. Used only if traces are on."""

from collections.abc import Awaitable, Callable

from credence.request_context import RequestContext
from credence.request_log.record import METHODS
from credence.service import Service
from credence.telemetry.counts import NO_ROUTE
from credence.telemetry.traces import Traces, describe, trace_id, trace_response
from credence.web.messages.answer import Answer
from credence.web.pipeline import ReadBody

AnswerRequest = Callable[[Service, RequestContext, ReadBody], Awaitable[Answer]]

OTHER_METHOD = "_OTHER"
"""The method in the span of a request with an unknown method (semantic conventions of OpenTelemetry)."""


def traced(answer: AnswerRequest, traces: Traces) -> AnswerRequest:
    """Return `answer` wrapped in a span.

    The span has no path, parameters and addresses, because they may identify people.
    """

    async def answer_in_span(service: Service, request: RequestContext, read_body: ReadBody) -> Answer:
        method = request.method if request.method in METHODS else OTHER_METHOD
        known = {"http.request.method": method, "credence.request_id": request.request_id}
        with traces.request(method, request.peer, request.raw_headers, known) as span:
            request.trace_id = trace_id(span)
            answered = await answer(service, request, read_body)
            route = request.route_path or NO_ROUTE
            client = {"credence.application": request.client_id} if request.client_id else {}
            describe(span, f"{method} {route}", answered.status, {"http.route": route, **client})
            return answered._replace(headers=(*answered.headers, ("traceresponse", trace_response(span))))

    return answer_in_span
