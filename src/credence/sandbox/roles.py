"""The applications and accounts of the sandbox, each with the property that a scenario needs (D18, D24)."""

from collections.abc import Mapping
from dataclasses import dataclass

from credence.access.rules import AccessRules, Window
from credence.store.records import (
    AccountStatus,
    AccountType,
    AuthenticationMethod,
    ConsoleRole,
)

ANYWHERE_ANYTIME = AccessRules()

NOWHERE_NEAR = AccessRules(networks=("192.0.2.0/24",))
"""Addresses reserved for documentation (RFC 5737): no call comes from there."""

NEVER = AccessRules(windows=(Window(weekdays=(), start=0, end=0),))
"""A weekly window without a day, so that no call is inside it."""


@dataclass(frozen=True, slots=True)
class ApplicationRole:
    """An application by its registered name; None means that the setting of the service applies."""

    name: str
    access_token_lifetime: int | None = None
    """Lifetime in seconds."""
    spike_per_minute: int | None = None
    authentication: AuthenticationMethod = "client_secret"
    grants: tuple[str, ...] = ("password", "refresh_token")
    rules: AccessRules = ANYWHERE_ANYTIME
    in_portal: bool = False
    """Whether the portal shows it, with its log, to the account `demo`."""


@dataclass(frozen=True, slots=True)
class AccountRole:
    """An account by its login name. `profile` is email, first and last name."""

    username: str
    type: AccountType = "user"
    status: AccountStatus = "active"
    profile: tuple[str | None, str | None, str | None] = (None, None, None)
    rules: AccessRules = ANYWHERE_ANYTIME
    console_role: ConsoleRole = "none"
    workbench: bool = False
    """Whether the person works in the credit workbench, for the main application."""


MAIN = ApplicationRole("Sandbox application", in_portal=True)
STANDARD = ApplicationRole(
    "Sandbox: standard clients",
    authentication="client_secret_post",
    grants=("password", "refresh_token", "client_credentials"),
    in_portal=True,
)
"""The application for clients that send their secret in the form, as most libraries do by default (D1)."""

APPLICATIONS: Mapping[str, ApplicationRole] = {
    "short-lived": ApplicationRole("Sandbox: tokens of one second", access_token_lifetime=1),
    "hurried": ApplicationRole("Sandbox: one request a minute", spike_per_minute=1),
    "elsewhere": ApplicationRole("Sandbox: only from 192.0.2.0/24", rules=NOWHERE_NEAR),
}

USER = AccountRole("demo", profile=("ada.demo@example.com", "Ada", "Demo"), workbench=True)
SERVICE = AccountRole("demo-service", "service")
FORGETFUL = AccountRole("forgetful")
HURRIED = AccountRole("hurried")
OUT_OF_HOURS = AccountRole("out-of-hours", rules=NEVER)
INACTIVE = tuple(
    AccountRole(status, status=status)
    for status in ("suspended", "locked", "expired", "closed")  # D14
)
OPERATOR = AccountRole("operator", console_role="owner")
"""The account for the operator console, which only this machine reaches unless the operator opens it."""
SUPPORTING = (FORGETFUL, HURRIED, OUT_OF_HOURS, *INACTIVE, OPERATOR)
"""Accounts of scenarios and of the console. They share the password of the user account."""
