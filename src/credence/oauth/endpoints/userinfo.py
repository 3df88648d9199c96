"""The user information endpoint: the account of an access token (OpenID Connect Core §5.3)."""

from credence.oauth.bearer import Bearer
from credence.oauth.tokens.standard_claims import about


def user_info(bearer: Bearer) -> dict[str, str]:
    """Return `sub`, as in the ID token, and the claims of the account that the token's scopes allow (§5.3.2, §5.4)."""
    if bearer.account is None:  # `openid` is granted only with an account
        raise LookupError("a token with the scope openid belongs to an account")
    return {"sub": bearer.claims.sub, **about(bearer.account, bearer.scopes)}
