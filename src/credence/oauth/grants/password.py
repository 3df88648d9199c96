"""The password grant (spec §1.2, §4.1, §5.2, RFC 6749 §4.3).

RFC 9700 §2.4 rules this grant out; the specification demands it. `docs/adr/password-grant.md` says what follows.
"""

from credence.clock import Milliseconds
from credence.identity.login_attempts import LoginAttempt
from credence.identity.usernames import login_name
from credence.oauth.authority import Authority
from credence.oauth.grants.grant import Caller, Grant, Login, Named, nothing_to_confirm
from credence.oauth.issue import Asked, Issued, issue, new_family
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.status_lists.assignment import with_places
from credence.refusals import USER_MISSING, WRONG_USER, Refused
from credence.store.contract import Conflict
from credence.store.records import Application


def names(attributes: Attributes, _prefix: str) -> Named:
    """Return the login name that was given."""
    return Named(login_name(attributes.username or ""))


async def identify(
    authority: Authority, caller: Caller, attributes: Attributes, named: Named, now: Milliseconds
) -> Login:
    """Return the account whose login name and password these are; one refusal for all else (threats A1, A2, A6)."""
    attempt = LoginAttempt(named.username or "", caller.application.client_id, caller.network)
    return Login(await authority.passwords.verify(attempt, attributes.password or "", now, caller.gone))


async def open_family(
    authority: Authority, application: Application, login: Login, asked: Asked, now: Milliseconds
) -> Issued:
    """Open a family of tokens and return its first pair (spec §3.1)."""
    account = login.of_account
    family = await with_places(authority, new_family(authority, application, account, asked, now))
    try:
        await authority.store.open_family(family, account)
    except Conflict:
        raise Refused(WRONG_USER, "account.changed_meanwhile") from None
    return issue(authority, family, application, account)


PASSWORD = Grant(
    name="password",
    needs=("username", "password"),
    missing=USER_MISSING,
    names=names,
    identify=identify,
    confirm=nothing_to_confirm,
    issue=open_family,
)
