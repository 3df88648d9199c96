"""Operations on accounts, shared by the command line, the management API and `credence apply` (D14, D15, D30)."""

import msgspec

from credence.clock import Milliseconds, rfc3339
from credence.errors import InvalidInput
from credence.identity import accounts
from credence.management.rules import ruled, rules_body_of
from credence.management.schema import AccountBody, AccountState
from credence.store.records import Account


def state_of(account: Account) -> AccountState:
    """Return the account as the management API shows it."""
    return AccountState(
        username=account.username,
        created_at=rfc3339(account.created_at),
        tokens_valid_from=rfc3339(account.not_before) if account.not_before else None,
        console_role=account.console_role,
        workbench_for=account.workbench_for or None,
        developer=account.developer,
        **msgspec.structs.asdict(body_of(account)),
    )


def body_of(account: Account) -> AccountBody:
    """Return the operator's choices about an account; `configured_by` makes an equal account from them."""
    return AccountBody(
        account.type,
        account.status,
        account.sign_in,
        account.email,
        account.email_verified,
        account.first_name,
        account.last_name,
        rules_body_of(account.rules),
    )


def new_account(username: str, body: AccountBody, password_hash: str, now: Milliseconds) -> Account:
    """Return a new account; raises InvalidInput for an invalid login name or rule."""
    made = accounts.register(username, body.type, password_hash, now)
    return msgspec.structs.replace(configured_by(made, body, now), version=1)


def configured_by(found: Account, body: AccountBody, now: Milliseconds) -> Account:
    """Return the account as the body describes it, with defaults for absent members; version + 1 if it changed.

    A change of the status or of the required sign-in revokes its tokens. Raises InvalidInput for invalid values.
    """
    if body.type != found.type:
        raise InvalidInput("The type of an account never changes.")
    names = (body.email, body.first_name, body.last_name)
    if body.type == "service" and any(names):
        raise InvalidInput("A service account has no email address and no names.")
    if not all(each.isprintable() for each in names if each is not None):
        raise InvalidInput("Email address and names are text of one line.")
    profile = (body.email or None, body.first_name or None, body.last_name or None)
    named = accounts.with_profile(found, *profile, now, email_verified=body.email_verified)
    changed = ruled(accounts.with_sign_in(accounts.with_status(named, body.status, now), body.sign_in, now), body.rules)
    changed = msgspec.structs.replace(changed, version=found.version)
    return found if changed == found else msgspec.structs.replace(changed, version=found.version + 1)
