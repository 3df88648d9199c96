"""GET and POST /oauth2/v1/userinfo (OpenID Connect Core §5.3)."""

import msgspec

from credence.oauth.bearer import Bearer
from credence.oauth.endpoints import userinfo
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE


async def user_info(_service: Service, _request: RequestContext, bearer: Bearer) -> Answer:
    """Return the claims of the account as JSON."""
    return Answer(200, JSON, msgspec.json.encode(userinfo.user_info(bearer)), (NO_STORE,))
