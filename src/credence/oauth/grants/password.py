"""The password grant (spec §1.2, §4.1, §5.2, RFC 6749 §4.3).

RFC 9700 §2.4 forbids this grant; the specification requires it. `docs/adr/password-grant.md` describes the consequences.
"""

from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.identity.login_attempts import LoginAttempt
from credence.identity.usernames import login_name
from credence.oauth.authority import Authority
from credence.oauth.grants.grant import Grant, Login
from credence.oauth.issue import Issued, TokenOptions, issue_pair, new_family
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.status_places import with_block
from credence.oauth.trusted_issuers.ways import must_sign_in_there
from credence.refusals.credentials import USER_MISSING, WRONG_USER
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.contract import Conflict
from credence.store.records import Account, Application


@dataclass(frozen=True, slots=True)
class ClaimedUser:
    """The login name of the request, in normal form."""

    username: str


class PasswordLogin(Login, frozen=True):
    """The account whose password was verified."""

    account: Account


def claimed_user(_authority: Authority, attributes: Attributes) -> ClaimedUser:
    """Return the login name of the request."""
    return ClaimedUser(login_name(attributes.username or ""))


async def authenticate(
    authority: Authority,
    application: Application,
    request: RequestContext,
    attributes: Attributes,
    claimed: ClaimedUser | None,
) -> PasswordLogin:
    """Return the account with this login name and password.

    Every failure gets the same refusal (threats A1, A2, A6). An account or application that requires more than a password
    is refused after the password was checked; so is a person who has an app or a passkey, when the family is opened.
    """
    attempt = LoginAttempt(claimed.username if claimed else "", application.client_id, request.address_prefix)
    password = attributes.password or ""
    account = await authority.passwords.verify(attempt, password, request.now, request.disconnected)
    if account.sign_in != "password" or application.sign_in != "password":
        raise Refused(WRONG_USER, "account.needs_factor", account=account.username)
    if authority.issuers and must_sign_in_there(authority, account, application):
        raise Refused(WRONG_USER, "account.signs_in_elsewhere", account=account.username)
    return PasswordLogin(account)


async def open_family(
    authority: Authority, application: Application, login: PasswordLogin, options: TokenOptions, now: Milliseconds
) -> Issued:
    """Open a token family and return its first pair (spec §3.1).

    Raises Refused if the account was changed after its password was verified, and for a person who has an authenticator app
    or a passkey, unless the application may use the password alone. The store checks both as it stores the family.
    """
    account = login.account
    family = new_family(authority, application, account, options, now)
    if authority.settings.status_list:
        family = await with_block(authority.store, family)
    try:
        await authority.store.open_family(family, account, unless_enrolled=not application.password_alone)
    except Conflict:
        enrolled = any(each.kind != "recovery" for each in await authority.store.factors_of(account.username))
        if enrolled and not application.password_alone:
            raise Refused(WRONG_USER, "account.needs_factor", account=account.username) from None
        raise Refused(WRONG_USER, "account.changed_meanwhile") from None
    return issue_pair(authority, family, application, account)


PASSWORD = Grant(
    name="password",
    needs=("username", "password"),
    missing=USER_MISSING,
    claimed_identity=claimed_user,
    authenticate=authenticate,
    issue=open_family,
)
