"""The refresh grant: rotation, retry, and the discovery of reuse (spec §1.3, §5.6, D7, threats §6).

Of any number of requests with one refresh token exactly one rotates the family. The others get the same pair while they
may be retries of a lost answer, and end the family when they cannot be.
"""

from credence.clock import Milliseconds
from credence.oauth import refresh_token
from credence.oauth.authority import Authority
from credence.oauth.grants.grant import Grant, Login
from credence.oauth.issue import Issued, issue, next_leaf
from credence.oauth.refresh_token import Presented
from credence.oauth.said import Said
from credence.refusals import INVALID_TOKEN, REFRESH_TOKEN_MISSING, Refused
from credence.store.records import Application, Family
from credence.telemetry.audit import audit


async def identify(authority: Authority, application: Application, said: Said, now: Milliseconds) -> Login:
    """Return the account and family of this token; Refused when it is not a live one of this application."""
    prefix = authority.settings.environment.prefix
    presented = refresh_token.read(prefix, authority.secrets.refresh, said.refresh_token or "")
    if presented is None:
        raise Refused(INVALID_TOKEN, "refresh_token.not_ours")
    family = await _usable_family(authority, application, presented, now)
    account = await authority.mirror.account(family.username)
    if account is None:
        raise Refused(INVALID_TOKEN, "refresh_token.account_unknown")
    return Login(account, family, presented)


async def rotate(authority: Authority, application: Application, login: Login, now: Milliseconds) -> Issued:
    """Rotate the family, or repeat the answer that was lost, and return the pair (spec §3.3)."""
    account, family, presented = login.account, login.family, login.presented
    if family is None or presented is None:
        raise LookupError("a refresh continues a family")
    if family.created_at < max(account.not_before, application.not_before):
        raise Refused(INVALID_TOKEN, "refresh_token.before_not_before")
    if presented.generation == family.generation:
        # A clock that was set back must not make the new token older than the one it follows.
        leaf = next_leaf(authority, application, max(now, family.issued_at))
        family = await authority.store.rotate(family.id, presented.generation, leaf)
        if family is None:  # another request was faster: look again at what it left
            family = await _usable_family(authority, application, presented, now)
    return issue(authority, family, application, account)


REFRESH = Grant("refresh_token", ("refresh_token",), REFRESH_TOKEN_MISSING, identify, rotate)


async def _usable_family(
    authority: Authority, application: Application, presented: Presented, now: Milliseconds
) -> Family:
    family = await authority.store.family(presented.family_id)
    if family is None or family.client_id != application.client_id:
        raise Refused(INVALID_TOKEN, "refresh_token.foreign")
    if family.ended_at is not None:
        raise Refused(INVALID_TOKEN, f"refresh_token.{family.ended_because}")
    if now >= family.expires_at:
        raise Refused(INVALID_TOKEN, "refresh_token.expired")
    if presented.generation == family.generation or _may_be_retry(authority, family, presented, now):
        return family
    if presented.generation > family.generation:
        raise Refused(INVALID_TOKEN, "refresh_token.unissued")
    await authority.store.end_family(family.id, now, "reused")
    audit("refresh_token_reused", client_id=family.client_id, username=family.username)
    raise Refused(INVALID_TOKEN, "refresh_token.reused")


def _may_be_retry(authority: Authority, family: Family, presented: Presented, now: Milliseconds) -> bool:
    window = authority.settings.refresh_retry_window * 1000
    return presented.generation == family.generation - 1 and now - family.issued_at < window
