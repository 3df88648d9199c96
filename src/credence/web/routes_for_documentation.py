"""The rows of the route table for the model card and the documentation as Markdown; `routes.py` has the others."""

from credence import paths
from credence.api.public.documentation import documentation_page, list_for_models
from credence.api.public.model_card import model_card
from credence.api.reference.operations import about
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

_PUBLIC, _ALL = Protection.PUBLIC, AllowedOrigins.ALL

DOCUMENTATION = (
    Route(READ, paths.MODEL_CARD, _PUBLIC, model_card, about.MODEL_CARD),
    Route(READ, f"{paths.DOCS}/{{page}}", _PUBLIC, documentation_page, about.DOCUMENTATION_PAGE, origins=_ALL),
    Route(READ, f"{paths.DOCS}/{{folder}}/{{page}}", _PUBLIC, documentation_page, about.FURTHER_PAGE, origins=_ALL),
    Route(READ, paths.LLMS, _PUBLIC, list_for_models, about.LIST_FOR_MODELS, origins=_ALL),
)
