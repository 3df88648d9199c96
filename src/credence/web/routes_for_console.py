"""The rows of the route table for the operator console (D30); they exist only on the management address (threats E1)."""

from credence.sites.console.table import CONSOLE as SITE
from credence.sites.kit.routing import routes_of
from credence.web.routes import ROUTES
from credence.web.routes_for_developers import DEVELOPERS
from credence.web.routes_for_management import MANAGEMENT
from credence.web.routes_for_workbench import WORKBENCH

CONSOLE = routes_of(SITE, (*ROUTES, *WORKBENCH, *DEVELOPERS, *MANAGEMENT))
