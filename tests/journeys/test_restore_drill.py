"""The drill: a deployment is lost and comes back from its backup on a fresh machine (threats F6)."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import jwt
import pytest

from tests.conftest import StartServer
from tests.nodes import ISSUER, KEY
from tests.postgres import database
from tests.running import RunningServer, run_command

MOST_SECONDS = 600
"""threats F6: at most ten minutes, from the loss to the first login."""


@pytest.fixture(params=["sqlite", "postgres"])
def stores(request: pytest.FixtureRequest) -> tuple[dict[str, str], dict[str, str]]:
    """The settings of a deployment, and of one on a fresh machine that is to take its place."""
    settings = {"CREDENCE_KEY_ENCRYPTION_KEY": KEY, "CREDENCE_BASE_URL": ISSUER}
    if request.param == "sqlite":
        return settings, settings
    url = request.getfixturevalue("postgres_url")
    fresh = request.getfixturevalue("fresh_database")
    return settings | {"CREDENCE_STORE": request.getfixturevalue("postgres") or url}, settings | {
        "CREDENCE_STORE": fresh
    }


@pytest.fixture
def fresh_database(postgres_url: str) -> Iterator[str]:
    with database(postgres_url) as url:
        yield url


def test_after_a_restore_who_may_come_in_comes_in_and_no_token_from_before_is_good(
    start_server: StartServer, stores: tuple[dict[str, str], dict[str, str]], tmp_path: Path
) -> None:
    settings, fresh_settings = stores
    lost = start_server("--http", data_dir=None, **settings)
    live, revoked, rotated = lost.tokens(), lost.tokens(), lost.tokens()
    revoke(lost, revoked)
    successor = refreshed(lost, rotated).json()
    kept = tmp_path / "kept"
    assert lost.command("backup", "create", str(kept)).returncode == 0
    later, revoked_later = lost.tokens(), lost.tokens()
    live_successor = refreshed(lost, live).json()
    revoke(lost, revoked_later)
    keys_before = key_ids(lost)
    lost.stop()
    sandbox_file = (lost.data_dir / "sandbox.json").read_bytes()
    shutil.rmtree(lost.data_dir)

    began = time.monotonic()
    folder = tmp_path / "fresh"
    folder.mkdir()
    (folder / "sandbox.json").write_bytes(sandbox_file)  # holds the credentials of its application and accounts
    fresh = fresh_settings | {"CREDENCE_DATA_DIR": str(folder)}
    for command in ("verify", "restore"):
        done = run_command("backup", command, str(kept), **fresh)
        assert done.returncode == 0, done.stderr
    found = start_server("--http", data_dir=folder, **fresh_settings)
    new = found.tokens()
    assert time.monotonic() - began <= MOST_SECONDS

    assert (found.client_id, found.password) == (lost.client_id, lost.password)
    assert found.report(new["access_token"]).status_code == 200
    assert refreshed(found, new).status_code == 200
    assert verified_by_a_stranger(found, new["access_token"])["sub"] == found.username
    assert not keys_before & key_ids(found)
    for tokens in (live, live_successor, revoked, rotated, successor, later, revoked_later):
        assert found.report(tokens["access_token"]).status_code == 401
        assert refreshed(found, tokens).status_code == 401


def test_a_backup_needs_its_own_key_encryption_key_and_says_so(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server("--http")
    kept = tmp_path / "kept"
    assert server.command("backup", "create", str(kept)).returncode == 0
    fresh = tmp_path / "fresh"
    missing = run_command("backup", "restore", str(kept), CREDENCE_DATA_DIR=str(fresh))
    assert missing.returncode == 2
    assert missing.stderr.startswith("credence: Copy the key-encryption key of the backup to ")
    assert not (fresh / "key-encryption-key").exists()
    other = run_command(
        "backup", "restore", str(kept), CREDENCE_DATA_DIR=str(fresh), CREDENCE_KEY_ENCRYPTION_KEY=KEY[::-1]
    )
    assert other.returncode == 4
    assert other.stderr == f"credence: The key-encryption key does not open {kept}: use the one it was made with.\n"
    assert not (fresh / "credence.sqlite").exists()


def refreshed(server: RunningServer, tokens: dict[str, str]) -> httpx.Response:
    return server.client.post(
        "/oauth2/v1/token",
        headers=server.client_headers,
        json={"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
    )


def revoke(server: RunningServer, tokens: dict[str, str]) -> None:
    headers = server.client_headers | {"token": tokens["refresh_token"]}
    assert server.client.post("/oauth2/v1/revokeToken", headers=headers).status_code == 200


def key_set(server: RunningServer) -> jwt.PyJWKSet:
    configuration = server.client.get("/.well-known/openid-configuration").json()
    path = configuration["jwks_uri"].removeprefix(ISSUER)
    keys = server.client.get(path).json()["keys"]
    return jwt.PyJWKSet([key for key in keys if key["kty"] in {"RSA", "EC"}])


def key_ids(server: RunningServer) -> set[str | None]:
    return {key.key_id for key in key_set(server).keys}


def verified_by_a_stranger(server: RunningServer, token: str) -> dict[str, object]:
    """What PyJWT, which knows nothing but the key set, makes of a token."""
    kid = jwt.get_unverified_header(token)["kid"]
    claims: dict[str, object] = jwt.decode(
        token, key_set(server)[kid], algorithms=["RS256"], issuer=ISSUER, audience=ISSUER
    )
    return claims
