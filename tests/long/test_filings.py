"""The reader of accounts on all 421 filings of the sample, 41 of which come with the project.

The others come from the repositories that `tests/datasets/accounts/data/README.md` names. `CREDENCE_SAMPLE_DATA` names
the folder that holds them in `accounts`.
"""

import pytest

from credence.companies.facts.accounts import Accounts, FindingKind
from credence.datasets.sources.accounts import read
from credence.datasets.sources.source import Record
from credence.sandbox.demonstration_accounts import read_demonstration
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
    assert [record.fact for record in read_demonstration()] == extract(FILINGS)


def test_every_figure_of_the_whole_sample_is_in_another_parsers_list() -> None:
    assert strange(FILINGS) == []


def test_of_all_filings_one_asserts_a_material_uncertainty_of_the_company_itself() -> None:
    """Thirty speak of going concern; 00541560 and 05078870 are among those that only repeat what standards prescribe."""
    found = [
        record.fact
        for record in read(FILINGS)
        if isinstance(record, Record) and isinstance(record.fact, Accounts) and record.fact.findings is not None
    ]
    assert len(found) == 421
    of_kind = {
        kind: {each.company for each in found if any(one.kind is kind for one in each.findings or ())}
        for kind in FindingKind
    }
    assert of_kind[FindingKind.GOING_CONCERN] == {"09835877"}
    assert of_kind[FindingKind.QUALIFIED] == {"04184222"}
    assert of_kind[FindingKind.ADVERSE] == of_kind[FindingKind.DISCLAIMER] == set()
    assert of_kind[FindingKind.EMPHASIS] == {"04184222"}
    assert {"03694027", "04184222", "09835877"} <= of_kind[FindingKind.EVENTS_AFTER]
    assert len(of_kind[FindingKind.AUDIT_EXEMPT]) > 350
