"""GET /oauth2/v1/forward-auth: says whether a reverse proxy may pass a request (nginx `auth_request`, Traefik, Caddy).

The proxy sends the header fields of the request here. The answer is 204 with the identity of the caller, or 401 or 403
with a challenge for the caller. The query is written by the proxy: the scopes and the resource that it requires.
"""

import re
from typing import Annotated
from urllib.parse import quote

from credence.oauth.bearer import Bearer
from credence.oauth.endpoints.bearer import Required
from credence.refusals.credentials import INVALID_TOKEN
from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routing.operation import Content, Parameter

SUBJECT, CLIENT, SCOPE = "x-auth-subject", "x-auth-client", "x-auth-scope"

_PARAMETERS = (
    Parameter(
        "scope", "query", "The scopes that the token must have, all of them; separated by spaces.", "credit:report"
    ),
    Parameter("resource", "query", "The resource that the token must be for (RFC 8707). Without it, this service."),
)

_SCOPES = re.compile(r"[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*").fullmatch  # RFC 6749 §3.3


def required_by_query(request: RequestContext) -> Required:
    """Return the scopes and the resource that the proxy requires of the token.

    Raises Refused if `scope` has characters that a scope may not have, and for any other parameter: a misspelt `scope`
    would otherwise let every token pass.
    """
    if not {each.name for each in _PARAMETERS}.issuperset(request.parameters):
        raise Refused(THREAT, "query.unknown")
    scope = request.parameters.get("scope", "")
    if scope and not _SCOPES(scope):
        raise Refused(THREAT, "query.scope")
    return Required(tuple(dict.fromkeys(scope.split())), request.parameters.get("resource") or None)


async def forward_auth(
    _service: Service, _request: Annotated[RequestContext, *_PARAMETERS], bearer: Bearer
) -> Annotated[Answer, Content("", status=204)]:
    """Let a reverse proxy check a token.

    For `auth_request` of nginx, `forwardAuth` of Traefik and `forward_auth` of Caddy: the proxy sends the header fields of
    each request here. A valid token with the required scopes gets 204; `X-Auth-Subject`, `X-Auth-Client` and
    `X-Auth-Scope` name the account or application, the application and the scopes. Any other request gets 401 or 403 with
    the challenge for the caller. A token that is bound to a key is refused, because its proof is for the address of the
    resource.

    Raises Refused with 401 for a token that is bound to a key or a certificate: only the service itself can check a
    proof for its address, and a caller may have written the certificate field that reaches this address (threats I8).
    Characters of a login name that a header field may not have, and blanks, are percent-encoded as UTF-8.
    """
    claims = bearer.claims
    if claims.cnf is not None:
        raise Refused(INVALID_TOKEN, "token.bound_elsewhere")
    fields = (
        (SUBJECT, quote(claims.sub, safe="!$&'()*+,;=:@")),
        (CLIENT, claims.client_id),
        (SCOPE, " ".join(sorted(bearer.scopes))),
    )
    return Answer(204, "", b"", (NO_STORE, *fields))
