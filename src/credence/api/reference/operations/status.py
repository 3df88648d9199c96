"""Documentation of the status lists."""

from credence.api.reference.operations.metadata_bodies import StatusListUris
from credence.api.reference.operations.tokens import TAG
from credence.oauth.status_lists.encoding import MEDIA_TYPE
from credence.refusals.requests import NOT_FOUND
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

STATUS_LIST = Operation(
    id="status_list",
    tag=TAG,
    summary="Status list",
    description=(
        "The revocation of a million access tokens, one bit each: a token whose `status` claim names this address is "
        "valid only while the bit at `idx` is 0. A signed JWT of draft-ietf-oauth-status-list; cache it for `ttl` seconds "
        "and never past `exp`."
    ),
    parameters=(
        Parameter(
            "list", "path", "The number of the list.", "0", {"type": "string", "pattern": "^(0|[1-9][0-9]{0,8})$"}
        ),
    ),
    answers=(Content(MEDIA_TYPE),),
    refusals=(NOT_FOUND,),
    cacheable=True,
)

STATUS_LISTS = Operation(
    id="status_lists",
    tag=TAG,
    summary="Every status list",
    description="The URIs of all lists, for verifiers that fetch them in advance.",
    answers=(
        Content(
            JSON,
            (StatusListUris,),
            {"One list": {"status_lists": ["https://api.example.com/oauth2/v1/statuslists/0"]}},
        ),
    ),
    cacheable=True,
)
