"""Turns a granted login, or the next step of one, into the pair of tokens the client receives (spec §2.3, D4, D10)."""

from dataclasses import dataclass, replace

from credence.clock import Milliseconds
from credence.crypto.jwk import SigningKey
from credence.identity.not_before import first_whole_second
from credence.oauth.authority import Authority
from credence.oauth.parameters import resources, scopes
from credence.oauth.tokens import access_token, confirmation, id_token, refresh_token
from credence.oauth.tokens.access_token import Claims
from credence.store.records import AccessTokenParameters, Account, Application, TokenFamily


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request wants its access token to be good for, before it is looked at."""

    scope: str | None = None
    resources: tuple[str, ...] = ()
    confirmation: str = ""
    """What the caller has proved to hold, so that the token is bound to it (`confirmation`); empty: nothing."""


@dataclass(frozen=True, slots=True, repr=False)
class Issued:
    """A token response before it is said in a dialect. `issued_at` is in milliseconds, `expires_in` in seconds."""

    access_token: str
    refresh_token: str | None
    issued_at: Milliseconds
    expires_in: int
    scope: str
    token_type: str = "Bearer"  # noqa: S105 - a scheme (RFC 6749 §7.1, RFC 9449 §5)
    id_token: str | None = None
    issued_token_type: str | None = None
    """In the answer to a token exchange (RFC 8693 §2.2.1)."""


def next_parameters(
    authority: Authority,
    application: Application,
    at: Milliseconds,
    narrowed: str | None = None,
    confirmation: str = "",
) -> AccessTokenParameters:
    """Decide how the next access token of this application is minted."""
    kid = authority.signing_key(application.algorithm).kid
    return AccessTokenParameters(at, access_lifetime(authority, application), kid, narrowed, confirmation)


def access_lifetime(authority: Authority, application: Application) -> int:
    """Return for how many seconds an access token of this application is good (D4)."""
    return application.access_token_lifetime or authority.settings.access_token_lifetime_seconds


def new_family(
    authority: Authority, application: Application, account: Account, asked: Asked, now: Milliseconds
) -> TokenFamily:
    """Return the family that a login opens; Refused when it asks for a scope or a resource that it may not have.

    Its expiry is fixed here; no refresh moves it (D4, threats §6).

    A login in the very second in which older tokens were cut off is dated to the next second, because `iat` counts
    whole seconds and must tell the two apart.
    """
    opened_at = max(now, first_whole_second(max(account.not_before, application.not_before)))
    lifetime = application.refresh_token_lifetime or authority.settings.refresh_token_lifetime_seconds
    first = next_parameters(authority, application, opened_at)
    own = authority.settings.token_audience
    audience = resources.audience(asked.resources, application, own)
    expires_at = opened_at + lifetime * 1000
    return TokenFamily(
        id=refresh_token.new_family_id(expires_at),
        client_id=application.client_id,
        username=account.username,
        scope=scopes.granted(asked.scope, scopes.of_application(application)),
        created_at=opened_at,
        expires_at=expires_at,
        issued_at=first.issued_at,
        expires_in=first.expires_in,
        kid=first.kid,
        audience="" if audience == own else audience,
        confirmation=asked.confirmation,
    )


def issue(authority: Authority, family: TokenFamily, application: Application, account: Account) -> Issued:
    """Mint the pair that stands at the family's newest generation. The same family mints the same pair (D7).

    An ID token goes with it while the application may have one (OpenID Connect Core §3.1.3.3, §12.2).
    """
    settings = authority.settings
    # The key may have gone between an answer and its retry; then another signs the same claims (threats §6).
    key = authority.ring.private.get(family.kid) or authority.signing_key(application.algorithm)
    refresh = None
    if "refresh_token" in application.grants:
        refresh = refresh_token.write(
            settings.environment.prefix,
            authority.secrets.refresh,
            family.client_id,
            refresh_token.Presented(family.id, family.generation, family.username),
        )
    claims = access_token.of_family(family, account, settings.issuer, settings.token_audience)
    pair = issued(claims, key, refresh)
    opened = scopes.effective(claims.scope, application.scopes)
    if scopes.OPENID not in opened:
        return pair
    id_token_key = authority.id_token_key(application.id_token_algorithm, family.issued_at)
    return replace(pair, id_token=id_token.written(claims, pair.access_token, account, opened, id_token_key))


def issued(claims: Claims, key: SigningKey, refresh: str | None = None) -> Issued:
    """Return the response that hands out a token which says this."""
    return Issued(
        access_token=access_token.written(claims, key),
        refresh_token=refresh,
        # In whole seconds, as `iat`, or the token would die before issued_at + expires_in (spec §5.4, D4).
        issued_at=claims.iat * 1000,
        expires_in=claims.exp - claims.iat,
        scope=claims.scope,
        token_type=confirmation.token_type(claims.cnf),
    )
