"""The man page credence(1), generated from the help of the commands."""

import re
import shutil
import subprocess

import pytest

from credence.cli.index import all_commands
from tools.man_page import render


def test_groff_formats_it_without_a_warning() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is missing: python -m tests.provision")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-c"], input=render(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(r".\x08", "", done.stdout)
    assert "credence app create" in shown
    assert "EXIT STATUS" in shown


def test_it_has_every_command() -> None:
    names = {
        f"{name} {below}".strip()
        for name, command in all_commands().items()
        for below in getattr(command, "commands", None) or [""]
    }
    titles = re.findall(r'^\.SS "credence (.+)"$', render().replace("\\-", "-"), re.MULTILINE)
    assert len(names) > 30
    assert {name for name in names if not any(f"{title} ".startswith(f"{name} ") for title in titles)} == set()
