"""Every operation and reading, in the order of the management API; its routes and the page of accesses follow."""

from collections.abc import Sequence
from typing import Final

from credence.operations import account_access, accounts, clocks, data_holds, logins, password_links, signing_keys
from credence.operations.operation import Operation, Reading

OPERATIONS: Final[Sequence[Operation | Reading]] = (
    clocks.read_clock,
    clocks.advance_clock,
    clocks.reset_clock,
    accounts.list_accounts,
    accounts.make_account,
    accounts.read_account,
    accounts.set_account,
    accounts.change_account,
    account_access.count_attempts,
    account_access.unlock,
    account_access.end_all,
    account_access.let_into_portal,
    password_links.invite,
    password_links.reset_link,
    logins.list_sessions,
    logins.end_session,
    logins.list_logins,
    logins.end_login,
    logins.list_consents,
    logins.withdraw_consent,
    logins.list_factors,
    logins.remove_factors,
    data_holds.read_hold,
    data_holds.hold,
    data_holds.release,
    signing_keys.list_keys,
    signing_keys.roll,
    signing_keys.revoke,
)
