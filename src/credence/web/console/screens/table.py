"""The screens in the order of the navigation. Routes, navigation, and the test of who reaches what follow from it."""

from credence.web.console.screens.account import ACCOUNT
from credence.web.console.screens.accounts import ACCOUNTS
from credence.web.console.screens.applications import APPLICATION, APPLICATIONS
from credence.web.console.screens.audit import AUDIT
from credence.web.console.screens.data import DATA
from credence.web.console.screens.health import HEALTH
from credence.web.console.screens.keys import KEYS
from credence.web.console.screens.log import LOG
from credence.web.console.screens.overview import OVERVIEW
from credence.web.console.screens.request import REQUEST
from credence.web.console.screens.settings import SETTINGS
from credence.web.console.screens.tokens import TOKENS
from credence.web.console.screens.webhooks import WEBHOOKS

SCREENS = (
    OVERVIEW,
    LOG,
    REQUEST,
    APPLICATIONS,
    APPLICATION,
    ACCOUNTS,
    ACCOUNT,
    TOKENS,
    KEYS,
    DATA,
    WEBHOOKS,
    AUDIT,
    HEALTH,
    SETTINGS,
)
