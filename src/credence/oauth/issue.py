"""Turns a granted login, or the next step of one, into the pair of tokens the client receives (spec §2.3, D4, D10)."""

from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.oauth import access_token, refresh_token
from credence.oauth.authority import Authority
from credence.store.records import Account, Application, Family, Leaf


@dataclass(frozen=True, slots=True, repr=False)
class Issued:
    """A token response before it is said in a dialect. `issued_at` is in milliseconds, `expires_in` in seconds."""

    access_token: str
    refresh_token: str | None
    issued_at: Milliseconds
    expires_in: int
    scope: str


def next_leaf(authority: Authority, application: Application, at: Milliseconds) -> Leaf:
    """Decide how the next access token of this application is minted."""
    lifetime = application.access_token_lifetime or authority.settings.access_token_lifetime
    return Leaf(issued_at=at, expires_in=lifetime, kid=authority.signing_key(application.algorithm).kid)


def new_family(
    authority: Authority, application: Application, account: Account, scope: str, now: Milliseconds
) -> Family:
    """Return the family that a login opens. Its expiry is fixed here; no refresh moves it (D4, threats §6).

    A login in the very second in which older tokens were cut off is dated to the next second, because `iat` counts
    whole seconds and must tell the two apart.
    """
    opened_at = max(now, access_token.first_whole_second(max(account.not_before, application.not_before)))
    lifetime = application.refresh_token_lifetime or authority.settings.refresh_token_lifetime
    first = next_leaf(authority, application, opened_at)
    expires_at = opened_at + lifetime * 1000
    return Family(
        id=refresh_token.new_family_id(expires_at),
        client_id=application.client_id,
        username=account.username,
        scope=scope,
        created_at=opened_at,
        expires_at=expires_at,
        issued_at=first.issued_at,
        expires_in=first.expires_in,
        kid=first.kid,
    )


def issue(authority: Authority, family: Family, application: Application, account: Account) -> Issued:
    """Mint the pair that stands at the family's newest generation. The same family mints the same pair (D7)."""
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
    return Issued(
        access_token=access_token.mint(family, account, settings.issuer, settings.token_audience, key),
        refresh_token=refresh,
        # In whole seconds, as `iat`, or the token would die before issued_at + expires_in (spec §5.4, D4).
        issued_at=family.issued_at // 1000 * 1000,
        expires_in=family.expires_in,
        scope=family.scope,
    )
