"""The credit workbench as a site: its screens in the order of the navigation.

Routes, navigation, and the test of which scope reaches which screen are derived from it.
"""

from typing import Final

from credence.management import site_applications
from credence.sites.kit.screen import Site
from credence.sites.workbench.alerts import ALERT, INBOX
from credence.sites.workbench.book import BOOK_SCREEN
from credence.sites.workbench.company import COMPANY, COMPANY_TAB
from credence.sites.workbench.company_alert import COMPANY_ALERT
from credence.sites.workbench.compare import COMPARING
from credence.sites.workbench.decisions import DECIDING
from credence.sites.workbench.digest import DAILY
from credence.sites.workbench.find import FIND, SUGGESTING
from credence.sites.workbench.ledger import LEDGER, LEDGERS
from credence.sites.workbench.limits import APPROVED_LIMITS
from credence.sites.workbench.list_export import EXPORT
from credence.sites.workbench.list_rules import LIST_RULES
from credence.sites.workbench.listed_company import LISTED_COMPANY
from credence.sites.workbench.lists import PORTFOLIOS
from credence.sites.workbench.matching import MATCHING
from credence.sites.workbench.one_list import PORTFOLIO
from credence.sites.workbench.reader import admit
from credence.sites.workbench.webhooks import HOOK, HOOKS
from credence.store.records import Account

SCREENS = (
    FIND,
    SUGGESTING,
    COMPANY,
    COMPANY_TAB,
    COMPARING,
    DECIDING,
    BOOK_SCREEN,
    APPROVED_LIMITS,
    PORTFOLIOS,
    PORTFOLIO,
    EXPORT,
    LIST_RULES,
    LEDGERS,
    LEDGER,
    MATCHING,
    LISTED_COMPANY,
    INBOX,
    ALERT,
    COMPANY_ALERT,
    DAILY,
    HOOKS,
    HOOK,
)


def _how_to_get_in(account: Account) -> str:
    if not account.workbench_for:
        return (
            "You do not have access to the workbench yet. An operator can give you access on the command line: "
            f"credence account workbench {account.username} CLIENT_ID"
        )
    return (
        f"The application {account.workbench_for}, for which you work here, may not do this. The operator of the service "
        "gives scopes to applications, and enables those that are disabled."
    )


WORKBENCH: Final = Site(
    site_applications.WORKBENCH,
    "workbench",
    admit,
    _how_to_get_in,
    SCREENS,
    over=(("credence.sites.workbench", "workbench.css"),),
    scripts=(("credence.sites.workbench", "suggest.js"), ("credence.sites.workbench", "keys.js")),
)
