"""The client credentials grant: an application that acts for itself (RFC 6749 §4.4, RFC 9068 §2.2).

There is no account, so no ID token, and no family: nothing is stored, and the token is refreshed by asking again
(RFC 6749 §4.4.3). It dies with its time, by revocation, or with its application.
"""

from credence.clock import Milliseconds
from credence.identity.not_before import first_whole_second
from credence.oauth.authority import Authority
from credence.oauth.grants.grant import Caller, Grant, Login, Named, names_nobody, nothing_to_confirm
from credence.oauth.issue import Asked, Issued, access_lifetime, issued
from credence.oauth.parameters import resources, scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.status_lists.assignment import with_place
from credence.oauth.tokens import confirmation
from credence.oauth.tokens.access_token import Claims, new_token_id
from credence.store.records import Application


async def identify(
    _authority: Authority, _caller: Caller, _attributes: Attributes, _named: Named, _now: Milliseconds
) -> Login:
    """Return nobody but the application, which has proved itself already."""
    return Login(None)


async def issue_alone(
    authority: Authority, application: Application, _login: Login, asked: Asked, now: Milliseconds
) -> Issued:
    """Return an access token that speaks for the application (RFC 6749 §4.4.3)."""
    settings = authority.settings
    issued_at = max(now, first_whole_second(application.not_before)) // 1000
    allowed = scopes.API_SCOPES.keys() & scopes.of_application(application)
    claims = Claims(
        iss=settings.issuer,
        sub=application.client_id,
        aud=resources.audience(asked.resources, application, settings.token_audience),
        client_id=application.client_id,
        iat=issued_at,
        exp=issued_at + access_lifetime(authority, application),
        jti=new_token_id(),
        scope=scopes.granted(asked.scope, allowed),
        Email=None,
        FirstName=None,
        LastName=None,
        account_type="application",
        cnf=confirmation.claim(asked.confirmation),
    )
    return issued(await with_place(authority, claims), authority.signing_key(application.algorithm))


CLIENT_CREDENTIALS = Grant(
    name="client_credentials",
    needs=(),
    missing=None,
    names=names_nobody,
    identify=identify,
    confirm=nothing_to_confirm,
    issue=issue_alone,
)
