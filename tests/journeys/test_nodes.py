"""Several processes over one PostgreSQL: what one of them answers holds for all (D7, D13, threats §7)."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.nodes import ISSUER, KEY, nodes, shared
from tests.postgres import PASSWORD
from tests.running import RunningServer, run_command
from tests.waiting import wait_until

EVERYWHERE_WITHIN = 1.0
"""Seconds in which a revocation is known to every node."""

AT_ONCE = 64


def refresh(node: RunningServer, token: str) -> int:
    return ask_refresh(node, token).status_code


def ask_refresh(node: RunningServer, token: str) -> httpx.Response:
    headers = {**node.client_headers, "grant_type": "refresh_token", "refresh_token": token}
    return node.client.post("/oauth2/v1/token", headers=headers)


def test_a_token_of_one_node_is_good_on_another_and_revoked_everywhere_within_a_second(
    migrated_postgres: str, tmp_path: Path
) -> None:
    with nodes(tmp_path, migrated_postgres, 2) as (one, other):
        keys = [node.client.get("/oauth2/v1/keys") for node in (one, other)]
        assert keys[0].status_code == 200
        assert keys[0].json() == keys[1].json()
        token = one.tokens()["access_token"]
        assert other.report(token).status_code == 200
        revoked = one.client.post("/oauth2/v1/revokeToken", headers={**one.client_headers, "token": token})
        assert revoked.status_code == 200
        assert one.report(token).status_code == 401
        wait_until(lambda: other.report(token).status_code == 401, EVERYWHERE_WITHIN)


def test_a_refresh_token_is_good_once_whichever_node_is_asked(migrated_postgres: str, tmp_path: Path) -> None:
    """D7: without the retry window the second use is reuse, and the family is dead everywhere."""
    with nodes(tmp_path, migrated_postgres, 2, CREDENCE_REFRESH_RETRY_WINDOW_SECONDS="0") as (one, other):
        token = one.tokens()["refresh_token"]
        assert [refresh(other, token), refresh(one, token)] == [200, 401]


def test_sixty_four_refreshes_at_once_over_three_processes_leave_one_live_token(
    migrated_postgres: str, tmp_path: Path
) -> None:
    """D7, threats L1, I1: each gets the pair that the first one got, and that pair alone goes on."""
    with nodes(tmp_path, migrated_postgres, 3) as three, ThreadPoolExecutor(AT_ONCE) as clients:
        before = three[0].tokens()["refresh_token"]
        replies = list(clients.map(lambda number: ask_refresh(three[number % 3], before), range(AT_ONCE)))
        assert {reply.status_code for reply in replies} == {200}
        assert len({reply.content for reply in replies}) == 1
        after = replies[0].json()["refresh_token"]
        assert refresh(three[1], after) == 200
        assert [refresh(node, before) for node in three] == [401] * 3  # two steps back: reuse
        assert refresh(three[2], after) == 401  # which has ended the login


def statuses(server: RunningServer, token: str) -> set[int]:
    """What is answered over many connections; the kernel hands each to any of the workers."""
    path = f"/risk/business/v1/registeredcompanycredit/{server.company_number}"
    headers = {"Authorization": f"Bearer {token}", "Connection": "close"}
    return {server.client.get(path, headers=headers).status_code for _ in range(20)}


def workers(server: RunningServer) -> list[str]:
    first = server.process.pid
    return Path(f"/proc/{first}/task/{first}/children").read_text().split()


def test_workers_of_one_node_share_everything(migrated_postgres: str, tmp_path: Path) -> None:
    with nodes(tmp_path, migrated_postgres, 1, CREDENCE_WORKERS="2") as (server,):
        token = server.tokens()["access_token"]
        assert statuses(server, token) == {200}
        headers = {**server.client_headers, "token": token}
        assert server.client.post("/oauth2/v1/revokeToken", headers=headers).status_code == 200
        wait_until(lambda: statuses(server, token) == {401}, EVERYWHERE_WITHIN)
        assert len(workers(server)) == 2
    said = (tmp_path / "output-0.txt").read_text()
    assert "Traceback" not in said
    assert PASSWORD not in said


def test_a_command_changes_the_store_that_servers_share(migrated_postgres: str, tmp_path: Path) -> None:
    with nodes(tmp_path, migrated_postgres, 1) as (node,):
        assert node.tokens()
        suspended = node.command("account", "status", node.username, "suspended")
        assert suspended.returncode == 0, suspended.stderr
        headers, body = node.client_headers, {"username": node.username, "password": node.password}

        def refused() -> bool:
            return node.client.post("/oauth2/v1/token", headers=headers, json=body).status_code == 401

        wait_until(refused, EVERYWHERE_WITHIN)


@pytest.mark.parametrize("way", ["plan first", "at once"])
def test_migrate_says_what_it_would_do_and_does_it(postgres: str, tmp_path: Path, way: str) -> None:
    variables = {**shared(postgres), "CREDENCE_DATA_DIR": str(tmp_path)}
    assert run_command("account", "list", **variables).returncode == 3
    if way == "plan first":
        planned = run_command("migrate", "--plan", **variables)
        assert "postgres-0001.sql" in planned.stdout
        assert run_command("account", "list", **variables).returncode == 3  # nothing was made
    done = run_command("migrate", **variables)
    assert "postgres-0001.sql" in done.stdout
    assert run_command("account", "list", **variables).returncode == 0
    assert run_command("migrate", "--plan", **variables).stdout == "The store is up to date.\n"


def test_a_shared_store_has_its_key_from_the_operator(postgres: str, tmp_path: Path) -> None:
    """D13: a key made beside a store that is there already would only hide that the right one is missing."""
    variables = {"CREDENCE_STORE": postgres, "CREDENCE_BASE_URL": ISSUER, "CREDENCE_DATA_DIR": str(tmp_path)}
    told = run_command("serve", "--http", **variables)
    assert told.returncode == 2
    assert "openssl rand -hex 32" in told.stderr
    assert not (tmp_path / "key-encryption-key").exists()


@pytest.mark.parametrize(
    "address", ["postgresql://ada:s3cret@[::1/x", "postgresql://ada:s3c ret@h/d?nonsense=1", "mysql://x"]
)
def test_an_address_that_is_none_is_refused_and_not_repeated(tmp_path: Path, address: str) -> None:
    variables = {"CREDENCE_STORE": address, "CREDENCE_KEY_ENCRYPTION_KEY": KEY, "CREDENCE_DATA_DIR": str(tmp_path)}
    told = run_command("serve", "--http", **variables)
    assert told.returncode == 2
    assert "CREDENCE_STORE" in told.stderr
    assert "s3c" not in told.stderr
    assert "Traceback" not in told.stderr


def test_a_database_that_is_away_is_said_in_a_line_without_the_password(tmp_path: Path) -> None:
    address = f"postgresql://credence:{PASSWORD}@127.0.0.1:1/credence"
    told = run_command("migrate", **{**shared(address), "CREDENCE_DATA_DIR": str(tmp_path)})
    assert told.returncode == 5
    assert told.stderr.startswith("credence: The store is unavailable:")
    assert PASSWORD not in told.stderr
