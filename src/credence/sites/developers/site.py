"""The developer portal as a site: its screens in the order of the navigation. Routes and tests are derived from it."""

from typing import Final

from credence import paths
from credence.management import site_applications
from credence.management.developers import may_develop
from credence.request_context import RequestContext
from credence.service import Service
from credence.sites.developers.application import APPLICATION
from credence.sites.developers.applications import FORM, LIST
from credence.sites.developers.log import LOG, REQUEST
from credence.sites.developers.production import PRODUCTION
from credence.sites.developers.sandbox import SANDBOX
from credence.sites.developers.trying import OPERATION, OPERATIONS
from credence.sites.developers.webhooks import WEBHOOK, WEBHOOKS
from credence.sites.kit.access import NO_RIGHTS, Admitted
from credence.sites.kit.screen import Site
from credence.store.records import Account
from credence.store.sign_ins import Session


async def _admit(service: Service, _request: RequestContext, _session: Session, account: Account) -> Admitted:
    return _DEVELOPER if may_develop(service.settings, account) else NO_RIGHTS


def _how_to_get_in(account: Account) -> str:
    return (
        "You do not have access to the portal yet. An operator can give you access on the command line: "
        f"credence account developer {account.username}"
    )


_DEVELOPER = Admitted("developer", frozenset({"developer"}))

SCREENS = (LIST, FORM, APPLICATION, WEBHOOKS, WEBHOOK, PRODUCTION, OPERATIONS, OPERATION, SANDBOX, LOG, REQUEST)

DEVELOPERS: Final = Site(
    site_applications.DEVELOPERS,
    "developer portal",
    _admit,
    _how_to_get_in,
    SCREENS,
    setting="serves_developers",
    sign_up=("serves_sign_up", paths.SIGN_UP),
    welcome=(
        "Create an application, copy a program that signs people in or reads credit reports, and watch its requests arrive."
    ),
)
