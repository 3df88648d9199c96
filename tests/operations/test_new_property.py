"""The recipe of docs/architecture.md: three places, and every face has one more property of an application (D41)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import credence

EDITS = {
    "store/records.py": ("    terms_uri: str | None = None\n", "    help_uri: str | None = None\n"),
    "management/application_fields.py": (
        '    Option("terms_uri", _unless_empty),\n',
        '    Option("help_uri", _unless_empty),\n',
    ),
    "management/application_schema.py": (
        "    terms_uri: Annotated[\n",
        '    help_uri: Annotated[str | UnsetType | None, meaning("Where it helps."), Input("Its help.")] = UNSET\n',
    ),
}
"""File -> a line of it, and the line that is put before it. A fourth place would let clients register the property."""

SCRIPT = """
import json
import sys
from pathlib import Path

from typer.testing import CliRunner

from credence.api.reference.openapi import document
from credence.cli.operation_commands import add_to
from credence.operations.table import commands_of
from credence.settings import Settings
from credence.web.routes_for_management import MANAGEMENT
import typer

folder = Path(sys.argv[1])
group = typer.Typer()
add_to(group, *commands_of("app"))


def run(*arguments):
    done = CliRunner().invoke(group, [*arguments, "--data-dir", str(folder), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


made = run("create", "Shop", "--help-uri", "https://shop.example/help")
changed = run("set", made["client_id"], "--help-uri", "https://shop.example/new")
run("disable", made["client_id"])
schemas = document(MANAGEMENT, Settings(data_dir=folder))["components"]["schemas"]
print(json.dumps({
    "made": made["help_uri"],
    "changed": changed["help_uri"],
    "after": run("show", made["client_id"])["help_uri"],
    "audit": [json.loads(each)["changes"].get("help_uri") for each in (folder / "audit/audit.jsonl").open()],
    "schemas": sorted(name for name, each in schemas.items() if "help_uri" in each.get("properties", {})),
}))
"""


def test_three_lines_add_a_property_to_commands_api_description_and_audit_trail(tmp_path: Path) -> None:
    source, data = tmp_path / "source", tmp_path / "data"
    shutil.copytree(Path(credence.__file__).parent, source / "credence")
    for name, (known, new) in EDITS.items():
        file = source / "credence" / name
        text = file.read_text("utf-8")
        assert text.count(known) == 1, name
        file.write_text(text.replace(known, new + known), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(data)],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(source)},
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    old, new = "https://shop.example/help", "https://shop.example/new"
    assert (found["made"], found["changed"], found["after"]) == (old, new, new)
    assert found["audit"] == [{"after": old}, {"before": old, "after": new}, None]
    assert found["schemas"] == ["ApplicationBody", "ApplicationState"]
