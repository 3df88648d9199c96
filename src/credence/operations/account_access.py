"""Operations on the passwords of accounts, and on who may use the sites of the product (D14, D28, threats A4, A5, E13)."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import Struct

from credence.errors import OperatorError, UnknownName
from credence.identity.accounts import with_everything_ended, with_password
from credence.identity.console_roles import with_console_role
from credence.identity.login_attempts import ACCOUNT as WRONG_PASSWORDS
from credence.identity.login_attempts import ACCOUNT_UNDER_ATTACK, account_key, failures_counted
from credence.identity.password_policy import hash_new_password
from credence.meanings import Input, meaning
from credence.operations.accounts import ACCOUNT, OPERATOR, SUPPORT
from credence.operations.acting import READ, Acting
from credence.operations.operation import Change, operation
from credence.operations.reading import reading
from credence.store.records import Account, ConsoleRole

_HERE = "The password is typed where the store is: it is sent to no other machine."
_SITES = (
    "Who runs the machine decides who may use the sites of the product: a token does not give that right (threats E13)."
)


class Attempts(Struct):
    """The wrong passwords that count against an account (threats A4, A5)."""

    wrong_passwords: Annotated[int, meaning("How many count against it now.")]
    unknown_origins_throttled: Annotated[bool, meaning("Whether sign-ins from unknown origins have to wait.")]


@reading("account attempts", on=ACCOUNT, api="attempts", access=READ, title="Count the wrong passwords of an account")
async def count_attempts(by: Acting, found: Account, _query: None) -> Attempts:
    """Show how many wrong passwords count against an account, and whether unknown origins are throttled."""
    (tally,) = await by.means.store.tallies([account_key(await by.means.read_digest_key(), found.username)])
    return Attempts(failures_counted(tally, WRONG_PASSWORDS, by.now), ACCOUNT_UNDER_ATTACK.wait(tally, by.now) > 0)


@operation(
    "account unlock",
    on=ACCOUNT,
    api=("POST", "unlock"),
    access=SUPPORT,
    title="Forget wrong passwords",
    button="Forget them",
)
async def unlock(by: Acting, found: Account, _body: None) -> Change[Account]:
    """Delete the wrong passwords that count against an account and its origins. The status of the account stays."""
    store, key = by.means.store, account_key(await by.means.read_digest_key(), found.username)
    (tally,) = await store.tallies([key])
    counted = failures_counted(tally, WRONG_PASSWORDS, by.now)
    said = "Wrong passwords no longer count against it."
    if not counted:
        return Change(found, said=said)
    forgotten = {"wrong_passwords": {"before": counted, "after": 0}}
    return Change(found, effect=lambda: store.clear_failures(key), effects=forgotten, said=said)


@operation(
    "account end-all",
    on=ACCOUNT,
    api=("POST", "end-all"),
    access=SUPPORT,
    title="End every session and login",
    button="End every session and login",
    id="end_everything",
    dangerous=True,
)
async def end_all(by: Acting, found: Account, _body: None) -> Change[Account]:
    """End every session and login of an account: the person signs in again everywhere, and so does every application."""
    return Change(with_everything_ended(found, by.now), said="Every session and login of the account has ended.")


class NewPassword(Struct):
    """A new password."""

    password: Annotated[str, Input("Read the password from standard input.", secret=True)]


@operation("account set-password", on=ACCOUNT, access=OPERATOR, title="Set a password", here_only=_HERE)
async def set_password(by: Acting, found: Account, body: NewPassword) -> Change[Account]:
    """Set a new password. Tokens obtained with the old one are revoked."""
    hashed = await asyncio.to_thread(hash_new_password, by.means.settings.password_profile, body.password)
    return Change(with_password(found, hashed, by.clock()))


class RoleBody(Struct):
    """A role in the console."""

    role: Annotated[ConsoleRole, Input("What the person may do in the operator console.", argument=True)]


@operation("account role", on=ACCOUNT, access=OPERATOR, title="Set the console role", here_only=_SITES)
async def give_role(_by: Acting, found: Account, body: RoleBody) -> Change[Account]:
    """Give a person a role in the operator console; `none` takes it away. It takes effect at once."""
    _require_person(found, "can have no role in the console")
    return Change(with_console_role(found, body.role))


class WorkbenchBody(Struct):
    """The application for which a person works."""

    application: Annotated[str, Input("client_id of the application the person works for, or none.", argument=True)]


@operation("account workbench", on=ACCOUNT, access=OPERATOR, title="Give access to the workbench", here_only=_SITES)
async def let_into_workbench(by: Acting, found: Account, body: WorkbenchBody) -> Change[Account]:
    """Let a person work in the credit workbench for an application, with its scopes and portfolios; `none` ends that."""
    _require_person(found, "cannot work in the workbench")
    client_id = "" if body.application == "none" else body.application
    if client_id and await by.means.store.application(client_id) is None:
        raise UnknownName(f"There is no application {client_id!r}.")
    return Change(_with(found, workbench_for=client_id))


class DeveloperBody(Struct, forbid_unknown_fields=True):
    """Whether a person may use the developer portal."""

    invited: Annotated[
        bool,
        meaning("Whether the person is invited."),
        Input("Invite the person, or take the invitation back.", flag="--on/--off", label="Is invited", hint=""),
    ] = True


@operation(
    "account developer",
    on=ACCOUNT,
    api=("POST", "developer"),
    access=OPERATOR,
    title="Invite to the developer portal",
    button="Change it",
    id="invite_developer",
)
async def let_into_portal(_by: Acting, found: Account, body: DeveloperBody) -> Change[Account]:
    """Invite a person to the developer portal, or take that back. It takes effect at once; the applications stay."""
    _require_person(found, "cannot use the portal")
    return Change(_with(found, developer=body.invited))


def _require_person(found: Account, cannot: str) -> None:
    if found.type != "user":
        raise OperatorError(f"A service account signs in nowhere: it {cannot}.")


def _with(found: Account, **changes: object) -> Account:
    return msgspec.structs.replace(found, version=found.version + 1, **changes)
