"""Token exchange: a service gets a token of its own to act for the user whose token it was shown (RFC 8693).

Delegation, never impersonation (§1.1): the new token names the service, in `client_id` and in `act`. It opens no more than
the one shown, lives no longer, and is not refreshed. What ends the login, the account or any application on the way ends it
too; the revocation of the one token shown does not, as D11 has it (§2.1 leaves that open).
"""

from dataclasses import replace

from credence.clock import Milliseconds
from credence.identity.not_before import first_whole_second
from credence.oauth import bearer
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.client_authentication.methods import is_public
from credence.oauth.grants.grant import Caller, Exchange, Grant, Login, Named, names_nobody, nothing_to_confirm
from credence.oauth.issue import Asked, Issued, access_lifetime, issued
from credence.oauth.parameters import resources, scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.status_lists.assignment import with_place
from credence.oauth.tokens import confirmation
from credence.oauth.tokens.access_token import Actor, Claims, actors, new_token_id
from credence.refusals import EXCHANGE_REFUSED, INVALID_SCOPE, SUBJECT_TOKEN_MISSING, TOKEN_TYPE_UNKNOWN, Refused
from credence.store.records import Application

ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 - a name
JWT = "urn:ietf:params:oauth:token-type:jwt"
TOKEN_TYPES = (ACCESS_TOKEN, JWT)
"""Two names of one thing: our access tokens are JWTs (RFC 8693 §3)."""

MOST_ACTORS = 4
"""Services that may act one through the other: each makes the token longer."""


async def identify(
    authority: Authority, caller: Caller, attributes: Attributes, _named: Named, now: Milliseconds
) -> Login:
    """Return the account that the subject token speaks for; Refused when either token is not acceptable (§2.2.2)."""
    _check_types(attributes)
    subject = await _good(authority, attributes.subject_token or "", now)
    if subject.account is None:
        raise Refused(EXCHANGE_REFUSED, "exchange.no_account")
    if len(actors(subject.claims)) >= MOST_ACTORS:
        raise Refused(EXCHANGE_REFUSED, "exchange.too_deep")
    if attributes.actor_token is not None:
        actor = await _good(authority, attributes.actor_token, now)
        if actor.account is not None or actor.application.client_id != caller.application.client_id:
            raise Refused(EXCHANGE_REFUSED, "exchange.another_actor")
    return Login(subject.account, exchange=Exchange(subject, attributes.requested_token_type or ACCESS_TOKEN))


async def issue_on_behalf(
    authority: Authority, application: Application, login: Login, asked: Asked, now: Milliseconds
) -> Issued:
    """Return an access token with which the application acts for the account (§4.1).

    A token that is bound to a key is exchanged only for one that is bound as well, to the application's own key: who stole
    it must not be able to shed the binding (RFC 9449 §1, RFC 8705 §3). In the name of a public application anybody may ask,
    so there the key is the one that the token shown is bound to.
    """
    exchange, account = login.exchange, login.of_account
    if exchange is None:
        raise LookupError("an exchange was shown a token")
    settings, shown = authority.settings, exchange.subject.claims
    if shown.cnf is not None and not asked.confirmation:
        raise Refused(EXCHANGE_REFUSED, "exchange.unbound")
    if is_public(application) and shown.cnf not in (None, confirmation.claim(asked.confirmation)):
        raise Refused(EXCHANGE_REFUSED, "exchange.other_key")
    # Not before the token shown, so that what would cut off that one cuts off this one.
    issued_at = max(now // 1000, shown.iat, first_whole_second(application.not_before) // 1000)
    expires_at = min(issued_at + access_lifetime(authority, application), shown.exp)
    if expires_at <= issued_at:
        raise Refused(EXCHANGE_REFUSED, "token.expired")
    claims = Claims(
        iss=settings.issuer,
        sub=account.username,
        aud=resources.audience(asked.resources, application, settings.token_audience),
        client_id=application.client_id,
        iat=issued_at,
        exp=expires_at,
        jti=new_token_id(),
        sid=shown.sid,
        scope=_scope(exchange.subject, application, asked),
        Email=account.email,
        FirstName=account.first_name,
        LastName=account.last_name,
        account_type=account.type,
        auth_time=shown.auth_time,
        cnf=confirmation.claim(asked.confirmation),
        act=Actor(application.client_id, shown.act),
        login_client_id=shown.login_client_id or shown.client_id,
    )
    answer = issued(await with_place(authority, claims), authority.signing_key(application.algorithm))
    return replace(answer, issued_token_type=exchange.issued_token_type)


def _scope(subject: Bearer, application: Application, asked: Asked) -> str:
    """Return the scope to grant: of what both the token shown and the application may have.

    Nothing is no scope here: a token without scope stands for all of its application's (`scopes.effective`).
    """
    scope = scopes.granted(asked.scope, subject.scopes.intersection(scopes.of_application(application)))
    if not scope:
        raise Refused(INVALID_SCOPE, "scope.not_allowed")
    return scope


def _check_types(attributes: Attributes) -> None:
    """Refuse a type that is not ours, and an actor's token and type that do not come together (RFC 8693 §2.1)."""
    if attributes.subject_token_type not in TOKEN_TYPES:
        raise Refused(TOKEN_TYPE_UNKNOWN, "exchange.subject_token_type")
    if attributes.requested_token_type not in (None, *TOKEN_TYPES):
        raise Refused(TOKEN_TYPE_UNKNOWN, "exchange.requested_token_type")
    of_actor = attributes.actor_token_type
    if (of_actor is None) is not (attributes.actor_token is None) or of_actor not in (None, *TOKEN_TYPES):
        raise Refused(TOKEN_TYPE_UNKNOWN, "exchange.actor_token_type")


async def _good(authority: Authority, token: str, now: Milliseconds) -> Bearer:
    """Return whom a token speaks for that the API itself would take; the code says why it would not."""
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
    names=names_nobody,
    identify=identify,
    confirm=nothing_to_confirm,
    issue=issue_on_behalf,
    open_to_public=True,
)
