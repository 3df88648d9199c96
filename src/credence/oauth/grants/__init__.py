"""One file per grant. Each says which attributes it needs, whom they name, and how the tokens come about.

The checks that all grants share, and their order, stand in `oauth/endpoints/token.py`; a grant cannot forget one.
"""

from collections.abc import Mapping

from credence.oauth.grants.client_credentials import CLIENT_CREDENTIALS
from credence.oauth.grants.grant import AnyGrant
from credence.oauth.grants.password import PASSWORD
from credence.oauth.grants.refresh import REFRESH
from credence.oauth.grants.token_exchange import TOKEN_EXCHANGE

GRANTS: Mapping[str, AnyGrant] = {
    grant.name: grant for grant in (PASSWORD, REFRESH, CLIENT_CREDENTIALS, TOKEN_EXCHANGE)
}
"""The grants there are; an application may use those on its own list (D25)."""
