"""What the doctor says of the Python of an installation."""

import sys

import pytest

from credence.doctor.examination import build_of_python
from credence.doctor.finding import CheckOutcome


@pytest.mark.parametrize(("optimised", "outcome"), [(True, CheckOutcome.OK), (False, CheckOutcome.WARNING)])
def test_the_doctor_warns_of_a_python_that_was_built_without_optimisations(
    optimised: bool, outcome: CheckOutcome
) -> None:
    found = build_of_python(optimised=optimised)
    assert found.outcome is outcome
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in found.seen
    assert any("--enable-optimizations" in line for line in found.to_do) is not optimised
