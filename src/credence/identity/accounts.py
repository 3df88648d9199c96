"""Creates accounts, and changes their status and password (spec §1.6, D14)."""

import msgspec

from credence.clock import Milliseconds
from credence.errors import InvalidInput
from credence.identity.not_before import next_not_before
from credence.identity.usernames import check_login_name
from credence.store.records import (
    Account,
    AccountStatus,
    AccountType,
    SignInPolicy,
)


def register(
    username: str,
    account_type: AccountType,
    password_hash: str,
    now: Milliseconds,
    *,
    email: str | None = None,
    email_verified: bool = False,
    first_name: str | None = None,
    last_name: str | None = None,
) -> Account:
    """Return a new active account.

    Raises ValueError if the login name is not allowed. A service account has no profile (D5).
    """
    if account_type == "service":
        email = first_name = last_name = None
    return Account(
        check_login_name(username),
        account_type,
        password_hash,
        created_at=now,
        profile_updated_at=now,
        email=email,
        email_verified=email_verified and email is not None,
        first_name=first_name,
        last_name=last_name,
    )


def with_profile(
    account: Account,
    email: str | None,
    first_name: str | None,
    last_name: str | None,
    now: Milliseconds,
    *,
    email_verified: bool,
) -> Account:
    """Return the account with this profile, and with the next version if it differs.

    An address that was verified is not when it changes, unless it was not verified before and is said to be now.
    """
    verified = email_verified and email is not None and not (account.email_verified and email != account.email)
    before = (account.email, account.first_name, account.last_name, account.email_verified)
    if (email, first_name, last_name, verified) == before:
        return account
    return msgspec.structs.replace(
        account,
        email=email,
        email_verified=verified,
        first_name=first_name,
        last_name=last_name,
        profile_updated_at=now,
        version=account.version + 1,
    )


def with_proven_address(account: Account, address: str, now: Milliseconds) -> Account:
    """Return the account with a mail address that its owner has proved. Its tokens and sessions stay valid."""
    return msgspec.structs.replace(
        account, email=address, email_verified=True, profile_updated_at=now, version=account.version + 1
    )


def with_status(account: Account, status: AccountStatus, now: Milliseconds) -> Account:
    """Return the account with this status. A change revokes all its tokens (D14). ValueError for a closed account.

    Reactivation also revokes: another node may have issued tokens before it learned of the suspension (threats L9).
    """
    if account.status == "closed" and status != "closed":
        raise InvalidInput("A closed account stays closed; its username is never reassigned.")
    changes = status != account.status
    return msgspec.structs.replace(
        account,
        status=status,
        not_before=next_not_before(account.not_before, now) if changes else account.not_before,
        version=account.version + 1,
    )


def with_password(account: Account, password_hash: str, now: Milliseconds, *, proves_address: bool = False) -> Account:
    """Return the account with a new password. All its tokens become invalid (threats L5).

    `proves_address` says that the person chose it with a link that was sent to the mail address of the account.
    """
    proved = proves_address and not account.email_verified
    return msgspec.structs.replace(
        account,
        email_verified=account.email_verified or proved,
        profile_updated_at=now if proved else account.profile_updated_at,
        password_hash=password_hash,
        password_version=account.password_version + 1,
        not_before=next_not_before(account.not_before, now),
        version=account.version + 1,
    )


def with_sign_in(account: Account, policy: SignInPolicy, now: Milliseconds) -> Account:
    """Return the account with this minimum authentication of a sign-in.

    A change ends its sessions and revokes its tokens.
    """
    if account.sign_in == policy:
        return account
    return msgspec.structs.replace(
        account,
        sign_in=policy,
        not_before=next_not_before(account.not_before, now),
        version=account.version + 1,
    )


def with_everything_ended(account: Account, now: Milliseconds) -> Account:
    """Return the account with a new `not_before`, so that no earlier token or session is valid (threats L5)."""
    return msgspec.structs.replace(
        account, not_before=next_not_before(account.not_before, now), version=account.version + 1
    )


def with_rehashed_password(account: Account, password_hash: str) -> Account:
    """Return the account with the same password hashed at another cost. Its tokens stay valid (threats §8)."""
    return msgspec.structs.replace(account, password_hash=password_hash, version=account.version + 1)
