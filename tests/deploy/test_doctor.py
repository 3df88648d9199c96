"""`credence doctor` through each recipe, whole and with a line missing (threats P17, A9, P13)."""

import json
from pathlib import Path
from unittest.mock import ANY

import pytest

from tests.deploy.conftest import Site
from tests.deploy.proxies import proxy
from tests.deploy.recipes import Ports
from tests.ports import free_port
from tests.running import RunningServer, run_command, start


def test_it_is_content_with_the_recipe(site: Site) -> None:
    code, findings = site.doctor()
    assert [(each["check"], each["seen"]) for each in findings if each["outcome"] != "ok"] == []
    assert len(findings) == 12
    assert code == 0


def test_it_names_the_line_that_is_missing(site: Site, tmp_path: Path) -> None:
    """Each line in turn, on another port: so it also says that the issuer is another address."""
    for number, (line, check, remedy) in enumerate(site.recipe.missing_without):
        ports = Ports(free_port(), free_port(), site.ports.nodes)
        folder = tmp_path / str(number)
        folder.mkdir()
        with proxy(site.recipe, folder, ports, without=line) as ca_file:
            code, findings = site.doctor(ports, ca_file)
        found = {each["check"]: each for each in findings}
        assert {name for name, each in found.items() if each["outcome"] == "failure"} == {check, "issuer"}, line
        assert any(each.startswith(remedy) for each in found[check]["to_do"]), line
        assert code == 1


def test_an_address_without_tls_for_a_port_with_tls_is_recognised(sandbox: RunningServer) -> None:
    done = run_command("doctor", "--url", sandbox.base_url.replace("https://", "http://"))
    assert done.returncode == 1
    assert "the port speaks HTTPS only" in done.stdout
    assert f"Use {sandbox.base_url}" in done.stdout


def test_one_node_behind_its_balancer_is_examined_under_the_public_name(tmp_path: Path) -> None:
    """The public address has another port, where nothing listens; TLS, SNI and Host have its name."""
    public = f"https://localhost:{free_port()}"
    server = start(tmp_path / "data", tmp_path / "output.txt", CREDENCE_BASE_URL=public)
    try:
        variables = {"CREDENCE_BASE_URL": public, "CREDENCE_DATA_DIR": str(server.data_dir)}
        node = f"127.0.0.1:{server.client.base_url.port}"
        done = run_command("doctor", "--json", "--resolve", node, **variables)
        found = {each["check"]: each for each in json.loads(done.stdout)}
        assert {name: each["seen"] for name, each in found.items() if each["outcome"] == "failure"} == {}
        assert (done.returncode, len(found), found["issuer"]["outcome"]) == (0, 14, "ok")
        made = run_command("app", "create", "Old program", "--pkce", "off", "--json", **variables)
        again = run_command("doctor", "--json", "--resolve", node, **variables)
        warnings = {each["check"]: each["seen"] for each in json.loads(again.stdout) if each["outcome"] == "warning"}
        of_this_python = {"Python": found["Python"]["seen"]} if found["Python"]["outcome"] == "warning" else {}
        assert (again.returncode, warnings) == (0, of_this_python | {"PKCE of applications": ANY})
        assert json.loads(made.stdout)["client_id"] in warnings["PKCE of applications"]
        assert run_command("doctor", "--json", **variables).returncode == 1
    finally:
        server.stop()


@pytest.mark.parametrize("node", ["10.0.0.11", "10.0.0.11:x", "https://10.0.0.11:1", "user@10.0.0.11:1", "[::1:1"])
def test_a_node_without_a_port_is_refused(node: str) -> None:
    done = run_command("doctor", "--resolve", node)
    assert (done.returncode, done.stderr.count("\n"), "10.0.0.11:8443" in done.stderr) == (2, 1, True)


def test_nothing_there_is_one_finding_and_exit_code_1() -> None:
    done = run_command("doctor", "--url", f"https://localhost:{free_port()}")
    assert done.returncode == 1
    assert "reached" in done.stdout
    assert len([line for line in done.stdout.splitlines() if line.startswith(("ok", "failure", "warning"))]) == 1
