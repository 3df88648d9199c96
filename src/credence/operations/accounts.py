"""Operations on accounts: those that change what operators choose (D14, D15, D30)."""

import asyncio
from typing import Annotated, Any, Final

import msgspec
from msgspec import Struct

from credence.crypto.randomness import new_password
from credence.identity.password_policy import hash_new_password
from credence.identity.usernames import check_login_name, login_name
from credence.management.accounts import body_of, configured_by, new_account, state_of
from credence.management.schema import AccountBody, Accounts, AccountState, NewAccountBody
from credence.meanings import Input
from credence.oauth.parameters.scopes import MANAGE_ACCOUNTS
from credence.operations.access_rules import TypedRules
from credence.operations.acting import READ, Access, Acting, require_changeable, require_role
from credence.operations.operation import Change, Noun, Operation, operation, patching, shorthand
from credence.operations.reading import listing, showing
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.records import Account, AccountStatus, AccountType, SignInPolicy
from credence.store.registry import ACCOUNTS

SUPPORT: Final = Access(MANAGE_ACCOUNTS, "support")
"""Who ends sessions and logins, and changes the state to one that can be undone."""

OPERATOR: Final = Access(MANAGE_ACCOUNTS, "operator")
CLOSING: Final = Access(MANAGE_ACCOUNTS, "operator", recent=True)

TAKEN: Final = because(RESOURCE_CHANGED, "This username is already taken.")


async def _find(by: Acting, username: str) -> Account | None:
    return await by.means.store.account(login_name(username))


async def _state(_by: Acting, account: Account) -> AccountState:
    return state_of(account)


def _require_reach(by: Acting, found: Account | None, after: Account | None) -> None:
    """Raise Refused unless the caller may change this account in this way (threats E13)."""
    if found is None:
        return
    require_role(by, found.console_role)
    require_changeable(by, found, after)
    if after is None or after == found:
        return
    if after.status == "closed" != found.status:
        CLOSING.require(by)
    if msgspec.structs.replace(body_of(after), status=found.status) != body_of(found):
        OPERATOR.require(by)


ACCOUNT: Final[Noun[Account]] = Noun(
    name="account",
    path="accounts/{username}",
    help="The account's username, in any case.",
    example="ada",
    kept=ACCOUNTS,
    find=_find,
    state=_state,
    require_reach=_require_reach,
    body_of=body_of,
)
list_accounts = listing(
    ACCOUNT,
    "account list",
    Accounts,
    id="list_accounts",
    columns=("username", "type", "status", "email", "created_at"),
    access=READ,
    title="List accounts",
    text="List the accounts by username, in pages.",
)
read_account = showing(
    ACCOUNT,
    "account show",
    id="read_account",
    access=READ,
    title="Read an account",
    text="Show an account without its password.",
)


class TypedAccount(Struct):
    """A new account, as a person types it."""

    username: Annotated[
        str,
        Input(
            "The username. It never changes and is never reassigned.",
            argument=True,
            label="Username",
            hint="It never changes and is never reassigned.",
        ),
    ]
    type: Annotated[AccountType, Input("For a person or for a program.")]
    email: Annotated[str | None, Input("Email address.", default="none", label="Email address", hint="")] = None
    email_verified: Annotated[
        bool,
        Input(
            "The email address is verified; applications receive it as verified.",
            flag="--email-verified",
            label="Email address is verified",
            hint="Applications receive it as verified.",
        ),
    ] = False
    first_name: Annotated[str | None, Input("First name.", default="none")] = None
    last_name: Annotated[str | None, Input("Last name.", default="none")] = None
    password: Annotated[str | None, Input("Read the password from standard input.", secret=True, in_form=False)] = None

    def body(self) -> "AccountWithPassword":
        """Return what the management API takes, with the password."""
        return AccountWithPassword(
            username=self.username,
            type=self.type,
            email=self.email,
            email_verified=self.email_verified,
            first_name=self.first_name,
            last_name=self.last_name,
            password=self.password,
        )


class AccountWithPassword(NewAccountBody, kw_only=True):
    """An account to be made with a password that the operator of the machine has chosen."""

    password: str | None = None


