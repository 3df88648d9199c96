"""Token exchange: a service that received a user's token gets one of its own to act for the user (RFC 8693).

Delegation, not impersonation (§1.1): the new token names the service, in `client_id` and in `act`. It has at most the scope
and the lifetime of the subject token, and no refresh token. It becomes invalid with the login, the account, and every
application in `act`, but not if only the subject token is revoked (D11; §2.1 leaves that open).
"""

import msgspec

from credence.clock import Milliseconds
from credence.identity.applications import is_public
from credence.identity.not_before import dated
from credence.oauth import bearer
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.grants.grant import ClaimedIdentity, Grant, Login, no_claimed_identity
from credence.oauth.issue import Issued, TokenOptions, access_token_lifetime, issue_access_token
from credence.oauth.parameters import scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.parameters.authorization_details import granted
from credence.oauth.tokens.access_token import Actor, Claims, actors, cnf_claim, new_token_id
from credence.refusals.grants import EXCHANGE_REFUSED, INVALID_SCOPE, SUBJECT_TOKEN_MISSING, TOKEN_TYPE_UNKNOWN
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.records import Account, Application

ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 - a name
JWT = "urn:ietf:params:oauth:token-type:jwt"
TOKEN_TYPES = (ACCESS_TOKEN, JWT)
"""Both name an access token, because access tokens are JWTs (RFC 8693 §3)."""

MAX_ACTORS = 4
"""The maximum length of the chain of actors; each makes the token longer."""


class ExchangeLogin(Login, frozen=True):
    """The account of the subject token, with that token and the requested token type."""

    account: Account
    subject: Bearer
    issued_token_type: str


async def authenticate(
    authority: Authority,
    application: Application,
    request: RequestContext,
    attributes: Attributes,
    _claimed: ClaimedIdentity | None,
) -> ExchangeLogin:
    """Return the account of the subject token.

    Raises Refused if the subject token or the actor token is not acceptable (§2.2.2).
    """
    _check_types(attributes)
    now = request.now
    subject = await _valid(authority, attributes.subject_token or "", now)
    if application.clock is not None or subject.application.clock is not None:
        raise Refused(EXCHANGE_REFUSED, "exchange.test_clock")
    if subject.account is None:
        raise Refused(EXCHANGE_REFUSED, "exchange.no_account")
    if len(actors(subject.claims)) >= MAX_ACTORS:
        raise Refused(EXCHANGE_REFUSED, "exchange.too_deep")
    if attributes.actor_token is not None:
        actor = await _valid(authority, attributes.actor_token, now)
        if actor.account is not None or actor.application.client_id != application.client_id:
            raise Refused(EXCHANGE_REFUSED, "exchange.another_actor")
    token_type = attributes.requested_token_type or ACCESS_TOKEN
    # The client_id of a public client is no secret, so the rules of the subject token's application apply too.
    presented_by = subject.application if is_public(application) else None
    return ExchangeLogin(subject.account, subject, token_type, presented_by=presented_by)


async def issue(
    authority: Authority, application: Application, login: ExchangeLogin, options: TokenOptions, now: Milliseconds
) -> Issued:
    """Return an access token with which the application acts for the account (§4.1).

    A bound subject token is exchanged only for a bound token, bound to the application's own key: otherwise a thief could
    remove the binding (RFC 9449 §1, RFC 8705 §3). The client_id of a public client is no secret, so its token must be bound
    to the key of the subject token.
    """
    subject, account = login.subject.claims, login.account
    if subject.cnf is not None and not options.confirmation:
        raise Refused(EXCHANGE_REFUSED, "exchange.unbound")
    if is_public(application) and subject.cnf not in (None, cnf_claim(options.confirmation)):
        raise Refused(EXCHANGE_REFUSED, "exchange.other_key")
    # Not before the subject token, so that a `not_before` that invalidates the subject token also invalidates this one.
    issued_at = max(dated(now, application.not_before) // 1000, subject.iat)
    expires_at = min(issued_at + access_token_lifetime(authority, application), subject.exp)
    if expires_at <= issued_at:
        raise Refused(EXCHANGE_REFUSED, "token.expired")
    rights = granted(options.details, (login.subject.rights, application.rights))
    if rights is not None and rights.count is not None and subject.sid is None:  # its reports are counted by `jti`
        raise Refused(EXCHANGE_REFUSED, "exchange.counted")
    claims = Claims(
        iss=authority.settings.issuer,
        sub=account.username,
        aud=scopes.audience_of_resources(options.resources, application, authority.settings),
        client_id=application.client_id,
        iat=issued_at,
        exp=expires_at,
        jti=new_token_id(),
        sid=subject.sid,
        scope=_scope(login.subject, application, options),
        Email=account.email,
        FirstName=account.first_name,
        LastName=account.last_name,
        account_type=account.type,
        auth_time=subject.auth_time,
        acr=subject.acr,
        cnf=cnf_claim(options.confirmation),
        act=Actor(application.client_id, subject.act),
        login_client_id=subject.login_client_id or subject.client_id,
        authorization_details=None if rights is None else (rights,),
    )
    issued = await issue_access_token(authority, application, claims)
    return msgspec.structs.replace(issued, issued_token_type=login.issued_token_type)


def _scope(subject: Bearer, application: Application, options: TokenOptions) -> str:
    """Return the granted scope: at most what both the subject token and the application have.

    Raises Refused if nothing is left: a token with an empty scope would have all scopes of its application
    (`scopes.effective`).
    """
    scope = scopes.granted(options.scope, subject.scopes.intersection(scopes.of_application(application)))
    if not scope:
        raise Refused(INVALID_SCOPE, "scope.not_allowed")
    return scope


def _check_types(attributes: Attributes) -> None:
    """Refuse an unsupported token type, and an actor token without its type or the reverse (RFC 8693 §2.1)."""
    if attributes.subject_token_type not in TOKEN_TYPES:
        raise Refused(TOKEN_TYPE_UNKNOWN, "exchange.subject_token_type")
    if attributes.requested_token_type not in (None, *TOKEN_TYPES):
        raise Refused(TOKEN_TYPE_UNKNOWN, "exchange.requested_token_type")
    of_actor = attributes.actor_token_type
    if (of_actor is None) is not (attributes.actor_token is None) or of_actor not in (None, *TOKEN_TYPES):
        raise Refused(TOKEN_TYPE_UNKNOWN, "exchange.actor_token_type")


async def _valid(authority: Authority, token: str, now: Milliseconds) -> Bearer:
    """Return a token that the API accepts, with its owners; otherwise raise Refused with the reason of the bearer check."""
    try:
        return await bearer.check(authority, token, now)
    except Refused as refused:
        raise Refused(
            EXCHANGE_REFUSED, refused.reason, application=refused.application, account=refused.account
        ) from None


TOKEN_EXCHANGE = Grant(
    name="urn:ietf:params:oauth:grant-type:token-exchange",
    needs=("subject_token", "subject_token_type"),
    missing=SUBJECT_TOKEN_MISSING,
    claimed_identity=no_claimed_identity,
    authenticate=authenticate,
    issue=issue,
    open_to_public=True,
    has_audience=True,
    takes_details=True,
)
