"""Two groups behind one HAProxy, each with an issuer and a database of its own: the recipe of docs/other-databases.md."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.background.test_request_sharing import let_connect
from tests.deploy.proxies import missing, proxy
from tests.deploy.recipes import Ports, Recipe, haproxy_edge, nodes, run_haproxy
from tests.ports import free_port
from tests.postgres import database
from tests.running import RunningServer, start
from tests.waiting import wait_until

NAMES = ("localhost", "second.localhost")
KEYS = ("0123456789abcdef" * 4, "fedcba9876543210" * 4)

pytestmark = pytest.mark.long


@dataclass
class Group:
    """A group as its clients reach it: by its name, at the address that both groups have."""

    name: str
    store: str
    node: RunningServer
    client: httpx.Client
    """At the proxy."""

    def post(self, path: str, body: dict[str, str], headers: dict[str, str] | None = None) -> httpx.Response:
        named = {"Host": f"{self.name}:{self.client.base_url.port}", **self.node.client_headers, **(headers or {})}
        return self.client.post(path, headers=named, json=body, extensions={"sni_hostname": self.name})

    def get(self, path: str, **headers: str) -> httpx.Response:
        named = {"Host": f"{self.name}:{self.client.base_url.port}", **headers}
        return self.client.get(path, headers=named, extensions={"sni_hostname": self.name})

    def login(self) -> httpx.Response:
        return self.post("/oauth2/v1/token", {"username": self.node.username, "password": self.node.password})

    def refresh(self, token: str, headers: dict[str, str] | None = None) -> httpx.Response:
        return self.post("/oauth2/v1/token", {"grant_type": "refresh_token", "refresh_token": token}, headers)

    def report(self, token: str) -> int:
        path = f"/risk/business/v1/registeredcompanycredit/{self.node.company_number}"
        return self.get(path, Authorization=f"Bearer {token}").status_code


def recipe(certificates: Path, second: int) -> Recipe:
    """Return the recipe with the second group, whose node has a port; the certificates of both names are in a folder."""

    def changes(tls: Path, ports: Ports) -> dict[str, str]:
        edge = haproxy_edge(tls, ports) | {"/etc/credence/chain-and-key.pem": str(certificates)}
        further = {f"10.0.1.{number}:8443": f"127.0.0.1:{second}" for number in (11, 12)}
        return {"# group: ": "", "second.example.com": NAMES[1], **edge, **nodes(tls, ports), **further}

    files = ("haproxy/haproxy.cfg", "haproxy/many-nodes.cfg", "haproxy/second-group.cfg")
    return Recipe("haproxy", files, changes, run_haproxy)


@pytest.fixture(scope="module")
def groups(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Group, Group]]:
    folder = tmp_path_factory.mktemp("groups")
    with ExitStack() as stack:
        public, started, trusted = free_port(), [], ssl.create_default_context()
        certificates, authorities = folder / "certificates", folder / "authorities.pem"
        certificates.mkdir()
        for name, key in zip(NAMES, KEYS, strict=True):
            pair = ensure_certificates(folder / name / "tls", name)  # of the node, and shown to callers too
            authority = authority_file(folder / name / "tls")
            (certificates / f"{name}.pem").write_bytes(b"".join(file.read_bytes() for file in pair))
            trusted.load_verify_locations(authority)
            with authorities.open("ab") as file:
                file.write(authority.read_bytes())
            store = stack.enter_context(database(postgres_url))
            node = start(
                folder / name,
                folder / f"{name}.txt",
                CREDENCE_STORE=store,
                CREDENCE_KEY_ENCRYPTION_KEY=key,
                CREDENCE_BASE_URL=f"https://{name}:{public}",
                CREDENCE_TRUSTED_PROXIES="127.0.0.1",
            )
            stack.callback(node.stop)
            started.append((store, node))
        first, second = (node.client.base_url.port or 0 for _, node in started)
        wanted = recipe(certificates, second)
        if reason := missing(wanted):
            pytest.skip(reason)
        stack.enter_context(proxy(wanted, folder, Ports(public, free_port(), (first,) * 3), nodes_ca=authorities))
        client = stack.enter_context(
            httpx.Client(base_url=f"https://127.0.0.1:{public}", verify=trusted, trust_env=False, timeout=20)
        )
        made = [Group(name, store, node, client) for name, (store, node) in zip(NAMES, started, strict=True)]
        for each in made:
            wait_until(lambda group=each: group.get("/readyz").status_code == 200, 30)  # type: ignore[misc]
        yield made[0], made[1]


def test_each_name_leads_to_the_issuer_and_the_keys_of_its_group(groups: tuple[Group, Group]) -> None:
    found = [each.get("/.well-known/openid-configuration").json()["issuer"] for each in groups]
    assert found == [f"https://{name}:{groups[0].client.base_url.port}" for name in NAMES]
    keys = [{key["kid"] for key in each.get("/oauth2/v1/keys").json()["keys"]} for each in groups]
    assert keys[0] & keys[1] == set()


def test_a_login_lives_in_its_group_alone(groups: tuple[Group, Group]) -> None:
    first, second = groups
    pair = first.login().json()
    assert first.report(pair["access_token"]) == 200
    assert second.report(pair["access_token"]) == 401
    assert second.refresh(pair["refresh_token"]).status_code == 401
    assert second.refresh(pair["refresh_token"], first.node.client_headers).status_code == 401
    refreshed = first.refresh(pair["refresh_token"])
    assert refreshed.status_code == 200  # what the other group refused has ended nothing


def test_a_revocation_of_one_group_is_none_of_the_other(groups: tuple[Group, Group]) -> None:
    pairs = [each.login().json() for each in groups]
    revoked = groups[0].post("/oauth2/v1/revokeToken", {}, {"token": pairs[0]["refresh_token"]})
    assert revoked.status_code == 200
    assert [each.report(pair["access_token"]) for each, pair in zip(groups, pairs, strict=True)] == [401, 200]


def test_the_loss_of_one_database_is_noticed_in_its_group_alone(groups: tuple[Group, Group]) -> None:
    first, second = groups
    let_connect(first.store, False)
    try:
        wait_until(lambda: first.login().status_code >= 500, 30)
        wait_until(lambda: first.get("/readyz").status_code == 503, 30)
        assert [second.login().status_code for _ in range(5)] == [200] * 5
        assert second.get("/readyz").status_code == 200
        assert first.get("/oauth2/v1/keys").status_code == 200  # by the backend of nodes that live
    finally:
        let_connect(first.store, True)
    wait_until(lambda: first.login().status_code == 200, 60)
