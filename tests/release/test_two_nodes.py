"""The page `docs/two-nodes.md`, run as it is printed on three machines, one of which is switched off and on again."""

import json
import re
import shutil
import ssl
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from credence import __version__
from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.architecture.imports import ROOT
from tests.release.machines import Machine, lacking, network
from tests.waiting import wait_until

pytestmark = pytest.mark.long

PAGE = (ROOT / "docs" / "two-nodes.md").read_text(encoding="utf-8")
NAME = "api.example.com"
ADDRESSES = {"one": "10.91.7.11", "two": "10.91.7.12", "witness": "10.91.7.13"}
REPORT = "/risk/business/v1/registeredcompanycredit/00000006"


def commands(section: str) -> str:
    text = PAGE.split(f"\n## {section}\n", 1)[1].split("\n## ")[0]
    return "".join(re.findall(r"```sh\n(.+?)```", text, re.DOTALL))


@pytest.fixture
def machines() -> Iterator[list[Machine]]:
    if missing := lacking():
        pytest.skip(f"needs {', '.join(missing)}, on Debian 12: python -m tests.provision")
    with network(ADDRESSES, "10.91.7.1") as made:
        yield made


def test_the_page_makes_two_nodes_of_which_either_may_be_lost(
    machines: list[Machine], release: Path, tmp_path: Path
) -> None:
    one, two, witness = machines
    chain, key = ensure_certificates(tmp_path / "tls", NAME)
    variables, rest = commands("On each machine").replace("10.0.0.1", "10.91.7.1").split("install -d", 1)
    for each in machines:
        each.run(f"echo '127.0.0.1 localhost\n{two.address} {NAME}' > /etc/hosts")
        each.run(f"{variables}install -d{rest}")
    one.run(variables + commands("Certificates and passwords, on machine one"))
    files = one.file("srv/two-nodes")
    shutil.copy(release / f"credence_{__version__}_amd64.deb", files)
    shutil.copy(chain, files / "fullchain.pem")
    shutil.copy(key, files / "privkey.pem")
    shutil.copy(authority_file(tmp_path / "tls"), files / "public-authority.pem")
    trusted = "export CURL_CA_BUNDLE=/srv/two-nodes/public-authority.pem\n"
    shutil.copytree(files, two.file("srv/two-nodes"), ignore=shutil.ignore_patterns("ca-key.pem"))
    of_witness = witness.file("srv/two-nodes")
    of_witness.mkdir()
    for name in ("ca.pem", f"{witness.address}.pem", f"{witness.address}-key.pem"):
        shutil.copy(files / name, of_witness)
    for each in machines:
        each.run(variables + commands("etcd, on each machine"))
    database, alone = commands("PostgreSQL, on machine one and then on machine two").split("until ", 1)
    one.run(variables + database + "until " + alone)
    two.run(variables + database)
    for each in (one, two):
        printed = each.run(variables + commands("Credence, on machine one and on machine two"))
        assert "The settings are safe for production." in printed
    for each in (one, two):
        each.run(
            "sed -i 's/maxconn 10000/maxconn 200/' /usr/share/doc/credence/haproxy/haproxy.cfg"
        )  # fewer open files
        each.run(trusted + variables + commands("HAProxy, on machine one and on machine two"))
    two.run(variables + commands("Backups, on machine two"))
    printed = one.run(trusted + variables + "cd /srv\n" + commands("See it work"))
    tokens = [json.loads(line)["access_token"] for line in printed.splitlines() if line.startswith("{")]
    assert len(tokens) == 2
    wait_until(lambda: "Sync Standby" in state(one), 60)
    assert "credence_ready" in two.run(f"curl -sS --fail http://{one.address}:9464/metrics")
    client = json.loads(one.run("cat /srv/client.json"))

    context = ssl.create_default_context(cafile=authority_file(tmp_path / "tls"))
    headers, names = {"Host": NAME}, {"sni_hostname": NAME}
    with httpx.Client(base_url=f"https://{two.address}", verify=context, trust_env=False, timeout=20) as caller:

        def accepted(token: str) -> bool:
            bearer = {**headers, "Authorization": f"Bearer {token}"}
            try:
                answer = caller.get(REPORT, headers=bearer, extensions=names)
            except httpx.TransportError:  # HAProxy had sent it to the machine that is gone
                return False
            return answer.status_code not in (401, 403, 500, 502, 503, 504)

        def new_token() -> str | None:
            """Return a token; None if none is issued, as while the lease of the database runs."""
            try:
                answer = caller.post(
                    "/oauth2/v1/token",
                    data={"grant_type": "client_credentials"},
                    auth=(client["client_id"], client["client_secret"]),
                    headers=headers,
                    extensions=names,
                )
            except httpx.TransportError:
                return None
            return str(answer.json()["access_token"]) if answer.status_code == 200 else None

        assert all(map(accepted, tokens))
        one.switch_off()
        wait_until(lambda: leads(two), 120)
        wait_until(lambda: new_token() is not None and all(map(accepted, tokens)), 60)
        one.start()
        one.run("systemctl start etcd patroni credence haproxy")
        wait_until(lambda: "Sync Standby" in state(two), 120)
        wait_until(lambda: accepted(new_token() or ""), 30)


def state(machine: Machine) -> str:
    return machine.run("patronictl -c /etc/patroni/config.yml list")


def leads(machine: Machine) -> bool:
    return any(machine.address in line and "Leader" in line for line in state(machine).splitlines())
