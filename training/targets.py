"""The targets of the score, and what the shipped tables reach (credit §8)."""

from collections.abc import Iterator

from training.validation import Validation

LEAST_AUC = {"Short table": 0.745, "Full table": 0.815, "With profit": 0.86}
MISSED = {"Full table: AUC, grouped by company": 0.808, "With profit: AUC, grouped by company": 0.858}
"""Targets that the shipped tables miss, with what they reach (docs/adr/score.md). A new model must not do worse."""
MOST_CALIBRATION_ERROR = 0.01
MOST_SWAP = 0.05
MOST_GAP_POINTS = 3
MOST_LEVEL = 1.5
"""Mean probability on UK filings as a multiple of the base; at least one divided by this."""


def targets(found: Validation) -> Iterator[dict[str, object]]:
    """Yield a row for each target: what is measured, the target, the figure, and whether it is reached."""
    for row in found.rows:
        least = LEAST_AUC[row.name]
        yield _line(
            f"{row.name}: AUC, grouped by company", f"at least {least}", row.points.auc, row.points.auc >= least
        )
        error = row.points.calibration_error
        most = f"at most {MOST_CALIBRATION_ERROR}"
        yield _line(f"{row.name}: calibration error", most, error, error <= MOST_CALIBRATION_ERROR)
    for swap in found.swaps:
        change = swap.after / swap.before - 1
        words = f"Change of the mean probability, {swap.words}"
        yield _line(words, f"at most {MOST_SWAP}", change, abs(change) <= MOST_SWAP)
    for gap in found.filings.gaps:
        words = f"UK filings: median gap that the table {gap.name} makes, points"
        yield _line(words, f"at most {MOST_GAP_POINTS}", gap.median, gap.median <= MOST_GAP_POINTS)
    for level in found.filings.levels:
        words = f"UK filings: mean probability over the base, table {level.name}"
        reached = 1 / MOST_LEVEL <= level.all_filings <= MOST_LEVEL
        yield _line(words, f"within a factor of {MOST_LEVEL}", level.all_filings, reached)


def _line(words: str, target: str, figure: float, reached: bool) -> dict[str, object]:
    return {"measure": words, "target": target, "figure": f"{figure:.4f}", "reached": "yes" if reached else "no"}
