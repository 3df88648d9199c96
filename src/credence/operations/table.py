"""Every operation and reading, in order: commands, routes of the management API and the page of accesses follow from it."""

from collections.abc import Sequence
from typing import Final

from credence.operations import (
    account_access,
    accounts,
    application_changes,
    application_logins,
    applications,
    client_hosts,
    clocks,
    data_holds,
    invitations,
    logins,
    password_links,
    secrets,
    signing_keys,
)
from credence.operations.operation import Operation, Reading

OPERATIONS: Final[Sequence[Operation | Reading]] = (
    applications.list_applications,
    applications.make_application,
    applications.read_application,
    applications.set_application,
    applications.change_application,
    *application_changes.CHANGES,
    secrets.rotate_secret,
    secrets.end_secret,
    application_logins.end_logins,
    application_logins.end_every_login,
    client_hosts.list_hosts,
    client_hosts.decide,
    invitations.invite,
    clocks.read_clock,
    clocks.advance_clock,
    clocks.reset_clock,
    accounts.list_accounts,
    accounts.make_account,
    accounts.read_account,
    accounts.set_account,
    accounts.change_account,
    *accounts.CHANGES,
    account_access.count_attempts,
    account_access.unlock,
    account_access.set_password,
    account_access.give_role,
    account_access.let_into_workbench,
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


def commands_of(group: str) -> list[Operation | Reading]:
    """Return the operations and readings that are commands of a group, such as `app`."""
    return [each for each in OPERATIONS if each.is_command and each.name.split(" ")[0] == group]
