"""A history of tokens has the same, promised answers with every store (threats §2.7, I1 to I6)."""

from pathlib import Path

import pytest

from tests.oauth.histories import worlds
from tests.oauth.random_histories import TokenHistory
from tests.random_histories import run_histories
from tests.sweeps import SEED, many


@pytest.mark.sweep
def test_every_token_is_valid_exactly_as_long_as_promised_in_every_store(
    tmp_path: Path, migrated_postgres: str
) -> None:
    """Over two nodes each. Ten thousand histories are `python -m tests.long.histories`."""
    with worlds(tmp_path, migrated_postgres) as both:
        run_histories(TokenHistory, both, count=many(4, long=200), steps=20, seed=SEED)
