"""What the fit of the score, its measures and the model card depend on."""

import pytest

when_inputs_change = pytest.mark.when_changed(
    "training/**/*",
    "src/credence/scoring/data/*",
    "src/credence/scoring/card/*",
    "docs/model-card*",
    *(f"src/credence/scoring/{name}.py" for name in ("conduct", "model", "points", "ratios", "scale", "sectors")),
    packages=("numpy", "scipy", "scikit-learn", "interpret-core"),
)
