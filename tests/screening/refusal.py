"""How the tests of this room say: this is refused, with this reason."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT


@contextmanager
def refused(reason: str) -> Iterator[None]:
    with pytest.raises(Refused) as caught:
        yield
    assert caught.value.refusal is THREAT
    assert caught.value.reason == reason
