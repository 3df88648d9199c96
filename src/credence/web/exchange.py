"""One exchange with a caller, from the first byte of the request to the answer."""

from collections.abc import Mapping, Sequence

from credence.identity.hashing_queue import Disconnected, never_disconnects
from credence.web.dialects.writer import ResponseFormat
from credence.web.messages.request import Trace
from credence.web.routing.route import Route

RawHeaders = Sequence[tuple[bytes, bytes]]


class Exchange:
    """One request on its way through the pipeline: what came, and how to answer it as far as that is known."""

    __slots__ = (
        "correlation_id",
        "fields",
        "gone",
        "headers",
        "method",
        "path",
        "peer",
        "query",
        "request_id",
        "response_format",
        "route",
        "trace",
    )

    def __init__(
        self,
        request_id: str,
        method: str,
        raw_path: bytes,
        query: bytes,
        headers: RawHeaders,
        peer: str,
        gone: Disconnected = never_disconnects,
    ) -> None:
        self.request_id = request_id
        self.method = method
        self.path = raw_path
        self.query = query
        self.headers = headers
        self.peer = peer
        self.gone = gone
        self.fields: Mapping[str, str] | None = None
        """The header fields by name, once they have been read."""
        self.correlation_id: str | None = None
        self.route: Route | None = None
        self.response_format: ResponseFormat | None = None
        """The format of the response; None before it is known, when the header fields decide (D8)."""
        self.trace = Trace()
