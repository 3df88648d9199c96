"""GET and POST /oauth2/v1/userinfo (OpenID Connect Core §5.3)."""

import msgspec

from credence.oauth.bearer import Bearer
from credence.oauth.endpoints.userinfo import SIGNED, signed_user_info, user_info
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE


async def show_user_info(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return the claims of the account as JSON, or as a signed JWT if the application has registered an algorithm for it."""
    algorithm = bearer.application.user_info_algorithm
    if algorithm is None:
        return Answer(200, JSON, msgspec.json.encode(user_info(bearer)), (NO_STORE,))
    body = signed_user_info(service.authority, bearer, algorithm, request.now)
    return Answer(200, SIGNED, body.encode(), (NO_STORE,))
