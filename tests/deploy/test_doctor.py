"""`credence doctor` through each recipe, whole and with a line missing (threats P17, A9, P13)."""

from pathlib import Path

from tests.deploy.conftest import Site
from tests.deploy.proxies import proxy
from tests.deploy.recipes import Ports
from tests.ports import free_port
from tests.running import RunningServer, run_command


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


def test_nothing_there_is_one_finding_and_exit_code_1() -> None:
    done = run_command("doctor", "--url", f"https://localhost:{free_port()}")
    assert done.returncode == 1
    assert "reached" in done.stdout
    assert len([line for line in done.stdout.splitlines() if line.startswith(("ok", "failure", "warning"))]) == 1
