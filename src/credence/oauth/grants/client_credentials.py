"""The client credentials grant: a token for the application itself (RFC 6749 §4.4, RFC 9068 §2.2).

There is no account, therefore no ID token and no family, and nothing is stored. There is no refresh token: the application
requests another access token (RFC 6749 §4.4.3). The token is valid until it expires or is revoked, or its application is
disabled.
"""

from credence.clock import Milliseconds
from credence.identity.applications import application_time, resets
from credence.identity.not_before import dated
from credence.oauth.authority import Authority
from credence.oauth.grants.grant import ClaimedIdentity, Grant, Login, no_claimed_identity
from credence.oauth.issue import Issued, TokenOptions, access_token_lifetime, issue_access_token
from credence.oauth.parameters import scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.parameters.authorization_details import granted
from credence.oauth.tokens.access_token import Claims, cnf_claim, new_token_id
from credence.request_context import RequestContext
from credence.store.records import Application

_APPLICATION_ALONE = Login(account=None)


async def authenticate(
    _authority: Authority,
    _application: Application,
    _request: RequestContext,
    _attributes: Attributes,
    _claimed: ClaimedIdentity | None,
) -> Login:
    """Return a login without account: the application is already authenticated."""
    return _APPLICATION_ALONE


async def issue(
    authority: Authority, application: Application, _login: Login, options: TokenOptions, now: Milliseconds
) -> Issued:
    """Return an access token whose subject is the application (RFC 6749 §4.4.3)."""
    settings = authority.settings
    not_before = application_time(application, application.not_before)
    issued_at = dated(now, not_before) // 1000
    allowed = scopes.without_account(scopes.of_application(application))
    rights = granted(options.details, (application.rights,))
    if rights is not None:
        allowed = allowed & scopes.WITH_RIGHTS
    claims = Claims(
        iss=settings.issuer,
        sub=application.client_id,
        aud=scopes.audience_of_resources(options.resources, application, settings),
        client_id=application.client_id,
        iat=issued_at,
        exp=issued_at + access_token_lifetime(authority, application),
        jti=new_token_id(),
        scope=scopes.granted(options.scope, allowed),
        Email=None,
        FirstName=None,
        LastName=None,
        account_type="application",
        cnf=cnf_claim(options.confirmation),
        authorization_details=None if rights is None else (rights,),
        clock_resets=resets(application) or None,
    )
    return await issue_access_token(authority, application, claims)


CLIENT_CREDENTIALS = Grant(
    name="client_credentials",
    needs=(),
    missing=None,
    claimed_identity=no_claimed_identity,
    authenticate=authenticate,
    issue=issue,
    takes_details=True,
)
