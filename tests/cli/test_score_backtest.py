"""`credence score backtest`: one command from public files to an answer, without a deployment."""

import json
from pathlib import Path

import pytest

from tests.backtest.planted import AT, LATE, SOUND, UNTIL, order
from tests.datasets.snapshots import company, write
from tests.datasets.sources.hand_written import feed
from tests.running import run_command


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    registers = tmp_path / "registers"
    registers.mkdir()
    rows = [company(f"{n:08}", **(LATE if n <= 3 else SOUND)) for n in range(1, 21)]
    for day in (AT, UNTIL):
        write(registers / f"BasicCompanyData-{day}.csv", *rows)
    notices = feed(tmp_path / "gazette-1.json", *(order(f"{n:08}") for n in range(1, 4)))
    given = ["--register", str(registers), "--notices", str(notices), "--months", "6"]
    return [*given, "--at", str(AT), "--into", str(tmp_path / "into")]


def test_the_command_prints_the_answer_and_keeps_it(options: list[str], tmp_path: Path) -> None:
    done = run_command("score", "backtest", *options)
    assert done.returncode == 0, done.stderr
    kept = json.loads((tmp_path / "into" / "answer.json").read_text())
    assert kept["area"] == {"failed": 3, "others": 17, "auc": 1.0, "low": None, "high": None}
    assert "compulsory liquidation: 3, survived: 17" in done.stdout
    again = run_command("score", "backtest", *options, "--json")
    assert json.loads(again.stdout) == kept


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("--at", "1.5.2026"), "is not a day"),
        (("--at", "2025-05-01"), "There is no snapshot of the register of 2025-05-01"),
        (("--accounts", "nowhere.zip"), "There is no file nowhere.zip"),
    ],
)
def test_unusable_options_are_refused_with_a_reason(options: list[str], change: tuple[str, str], message: str) -> None:
    done = run_command("score", "backtest", *options, *change)
    assert done.returncode != 0
    assert message in done.stderr
