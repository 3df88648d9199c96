"""The rows of the route table for the credit workbench, on the address of the service."""

from credence.web.routes import ROUTES
from credence.web.screens.routing import routes_of
from credence.web.workbench.site import WORKBENCH as SITE

WORKBENCH = routes_of(SITE, ROUTES)
