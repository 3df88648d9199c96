"""`credence keys` beside a running server (D13, threats K1, K7, T13)."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import jwt

from tests.conftest import StartServer
from tests.running import RunningServer, run_command


def listed(server: RunningServer) -> list[dict[str, str]]:
    answer = server.command("keys", "list", "--json")
    assert answer.returncode == 0, answer.stderr
    keys: list[dict[str, str]] = json.loads(answer.stdout)
    return keys


def published(server: RunningServer) -> set[str]:
    return {key["kid"] for key in server.client.get("/oauth2/v1/keys").json()["keys"]}


def signing(server: RunningServer, algorithm: str = "RS256") -> str:
    (kid,) = [key["kid"] for key in listed(server) if (key["algorithm"], key["state"]) == (algorithm, "signing")]
    return kid


def test_the_list_shows_what_is_published_with_its_dates(start_server: StartServer) -> None:
    server = start_server()
    keys = listed(server)
    assert {key["kid"] for key in keys} == published(server)
    assert sorted({key["state"] for key in keys}) == ["published", "signing"]
    assert all(key["signs_from"] >= key["published_at"] for key in keys)
    assert "signing" in server.command("keys", "list").stdout


def test_a_revoked_key_stops_in_the_running_server_before_the_command_returns(start_server: StartServer) -> None:
    """threats K7; and the command says what it costs."""
    server = start_server()
    tokens, bad = server.tokens(), signing(server)
    answer = server.command("keys", "revoke", bad)
    assert answer.returncode == 0, answer.stderr
    assert "3600 seconds" in answer.stdout
    assert server.report(tokens["access_token"]).status_code == 401
    assert bad not in published(server)
    assert signing(server) != bad
    assert server.report(server.tokens()["access_token"]).status_code == 200
    assert [key["state"] for key in listed(server) if key["kid"] == bad] == ["removed"]


def test_a_key_younger_than_the_key_sets_max_age_is_not_rolled_in(start_server: StartServer) -> None:
    """threats K1: a refusal, not advice; one line that says when."""
    server = start_server()
    answer = server.command("keys", "roll", "RS256")
    assert answer.returncode == 4
    assert answer.stderr.count("\n") == 1
    assert "may not have the next key before" in answer.stderr


def test_unknown_keys_and_algorithms_are_said_in_one_line(start_server: StartServer) -> None:
    server = start_server()
    for arguments in (("revoke", "unknown"), ("roll", "HS256")):
        answer = server.command("keys", *arguments)
        assert (answer.returncode, answer.stderr.count("\n")) == (3, 1)


def test_a_key_id_that_begins_with_a_hyphen_is_no_option(start_server: StartServer) -> None:
    """RFC 7638 §3.1, RFC 4648 §5: one thumbprint in 64 begins with one, and an emergency is no time to learn of `--`."""
    server = start_server()
    for kid in ("-n5Jw0wVZcLq", "--5Jw0wVZcLq"):
        answer = server.command("keys", "revoke", kid)
        assert (answer.returncode, answer.stderr) == (3, f"credence: There is no signing key '{kid}'.\n")


def test_everything_is_resealed_under_load_without_a_refused_request(start_server: StartServer) -> None:
    """D13: the service goes on, the old key opens nothing any more, and a restart works."""
    # A fast machine sends more than the defaults let in.
    server = start_server(
        CREDENCE_SPIKE_PER_MINUTE="0", CREDENCE_SPIKE_ACCOUNT_PER_MINUTE="0", CREDENCE_SPIKE_ADDRESS_PER_MINUTE="0"
    )
    file = server.data_dir / "key-encryption-key"
    old = file.read_text()
    done = Event()

    def work() -> list[int]:
        found = []
        while not done.is_set():
            tokens = server.tokens()
            found.append(server.report(tokens["access_token"]).status_code)
        return found

    with ThreadPoolExecutor(2) as workers:
        running = [workers.submit(work) for _ in range(2)]
        answer = server.command("keys", "reseal")
        done.set()
        found = [status for each in running for status in each.result()]
    assert answer.returncode == 0, answer.stderr
    assert set(found) == {200}
    assert file.read_text() != old
    assert len(file.read_text().split()) == 1
    server.command("keys", "revoke", signing(server))  # makes the running server read and seal keys again
    assert server.report(server.tokens()["access_token"]).status_code == 200
    assert server.stop() == 0
    again = start_server(data_dir=server.data_dir)
    assert again.tokens()["access_token"]
    again.stop()
    file.write_text(old)
    refused = again.command("keys", "reseal")
    assert (refused.returncode, refused.stderr.count("\n")) == (4, 1)
    assert "key-encryption key does not open this store" in refused.stderr


def test_a_key_from_a_variable_is_not_resealed_under_a_running_service(start_server: StartServer) -> None:
    server = start_server(CREDENCE_KEY_ENCRYPTION_KEY="ab" * 32)
    answer = server.command("keys", "reseal")
    assert (answer.returncode, answer.stderr.count("\n")) == (4, 1)
    assert "CREDENCE_KEY_ENCRYPTION_KEY_FILE" in answer.stderr


def test_a_wrong_or_broken_key_encryption_key_refuses_the_start_in_one_line(start_server: StartServer) -> None:
    """D13, threats T13."""
    server = start_server()
    server.stop()
    file = server.data_dir / "key-encryption-key"
    for text, code, words in (
        ("00" * 32, 4, "does not open this store"),
        ("short", 2, "64 hexadecimal"),
        ("", 2, "64 hex"),
    ):
        file.write_text(text)
        answer = server.command("serve")
        assert (answer.returncode, answer.stderr.count("\n")) == (code, 1), answer.stderr
        assert words in answer.stderr


def test_an_algorithm_joins_the_key_set_with_the_application_that_names_it(start_server: StartServer) -> None:
    """D13: before its first token; a server that nothing else needs it for publishes RS256 alone."""
    server = start_server()
    assert {key["algorithm"] for key in listed(server)} == {"RS256"}
    assert published(server) == {key["kid"] for key in listed(server)}
    assert server.command("app", "create", "Shop", "--algorithm", "ES256").returncode == 0
    assert signing(server, "ES256") in published(server)
    assert sorted(key["state"] for key in listed(server) if key["algorithm"] == "ES256") == ["published", "signing"]


def test_a_public_key_is_printed_as_pem_or_jwk(start_server: StartServer) -> None:
    """RFC 7468 §13: another implementation reads it, and a token is verified with it alone."""
    server = start_server()
    kid, token = signing(server), server.tokens()["access_token"]
    text = server.command("keys", "export", kid, "--format", "pem").stdout
    assert text.startswith("-----BEGIN PUBLIC KEY-----\n")
    claims = jwt.decode(token, text, algorithms=["RS256"], audience=server.base_url)
    assert claims["iss"] == server.base_url
    jwk = json.loads(server.command("keys", "export", kid, "--format", "jwk").stdout)
    assert jwk in server.client.get("/oauth2/v1/keys").json()["keys"]
    unknown = server.command("keys", "export", "unknown")
    assert (unknown.returncode, "There is no signing key unknown." in unknown.stderr) == (3, True)


def test_a_store_that_nodes_share_is_not_resealed_for_one_of_them(postgres: str, tmp_path: Path) -> None:
    """The new key would be in the file of one machine, and the other nodes could not open their keys."""
    key = tmp_path / "key"
    key.write_text("0123456789abcdef" * 4)
    key.chmod(0o600)
    variables = {
        "CREDENCE_STORE": postgres,
        "CREDENCE_KEY_ENCRYPTION_KEY_FILE": str(key),
        "CREDENCE_DATA_DIR": str(tmp_path / "data"),
    }
    assert run_command("migrate", **variables).returncode == 0
    assert run_command("app", "create", "Ledger", **variables).returncode == 0
    refused = run_command("keys", "reseal", **variables)
    assert (refused.returncode, refused.stdout) == (4, "")
    assert "--only-node" in refused.stderr
    assert "credence keys kek add" in refused.stderr
    assert key.read_text() == "0123456789abcdef" * 4
    assert run_command("keys", "reseal", "--only-node", **variables).returncode == 0
    assert run_command("keys", "list", **variables).returncode == 0
    assert key.read_text().strip() != "0123456789abcdef" * 4
