"""The reader of accounts on all 421 filings of the sample, 41 of which come with the project.

The others come from the repositories that `tests/datasets/accounts/data/README.md` names. `CREDENCE_SAMPLE_DATA` names
the folder that holds them in `accounts`.
"""

import pytest

from credence.sandbox.demonstration_accounts import FILE, pack
from tests.datasets.accounts.test_parser_recall import strange
from tools.demonstration import SAMPLE, extract

FILINGS = sorted(SAMPLE.glob("*.zip"))

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not FILINGS, reason=f"{SAMPLE} is missing: its sources are in tests/datasets/accounts/data/README.md"
    ),
]


def test_the_demonstration_is_a_fresh_extraction() -> None:
    """Credit §5: to renew it, `python -m tools.demonstration`."""
    assert pack(extract(FILINGS)) == FILE.read_bytes()


def test_every_figure_of_the_whole_sample_is_in_another_parsers_list() -> None:
    assert strange(FILINGS) == []
