"""The operator console as a site: its screens in the order of the navigation.

Routes, navigation, and the test of which role reaches which screen are derived from this table.
"""

from typing import Final

from credence.identity.console_roles import CONSOLE_ROLES, role_reaches
from credence.management import site_applications
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import Account
from credence.store.sign_ins import Session
from credence.web.console.screens.account import ACCOUNT
from credence.web.console.screens.accounts import ACCOUNTS
from credence.web.console.screens.applications import APPLICATION, APPLICATIONS
from credence.web.console.screens.audit import AUDIT
from credence.web.console.screens.data import DATA
from credence.web.console.screens.health import HEALTH
from credence.web.console.screens.keys import KEYS
from credence.web.console.screens.limits import LIMITS
from credence.web.console.screens.log import LOG
from credence.web.console.screens.overview import OVERVIEW
from credence.web.console.screens.registrations import REGISTRATIONS
from credence.web.console.screens.request import REQUEST
from credence.web.console.screens.runs import RUNS
from credence.web.console.screens.settings import SETTINGS
from credence.web.console.screens.tokens import TOKENS
from credence.web.console.screens.webhooks import WEBHOOKS
from credence.web.screens.access import Admitted
from credence.web.screens.screen import Site

SCREENS = (
    OVERVIEW,
    LOG,
    REQUEST,
    APPLICATIONS,
    APPLICATION,
    REGISTRATIONS,
    ACCOUNTS,
    ACCOUNT,
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
