"""The refresh grant: rotation, retry, and the discovery of reuse (spec §1.3, §5.6, D7, threats §6).

Of any number of requests with one refresh token exactly one rotates the family. The others get the same pair while they
may be retries of a lost answer, and end the family when they cannot be.
"""

from credence.clock import Milliseconds
from credence.identity.usernames import login_name
from credence.oauth.authority import Authority
from credence.oauth.family_life import Action, transition
from credence.oauth.grants.grant import Caller, Grant, Login, Named
from credence.oauth.issue import Asked, Issued, issue, next_parameters
from credence.oauth.liveness import liveness_error
from credence.oauth.parameters import scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.revoke import end_family
from credence.oauth.tokens import access_token, refresh_token
from credence.oauth.tokens.refresh_token import Presented
from credence.refusals import INVALID_SCOPE, INVALID_TARGET, INVALID_TOKEN, REFRESH_TOKEN_MISSING, Refused
from credence.store.records import Account, Application, TokenFamily
from credence.telemetry.log import event


def names(attributes: Attributes, prefix: str) -> Named:
    """Return the account that the token speaks of; nobody's when it is no refresh token."""
    presented = refresh_token.unverified(prefix, attributes.refresh_token or "")
    return Named(login_name(presented.username) if presented else None, presented)


async def identify(
    authority: Authority, caller: Caller, attributes: Attributes, named: Named, _now: Milliseconds
) -> Login:
    """Return the account that the token names; Refused when it is no token of this application."""
    prefix, key = authority.settings.environment.prefix, authority.secrets.refresh
    presented, text, client_id = named.presented, attributes.refresh_token or "", caller.application.client_id
    if presented is None or not refresh_token.is_genuine(prefix, key, client_id, presented, text):
        raise Refused(INVALID_TOKEN, "refresh_token.invalid")
    account = await authority.revocation_cache.account(presented.username)
    if account is None:
        raise Refused(INVALID_TOKEN, "refresh_token.account_unknown")
    return Login(account, presented)


async def rotate(
    authority: Authority, application: Application, login: Login, asked: Asked, now: Milliseconds
) -> Issued:
    """Rotate the family, or repeat the answer that was lost, and return the pair (spec §3.3).

    A client that proves itself may come with another key, or none (RFC 9449 §5); a retry repeats what one key was given, so
    it must come with that one. Public clients do not refresh.

    One conditional write decides; only when it changed nothing is the family looked at.
    """
    if login.presented is None:
        raise LookupError("a refresh continues a family")
    account = login.of_account
    not_before = max(account.not_before, application.not_before)
    looked_at = asked.scope or asked.resources or application.scopes is not None
    try:
        narrowed = await _narrowed(authority, application, login.presented, asked) if looked_at else None
    except Refused:
        await confirm(authority, login, now)  # a wrong token is said first, and reuse is seen
        raise
    parameters = next_parameters(authority, application, now, narrowed, asked.confirmation)
    family = await authority.store.rotate(login.presented.family_id, login.presented.generation, parameters, not_before)
    if family is None:
        family = await _usable_family(authority, login.presented, now, (application, account))
        if family.confirmation != asked.confirmation:
            raise Refused(INVALID_TOKEN, "refresh_token.other_key", account=account.username)
    return issue(authority, family, application, account)


async def _narrowed(authority: Authority, application: Application, presented: Presented, asked: Asked) -> str | None:
    """Return the scope to mint where it is less than the login was granted; None for all of that (RFC 6749 §6).

    What the application may not have any more is left out, for those who read it elsewhere (threats A15); Refused when that
    leaves nothing. The resource is the login's for ever: a refresh may name it, and no other (RFC 8707 §2.2).
    """
    family = await authority.store.family(presented.family_id)
    if family is None:
        return None  # there is nothing to rotate either, and that is what is said
    own = authority.settings.token_audience
    if any(resource != (family.audience or own) for resource in asked.resources):
        raise Refused(INVALID_TARGET, "resource.not_granted")
    opened = scopes.effective(family.scope, application.scopes)
    if family.scope and not opened:
        raise Refused(INVALID_SCOPE, "scope.not_allowed")
    if asked.scope is not None:
        scope = scopes.granted(asked.scope, opened)
    else:
        scope = scopes.written(opened) if family.scope else ""
    return None if scope == family.scope else scope


async def confirm(authority: Authority, login: Login, now: Milliseconds) -> None:
    """Refuse a token that is good for nothing, and see reuse, before anything else is refused (D3, D7).

    What a change of the account's state cut off is not looked at here: the state itself is then what is said.
    """
    if login.presented is not None:
        await _usable_family(authority, login.presented, now, None)


REFRESH = Grant(
    name="refresh_token",
    needs=("refresh_token",),
    missing=REFRESH_TOKEN_MISSING,
    names=names,
    identify=identify,
    confirm=confirm,
    issue=rotate,
)


async def _usable_family(
    authority: Authority, claims: Presented, now: Milliseconds, owners: tuple[Application, Account] | None
) -> TokenFamily:
    """Return the family of a refresh token that may be rotated, or whose last answer may be repeated; Refused otherwise.

    A reused token ends the family (threats L1). Without `owners` their cut-off times are ignored.
    """
    family = await authority.store.family(claims.family_id)
    before_not_before = (
        family is not None
        and owners is not None
        and liveness_error(*owners, issued_at=family.created_at, logged_in_at=family.created_at) is not None
    )
    window = authority.settings.refresh_retry_window_seconds
    action, _, reason = transition(
        family, claims.generation, now, retry_window_seconds=window, before_not_before=before_not_before
    )
    if family is not None and action in (Action.ROTATE, Action.REPEAT):
        return family
    if action is Action.END:
        await end_family(authority, claims.family_id, now, "reused")
        event("refresh_token_reused", sid=access_token.family_sid(claims.family_id))
    raise Refused(INVALID_TOKEN, f"refresh_token.{reason}", account=claims.username)
