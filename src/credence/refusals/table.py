"""All rows of the error table."""

from credence.refusals import credentials, credit, grants, registration, requests, resources, sign_in
from credence.refusals.refusal import Refusal

EVERY_REFUSAL = tuple(
    value
    for subject in (requests, credentials, grants, sign_in, registration, credit, resources)
    for value in vars(subject).values()
    if isinstance(value, Refusal)
)
_BY_NAME = {refusal.name: refusal for refusal in EVERY_REFUSAL}


def named(name: str) -> Refusal | None:
    """Return the refusal with this name."""
    return _BY_NAME.get(name)
