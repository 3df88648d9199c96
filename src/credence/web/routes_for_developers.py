"""The rows of the route table for the developer portal, on the address of the service."""

from credence.web.developers.site import DEVELOPERS as SITE
from credence.web.routes import ROUTES
from credence.web.routes_for_workbench import WORKBENCH
from credence.web.screens.routing import routes_of

DEVELOPERS = routes_of(SITE, (*ROUTES, *WORKBENCH))
