"""Documentation of the forward-auth endpoint for reverse proxies."""

from credence.api.reference.operations.tokens import TAG
from credence.web.routing.operation import Content, Operation, Parameter

FORWARD_AUTH = Operation(
    id="forward_auth",
    tag=TAG,
    summary="Let a reverse proxy check a token",
    description=(
        "For `auth_request` of nginx, `forwardAuth` of Traefik and `forward_auth` of Caddy: the proxy sends the header "
        "fields of each request here. A valid token with the required scopes gets 204; `X-Auth-Subject`, `X-Auth-Client` "
        "and `X-Auth-Scope` name the account or application, the application and the scopes. Any other request gets 401 or "
        "403 with the challenge for the caller. A token that is bound to a key is refused, because its proof is for the "
        "address of the resource."
    ),
    parameters=(
        Parameter(
            "scope", "query", "The scopes that the token must have, all of them; blanks between.", "credit:report"
        ),
        Parameter(
            "resource",
            "query",
            "The resource that the token must be for (RFC 8707). Without it, this service.",
        ),
    ),
    answers=(Content("", status=204),),
)
