"""The rows of the route table for the credit workbench, on the address of the service."""

from credence.sites.kit.routing import routes_of
from credence.sites.workbench.site import WORKBENCH as SITE
from credence.web.routes import ROUTES

WORKBENCH = routes_of(SITE, ROUTES)
