"""The screens of the workbench in the order of the navigation.

Routes, navigation, and the test of which scope reaches which screen are derived from it.
"""

from credence.web.workbench.alerts import ALERT, INBOX
from credence.web.workbench.company import COMPANY, COMPANY_TAB
from credence.web.workbench.compare import COMPARING
from credence.web.workbench.decisions import DECIDING
from credence.web.workbench.digest import DAILY
from credence.web.workbench.find import FIND, SUGGESTING
from credence.web.workbench.list_export import EXPORT
from credence.web.workbench.list_rules import LIST_RULES
from credence.web.workbench.listed_company import LISTED_COMPANY
from credence.web.workbench.lists import PORTFOLIOS
from credence.web.workbench.one_list import PORTFOLIO
from credence.web.workbench.webhooks import HOOK, HOOKS

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