@operation(
    "account create",
    on=ACCOUNT,
    api=("POST", ""),
    access=OPERATOR,
    title="Create an account",
    id="make_account",
    typed=TypedAccount,
    makes=True,
    once=("password",),
)
async def make_account(by: Acting, _found: None, body: NewAccountBody) -> Change[Account]:
    """Register an account. The username never changes and is never reassigned.

    If you enter no password, one is created and shown once.
    """
    name = check_login_name(body.username)
    if await by.means.store.account(name) is not None:
        raise Refused(TAKEN, "manage.taken")
    given = getattr(body, "password", None)
    password = given or new_password()
    hashed = await asyncio.to_thread(hash_new_password, by.means.settings.password_profile, password)
    made = new_account(name, body, hashed, by.now)
    return Change(made, {} if given else {"password": password}, said=f"{name} has an account.")


def _or_make(username: str, body: AccountBody) -> tuple[Operation, NewAccountBody]:
    return make_account, NewAccountBody(username=username, **msgspec.structs.asdict(body))


@operation(
    "account set",
    on=ACCOUNT,
    api=("PUT", ""),
    access=SUPPORT,
    title="Replace or make an account",
    id="put_account",
    or_makes=_or_make,
)
async def set_account(by: Acting, found: Account, body: AccountBody) -> Change[Account]:
    """Make everything that operators choose what the body says; what it leaves out gets its default.

    An account that does not exist is made, with a password that only this answer has.
    """
    after = configured_by(found, body, by.now)
    is_about_state = after == found or after.status != found.status
    return Change(after, said=f"{found.username} is {after.status if is_about_state else 'changed'}.")


change_account = patching(
    set_account,
    title="Change an account",
    text="A merge patch (RFC 7396); null gives a member its default. `closed` is permanent.",
    id="change_account",
)


class TypedStatus(Struct):
    """Change the status of an account, which revokes its tokens and ends its sessions; `closed` is permanent."""

    status: Annotated[
        AccountStatus,
        Input(
            "The status.",
            argument=True,
            label="State",
            hint="",
            choices=[(each, each) for each in ("active", "suspended", "locked", "expired")],
        ),
    ]

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        return {"status": self.status}


class Closing(Struct):
    """Close an account. It never opens again, and its username is never given to anyone else."""

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        return {"status": "closed"}


class TypedSignIn(Struct):
    """Require a second factor or a passkey of an account, or a password alone.

    A person without one sets it up at the next sign-in. An account that needs more than a password gets no tokens by the
    password grant.
    """

    policy: Annotated[SignInPolicy, Input("What a sign-in needs at least.", argument=True, label="At least")]

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        return {"sign_in": self.policy}


class TypedProfile(Struct):
    """Change email address and names of a person. A new address is not verified."""

    email: Annotated[
        str | None, Input("Email address; '': none.", default="unchanged", label="Email address", hint="")
    ] = None
    email_verified: Annotated[
        bool | None,
        Input(
            "Whether the email address is verified; applications receive it as such.",
            flag="--email-verified/--no-email-verified",
            default="unchanged",
            label="Email address is verified",
            hint="Applications receive it as verified.",
        ),
    ] = None
    first_name: Annotated[str | None, Input("First name; '': none.", default="unchanged", hint="")] = None
    last_name: Annotated[str | None, Input("Last name; '': none.", default="unchanged", hint="")] = None

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        given = msgspec.structs.asdict(self).items()
        return {name: None if value == "" else value for name, value in given if value is not None}


set_status = shorthand(change_account, "account status", TypedStatus, title="Change the state")
close = shorthand(
    change_account,
    "account close",
    Closing,
    title="Close the account",
    button="Close it permanently",
    access=CLOSING,
    dangerous=True,
    confirm="{key}",
)
set_sign_in = shorthand(
    change_account, "account sign-in", TypedSignIn, title="Change what a sign-in needs", access=OPERATOR
)
set_rules = shorthand(
    change_account, "account rules", TypedRules, title="Change the addresses and hours", access=OPERATOR
)
set_profile = shorthand(
    change_account, "account profile", TypedProfile, title="Change email address and names", access=OPERATOR
)
