"""The screens in the order of the navigation. Routes, navigation, and the test of who reaches what follow from it."""

from credence.web.console.screens.account import ACCOUNT
from credence.web.console.screens.accounts import ACCOUNTS
from credence.web.console.screens.applications import APPLICATION, APPLICATIONS
from credence.web.console.screens.health import HEALTH
from credence.web.console.screens.keys import KEYS
from credence.web.console.screens.overview import OVERVIEW
from credence.web.console.screens.settings import SETTINGS

SCREENS = (OVERVIEW, APPLICATIONS, APPLICATION, ACCOUNTS, ACCOUNT, KEYS, HEALTH, SETTINGS)
