"""The page `docs/terraform.md`: an application made, changed, found changed by hand and ended by Terraform (D30)."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.imports import ROOT
from tests.journeys.test_management_address import PATIENCE, answers
from tests.ports import free_port
from tests.running import RunningServer, start
from tests.waiting import wait_until

pytestmark = pytest.mark.long

(MAIN,) = re.findall(r"```hcl\n(.+?)```", (ROOT / "docs" / "terraform.md").read_text(encoding="utf-8"), re.DOTALL)
PROGRAMS = ("terraform", "terraform-provider-restapi")


class Terraform:
    """A folder with the page's file, the provider and the variables of an application of the deployment."""

    def __init__(self, folder: Path, server: RunningServer, manage: str) -> None:
        self.folder, self.server = folder, server
        (folder / "main.tf").write_text(MAIN)
        provider = shutil.which("terraform-provider-restapi")
        overrides = f'dev_overrides {{ "Mastercard/restapi" = "{Path(str(provider)).parent}" }}'
        (folder / "configuration").write_text(f"provider_installation {{\n{overrides}\ndirect {{}}\n}}\n")
        scopes = ("--scope", "manage:read", "--scope", "manage:applications")
        made = json.loads(
            self.credence("app", "create", "Terraform", "--grant", "client_credentials", *scopes, "--json")
        )
        self._environment = {
            "PATH": f"{Path(str(shutil.which('terraform'))).parent}:/usr/bin:/bin",
            "HOME": str(folder),
            "TF_CLI_CONFIG_FILE": str(folder / "configuration"),
            "TF_VAR_issuer": server.base_url,
            "TF_VAR_manage": manage,
            "TF_VAR_client_id": made["client_id"],
            "TF_VAR_client_secret": made["client_secret"],
        }

    def credence(self, *words: str) -> str:
        done = self.server.command(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, *words: str, ends_with: int = 0) -> str:
        done = subprocess.run(
            ["terraform", *words],
            cwd=self.folder, env=self._environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == ends_with, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def terraform(tmp_path: Path) -> Iterator[Terraform]:
    if missing := [each for each in PROGRAMS if shutil.which(each) is None]:
        pytest.skip(f"{' and '.join(missing)} missing: nothing installs them, docs/terraform.md says which versions")
    port = free_port()
    server = start(tmp_path / "data", tmp_path / "output.txt", "--http", CREDENCE_MANAGE_PORT=str(port))
    manage = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: answers(manage), PATIENCE)
        (tmp_path / "code").mkdir()
        yield Terraform(tmp_path / "code", server, manage)
    finally:
        server.stop()


def test_an_application_follows_its_file_and_a_plan_shows_what_was_changed_by_hand(terraform: Terraform) -> None:
    terraform.run("apply", "-auto-approve")
    client_id = terraform.run("output", "-raw", "ledger")
    secret = terraform.run("output", "-raw", "ledger_secret")
    reply = terraform.server.client.post(
        "/oauth2/v1/token", auth=(client_id, secret), data={"grant_type": "client_credentials"}
    )
    assert reply.status_code == 200
    terraform.run("plan", "-detailed-exitcode")

    terraform.credence("app", "set", client_id, "--name", "Changed by hand")
    plan = terraform.run("plan", "-detailed-exitcode", "-no-color", ends_with=2)
    assert '~ name     = "Changed by hand" -> "Ledger"' in plan
    terraform.run("apply", "-auto-approve")
    assert json.loads(terraform.credence("app", "show", client_id, "--json"))["name"] == "Ledger"

    terraform.run("destroy", "-auto-approve")
    assert json.loads(terraform.credence("app", "show", client_id, "--json"))["disabled"] is True
