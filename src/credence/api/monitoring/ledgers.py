"""POST /monitoring/v1/portfolios/{id}/ledgers: uploads a ledger; `operations/ledgers.py` has what is done with it."""

from typing import Annotated

import msgspec

from credence.api.monitoring.companies import OF_PORTFOLIO
from credence.api.resources.acting import acting_for_itself
from credence.api.resources.descriptions import OF_A_BODY
from credence.api.resources.operations import explained
from credence.api.resources.pages import require_parameters
from credence.meanings import meaning
from credence.monitoring.ledger.uploads import LedgerState
from credence.oauth.bearer import Bearer
from credence.operations.ledgers import LedgerFile, upload_to
from credence.refusals.refusal import Refused
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.refusals.resources import RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE
from credence.web.routing.operation import Content

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_TYPES = frozenset({"text/csv", "text/plain", "text/tab-separated-values", XLSX, "application/octet-stream"})
_CSV_LEDGER = "Account ref,Name,Balance,Current,1-30\r\nC-1001,The Specimen Company,1250.50,1000.00,250.50\r\n"

_encode = msgspec.json.Encoder().encode


class Named(msgspec.Struct, forbid_unknown_fields=True):
    """The name of a file."""

    file_name: Annotated[str, msgspec.Meta(max_length=200), meaning("The name of the file.", example="debtors.csv")] = (
        ""
    )


async def upload_ledger(
    service: Service,
    request: Annotated[RequestContext, OF_PORTFOLIO, Named, Content("text/csv", (), {"A ledger": _CSV_LEDGER})],
    bearer: Bearer,
) -> Annotated[Answer, Content(JSON, (LedgerState,), status=201), RESOURCE_UNKNOWN, RESOURCE_PARAMETER, *OF_A_BODY]:
    """Upload a ledger.

    A list of debtors as an accounting program exports it: CSV in any usual encoding and with any usual delimiter, or XLSX
    (`application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`), at most 10 MB. Its columns are recognised by their
    headings, never by their places; nothing is taken into the book before `POST /monitoring/v1/ledgers/{upload}/take`.
    """
    require_parameters(request.parameters, "file_name")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in _TYPES:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    name = request.parameters.get("file_name", "")
    with explained("ledger"):
        by = acting_for_itself(service, request, bearer)
        made = await upload_to(by, LedgerFile(request.segments[0], name, request.body))
    location = f"/monitoring/v1/ledgers/{made.after.upload.id}"
    return Answer(201, JSON, _encode(made.state), (PRIVATE, ("location", location)), ("ledger_uploaded",))
