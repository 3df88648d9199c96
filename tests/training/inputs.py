"""What the fit of the score depends on."""

import pytest

when_inputs_change = pytest.mark.when_changed(
    "training/**/*.py", "training/data/*", "src/credence/scoring/**/*", packages=("numpy", "scipy", "scikit-learn")
)
