"""The password grant (spec §1.2, §4.1, §5.2, RFC 6749 §4.3).

RFC 9700 §2.4 rules this grant out; the specification demands it. `docs/decisions/password-grant.md` says what follows.
"""

from credence.clock import Milliseconds
from credence.identity.accounts import with_rehashed_password
from credence.identity.names import login_name
from credence.oauth.attributes import Attributes
from credence.oauth.authority import Authority
from credence.oauth.grants.grant import Grant, Login
from credence.oauth.issue import Issued, issue, new_family
from credence.refusals import USER_MISSING, WRONG_USER, Refused
from credence.store.contract import Conflict
from credence.store.records import Account, Application


async def identify(authority: Authority, _application: Application, attributes: Attributes, now: Milliseconds) -> Login:
    """Return the account whose login name and password these are; one refusal for all else (threats A1, A2)."""
    password = attributes.password or ""
    account = await authority.mirror.account(login_name(attributes.username or ""))
    if not await authority.passwords.verify(account, password, now) or account is None:
        raise Refused(WRONG_USER, "password.mismatch")
    rehashed = await authority.passwords.rehash(account, password)
    return Login(await _with_better_hash(authority, account, rehashed, now) if rehashed else account)


async def open_family(authority: Authority, application: Application, login: Login, now: Milliseconds) -> Issued:
    """Open a family of tokens and return its first pair (spec §3.1)."""
    family = new_family(authority, application, login.account, scope="", now=now)
    try:
        await authority.store.open_family(family, login.account)
    except Conflict:
        raise Refused(WRONG_USER, "account.changed_meanwhile") from None
    return issue(authority, family, application, login.account)


async def confirm(_authority: Authority, _login: Login, _now: Milliseconds) -> None:
    """Nothing is left to ask: the password has been verified."""


PASSWORD = Grant("password", ("username", "password"), USER_MISSING, identify, confirm, open_family)


async def _with_better_hash(authority: Authority, account: Account, rehashed: str, now: Milliseconds) -> Account:
    better = with_rehashed_password(account, rehashed)
    try:
        await authority.store.save_account(better, now)
    except Conflict:
        return account  # someone changed the account meanwhile; the next login tries again
    return better
