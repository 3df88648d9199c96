"""Runs operations for the reader of the workbench, as forms of its screens."""

from credence.api.resources.acting import Recording, means_of
from credence.errors import InvalidInput
from credence.operations.acting import Acting
from credence.operations.operation import Operation
from credence.operations.perform import Outcome, perform
from credence.sites.kit.screen import InvalidForm, Visit
from credence.sites.workbench.reader import reader_of


async def perform_here(visit: Visit, operation: Operation, key: str, body: object) -> Outcome:
    """Do an operation for the application of the reader. Raises InvalidForm, Refused and Conflict."""
    try:
        outcome: Outcome = await perform(operation, acting_of(visit), key, body)
    except InvalidInput as error:
        raise InvalidForm(str(error), error.member) from None
    return outcome


def acting_of(visit: Visit) -> Acting:
    """Return the reader as a caller of operations, who acts on what the application has."""
    service, request, username = visit.service, visit.request, visit.account.username
    return Acting(
        means_of(service),
        lambda: request.now,
        username,
        Recording(service, request, username, visit.site.name),
        owns=reader_of(visit).client_id,
        signed_in_at=visit.session.signed_in_at,
    )
