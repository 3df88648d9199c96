"""Documentation of the parameters that JSON resources share."""

from credence.web.routing.operation import Parameter

_FLAG = {"type": "string", "enum": ["true", "false"]}

PREVIEW = Parameter("preview", "query", "Only answer what would be, and change nothing. Default: false.", schema=_FLAG)
IF_MATCH = Parameter("If-Match", "header", "The ETag of the version that was read; required for a change.", "*")
KEY = Parameter("Idempotency-Key", "header", "A repetition with it gets the first answer again, without its secrets.")
PAGE = (
    Parameter(
        "page_size",
        "query",
        "Entries of a page, at most 1,000. Default: 100.",
        schema={"type": "integer", "minimum": 1},
    ),
    Parameter("page_token", "query", "`next_page_token` of the page before."),
)
