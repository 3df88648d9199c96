"""GET and POST /oauth2/v1/userinfo: who the token speaks for (OpenID Connect Core §5.3)."""

import msgspec

from credence.oauth.bearer import Bearer
from credence.oauth.tokens.standard_claims import about
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import Request


async def user_info(_service: Service, _request: Request, bearer: Bearer) -> Answer:
    """Return `sub`, as the ID token has it, and what the scopes of the token tell of the account (§5.3.2, §5.4).

    An application that speaks for itself is never granted `openid`, so it does not come here.
    """
    if bearer.account is None:
        raise LookupError("a token that opens the user information speaks for an account")
    told = {"sub": bearer.claims.sub, **about(bearer.account, bearer.scopes)}
    return Answer(200, JSON, msgspec.json.encode(told), (NO_STORE,))
