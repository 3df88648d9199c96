"""What a run could not check because the machine lacks something: a line for each at its end; in CI a failure.

A reason to skip says what is missing and how to get it: `openssl is missing: python -m tests.provision`.
"""

import os
from collections import Counter
from collections.abc import Generator

import pytest

CI = os.environ.get("CI", "") not in ("", "0", "false")
"""Whether this run decides on a change: then everything must have been checked."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a skipped test fail in CI."""
    report = yield
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Not checked, and in CI everything must be: {_reason(report)}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line each what was not checked and how to get what is missing."""
    skipped = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", []))
    if skipped:
        terminalreporter.section("not checked")
    for reason, count in sorted(skipped.items()):
        terminalreporter.line(f"{reason} ({count} test{'s' if count > 1 else ''})")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test was skipped; pytest keeps it behind the file and the line."""
    assert isinstance(report.longrepr, tuple)
    return report.longrepr[2].removeprefix("Skipped: ")
