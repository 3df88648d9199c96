"""One file per grant: the attributes it needs, the account they claim, how it authenticates and what it issues.

`oauth/endpoints/token.py` has the checks that all grants share, and their order, so that a grant cannot omit one.
"""

from collections.abc import Mapping

from credence.oauth.grants.authorization_code import AUTHORIZATION_CODE
from credence.oauth.grants.client_credentials import CLIENT_CREDENTIALS
from credence.oauth.grants.device_code import DEVICE_CODE
from credence.oauth.grants.grant import AnyGrant
from credence.oauth.grants.jwt_bearer import JWT_BEARER
from credence.oauth.grants.password import PASSWORD
from credence.oauth.grants.refresh import REFRESH
from credence.oauth.grants.token_exchange import TOKEN_EXCHANGE

GRANTS: Mapping[str, AnyGrant] = {
    grant.name: grant
    for grant in (PASSWORD, REFRESH, AUTHORIZATION_CODE, DEVICE_CODE, CLIENT_CREDENTIALS, TOKEN_EXCHANGE, JWT_BEARER)
}
"""All grants by name. An application may use those on its own list (D25)."""
