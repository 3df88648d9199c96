"""The screens in the order of the navigation. Routes, navigation, and the test of who reaches what follow from it."""

from credence.web.workbench.company import COMPANY, COMPANY_TAB
from credence.web.workbench.compare import COMPARING
from credence.web.workbench.find import FIND, SUGGESTING

SCREENS = (FIND, SUGGESTING, COMPANY, COMPANY_TAB, COMPARING)
