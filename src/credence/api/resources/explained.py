"""Turns errors for operators into refusals of the JSON resources."""

from collections.abc import Iterator
from contextlib import contextmanager

from credence.datasets.credit_data import DAMAGED_FILES
from credence.errors import OperatorError
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED
from credence.store.contract import Conflict


@contextmanager
def explained(reasons: str = "manage") -> Iterator[None]:
    """Turn an error raised in the block into a refusal: 422 for a value that is not allowed, 409 for a concurrent change.

    `reasons` is the first part of the reason code of such a change.

    The messages are those of the command line. They repeat values that the operator sent, and no secret.
    """
    try:
        yield
    except Conflict:
        raise Refused(RESOURCE_CHANGED, f"{reasons}.changed") from None
    except DAMAGED_FILES:  # no fault of the caller
        raise
    except OperatorError as error:
        raise Refused(because(RESOURCE_MALFORMED, str(error)), "manage.value") from None
