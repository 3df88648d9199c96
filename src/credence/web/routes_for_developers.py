"""The rows of the route table for the developer portal, on the address of the service."""

from credence.sites.developers.site import DEVELOPERS as SITE
from credence.sites.kit.routing import routes_of
from credence.web.routes import ROUTES
from credence.web.routes_for_workbench import WORKBENCH

DEVELOPERS = routes_of(SITE, (*ROUTES, *WORKBENCH))
