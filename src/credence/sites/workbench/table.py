"""The screens of the workbench in the order of the navigation.

Routes, navigation, and the test of which scope reaches which screen are derived from it.
"""

from credence.sites.workbench.alerts import ALERT, INBOX
from credence.sites.workbench.company import COMPANY, COMPANY_TAB
from credence.sites.workbench.compare import COMPARING
from credence.sites.workbench.decisions import DECIDING
from credence.sites.workbench.digest import DAILY
from credence.sites.workbench.find import FIND, SUGGESTING
from credence.sites.workbench.list_export import EXPORT
from credence.sites.workbench.list_rules import LIST_RULES
from credence.sites.workbench.listed_company import LISTED_COMPANY
from credence.sites.workbench.lists import PORTFOLIOS
from credence.sites.workbench.one_list import PORTFOLIO
from credence.sites.workbench.webhooks import HOOK, HOOKS

SCREENS = (
    FIND,
    SUGGESTING,
    COMPANY,
    COMPANY_TAB,
    COMPARING,
    DECIDING,
    PORTFOLIOS,
    PORTFOLIO,
    EXPORT,
    LIST_RULES,
    LISTED_COMPANY,
    INBOX,
    ALERT,
    DAILY,
    HOOKS,
    HOOK,
)
