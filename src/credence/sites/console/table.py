"""The operator console as a site: its screens in the order of the navigation.

Routes, navigation, and the test of which role reaches which screen are derived from this table.
"""

from typing import Final

from credence.identity.console_roles import CONSOLE_ROLES, role_reaches
from credence.management import site_applications
from credence.request_context import RequestContext
from credence.service import Service
from credence.sites.console.account import ACCOUNT
from credence.sites.console.accounts import ACCOUNTS
from credence.sites.console.applications import APPLICATION, APPLICATIONS
from credence.sites.console.audit import AUDIT
from credence.sites.console.data import DATA
from credence.sites.console.health import HEALTH
from credence.sites.console.issuers import ISSUER, ISSUERS
from credence.sites.console.keys import KEYS
from credence.sites.console.limits import LIMITS
from credence.sites.console.log import LOG, REQUEST
from credence.sites.console.overview import OVERVIEW
from credence.sites.console.registrations import REGISTRATIONS
from credence.sites.console.runs import RUNS
from credence.sites.console.settings import SETTINGS
from credence.sites.console.tokens import TOKENS
from credence.sites.console.webhooks import WEBHOOKS
from credence.sites.kit.access import Admitted
from credence.sites.kit.screen import Site
from credence.store.records import Account
from credence.store.sign_ins import Session

SCREENS = (
    OVERVIEW,
    LOG,
    REQUEST,
    APPLICATIONS,
    APPLICATION,
    REGISTRATIONS,
    ACCOUNTS,
    ACCOUNT,
    ISSUERS,
    ISSUER,
    TOKENS,
    KEYS,
    LIMITS,
    DATA,
    RUNS,
    WEBHOOKS,
    AUDIT,
    HEALTH,
    SETTINGS,
)


async def _admit(_service: Service, _request: RequestContext, _session: Session, account: Account) -> Admitted:
    role = account.console_role
    return Admitted(role, frozenset(each for each in CONSOLE_ROLES if role_reaches(role, each)))


def _how_to_get_in(account: Account) -> str:
    return (
        f"Your role is {account.console_role}, which does not reach this. An owner of the deployment gives roles on its "
        f"command line: credence account role {account.username} ROLE"
    )


CONSOLE: Final = Site(
    site_applications.CONSOLE,
    "console",
    _admit,
    _how_to_get_in,
    SCREENS,
)
