"""The programs of `docs/check-a-customer.md`, run as they are on the page against a sandbox."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.running import RunningServer

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "check-a-customer.md").read_text(encoding="utf-8")
PROGRAMS: dict[str, str] = dict(re.findall(r"```(python|javascript|sh)\n(.+?)```", PAGE, re.DOTALL))
NODE = shutil.which("node")


def run(sandbox: RunningServer, folder: Path, language: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the page; its words are the arguments."""
    file = folder / {"python": "check.py", "javascript": "check.mjs", "sh": "check.sh"}[language]
    file.write_text(PROGRAMS[language], encoding="utf-8")
    interpreter = {"python": ["python3"], "javascript": [NODE or "node"], "sh": ["sh", "-eu"]}[language]
    environment = {
        "PATH": os.environ["PATH"],
        "CREDENCE_SANDBOX": str(sandbox.data_dir / "sandbox.json"),
        "NODE_EXTRA_CA_CERTS": str(sandbox.ca_file),
    }
    return subprocess.run(
        [*interpreter, str(file), *arguments], capture_output=True, text=True, timeout=60, check=False, env=environment
    )


def test_the_python_program_has_thirty_lines() -> None:
    lines = [line for line in PROGRAMS["python"].splitlines() if line.strip()]
    assert len(lines) <= 30


@pytest.mark.parametrize(
    ("name", "number", "decision"),
    [
        ("invented band b", "99999902", "decision: credit up to "),
        ("invented band e", "99999905", "decision: ask a person. Very high risk"),
        ("exel computer systems", "01873499", "decision: ask for more. Not scored: "),
    ],
)
@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_customer_is_checked_by_name(
    sandbox: RunningServer, tmp_path: Path, language: str, name: str, number: str, decision: str
) -> None:
    if language == "javascript" and NODE is None:
        pytest.skip("node is missing: python -m tests.provision")
    done = run(sandbox, tmp_path, language, name)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(number)
    assert decision in done.stdout


def test_an_unknown_name_ends_with_a_sentence(sandbox: RunningServer, tmp_path: Path) -> None:
    done = run(sandbox, tmp_path, "python", "zzyzx")
    assert done.returncode == 1
    assert done.stderr.strip() == "No company has this name."


def test_the_curl_lines_search_and_fetch_a_part_of_a_report(sandbox: RunningServer, tmp_path: Path) -> None:
    done = run(sandbox, tmp_path, "sh")
    assert done.returncode == 0, done.stderr
    search, report = done.stdout.splitlines()
    assert '"BusinessRef":"99999902"' in search
    assert '"CommDelphiBand":"B"' in report


def test_it_is_the_first_link_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\[[^]]+\]\(([^)]+)\)", readme)
    assert links[0] == "docs/check-a-customer.md"
