"""The developer portal as a site: its screens in the order of the navigation. Routes and tests are derived from it."""

from typing import Final

from credence import paths
from credence.management import site_applications
from credence.management.developers import may_develop
from credence.settings import Settings
from credence.store.records import Account
from credence.web.developers.application import APPLICATION
from credence.web.developers.applications import FORM, LIST
from credence.web.developers.log import LOG, REQUEST
from credence.web.developers.production import PRODUCTION
from credence.web.developers.sandbox import SANDBOX
from credence.web.developers.trying import OPERATION, OPERATIONS
from credence.web.developers.webhooks import WEBHOOK, WEBHOOKS
from credence.web.screens.screen import Site

ROLES = ("none", "developer")


def _role_of(settings: Settings, account: Account) -> str:
    return "developer" if may_develop(settings, account) else "none"


def _how_to_get_in(account: Account) -> str:
    return (
        "The portal is for accounts that were invited to it. An operator invites one on the command line: "
        f"credence account developer {account.username}"
    )


SCREENS = (LIST, FORM, APPLICATION, WEBHOOKS, WEBHOOK, PRODUCTION, OPERATIONS, OPERATION, SANDBOX, LOG, REQUEST)

DEVELOPERS: Final = Site(
    site_applications.DEVELOPERS,
    "developer portal",
    ROLES,
    _role_of,
    _how_to_get_in,
    SCREENS,
    setting="serves_developers",
    sign_up=("serves_sign_up", paths.SIGN_UP),
)
