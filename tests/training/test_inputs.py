"""What decides whether the tests of this folder run: any file of ours that they import."""

import subprocess
import sys
from pathlib import Path

from tests.when_changed import FOLDERS, ROOT

IMPORTED = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*(module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)), sep="\\n")
"""


def test_no_file_that_they_import_can_change_without_a_run_of_these_tests() -> None:
    own = [f"tests.training.{file.stem}" for file in Path(__file__).parent.glob("test_*.py") if file != Path(__file__)]
    done = subprocess.run([sys.executable, "-c", IMPORTED, *own], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = {Path(line) for line in done.stdout.splitlines()}
    ours = {file for file in imported if file.is_relative_to(ROOT) and ".venv" not in file.parts}
    assert {file.name for file in ours} >= {"fit.py", "register.py", "snapshots.py"}
    packages = {
        ROOT / "tests/__init__.py",
        *(ROOT / "tests").glob("*/__init__.py"),
        *(ROOT / "tests").glob("*/*/__init__.py"),
    }
    assert ours - FOLDERS["tests/training"].files() - packages == set()
