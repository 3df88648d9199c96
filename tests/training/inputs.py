"""What the fit of the score, its measures and the model card depend on."""

import pytest

when_inputs_change = pytest.mark.when_changed(
    "training/data/*",
    *(
        f"training/{name}.py"
        for name in ("__main__", "card", "ceilings", "filings", "fit", "level", "measures", "polish")
    ),
    *(f"training/{name}.py" for name in ("stability", "tables", "targets", "validation")),
    "training/*.md",
    "src/credence/scoring/data/*",
    "src/credence/scoring/card/*",
    "docs/model-card*",
    *(f"src/credence/backtest/{name}.py" for name in ("calibration", "charts", "discrimination")),
    *(f"src/credence/scoring/{name}.py" for name in ("conduct", "model", "points")),
    "src/credence/scoring/basis/*.py",
    packages=("numpy", "scipy", "scikit-learn", "interpret-core"),
)
