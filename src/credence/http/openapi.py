"""The OpenAPI 3.1 document, derived from the table of routes, the models, and the table of refusals.

Nothing here names an endpoint: what is mounted is described, and what is not mounted cannot be.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

import credence
from credence.http.openapi_models import model, models
from credence.http.openapi_responses import refusal_examples, responses
from credence.http.operations.operation import Content, Operation, Parameter
from credence.http.route import Protection, Route
from credence.settings import Settings

type_alias = dict[str, Any]
