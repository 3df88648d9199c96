"""The specimen's director, John William Smith with the number D99999999: fixed and fictitious (D24, report schema §1).

The details have every member of the clients' model except the error. A search finds him like every other director.
"""

import functools
from importlib import resources

import msgspec

NUMBER = "D99999999"
SURNAME, FORENAME, MIDDLE = "Smith", "John", "William"


@functools.cache
def details() -> bytes:
    """Return the details as JSON."""
    file = resources.files("credence.sandbox") / "data" / "specimen-director.json"
    return msgspec.json.format(file.read_bytes(), indent=-1)
