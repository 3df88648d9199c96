"""What the fit of the score depends on."""

import pytest

when_inputs_change = pytest.mark.when_changed(
    "training/**/*",
    "src/credence/scoring/**/*",
    "src/credence/sandbox/data/accounts-demonstration.zip",
    packages=("numpy", "scipy", "scikit-learn", "interpret-core"),
)
