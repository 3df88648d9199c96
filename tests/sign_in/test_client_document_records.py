"""A client that describes itself by a document stays one, whatever an operator changes of its record (D40)."""

import asyncio
import re
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from credence.cli.exit_codes import ExitCode
from credence.oauth.client_documents.remembering import UNKNOWN_DOCUMENT, DigestLost, require_digests
from credence.settings import Settings
from credence.store.records import Application, Registration
from credence.store.sqlite.store import SqliteStore
from tests.cli.deployment import Deployment as Commanded
from tests.deployment import NOW, OpenDeployment
from tests.hosts import decide_on
from tests.management.conftest import management_of
from tests.sign_in.browsing import Browser
from tests.sign_in.client_documents import publishing, signed_in, token, tokens_of

WARNING = "has not checked its name or who runs it"

LOST = Application(
    "https://app.example/client.json",
    "Ledger",
    (),
    NOW,
    authentication="none",
    grants=("authorization_code",),
    redirect_uris=("https://app.example/back",),
    registration=Registration(b"", ("authorization_code",), ("openid",)),
)
"""A client with a document as an earlier version left it after any change by the management API."""


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
async def test_a_change_by_an_operator_does_not_verify_a_client(
    tmp_path: Path, open_deployment: OpenDeployment, method: str
) -> None:
    """The attack: an operator sets a rate, and the client loses its warning and outlives the block of its host."""
    async with publishing(tmp_path, open_deployment, manage_port=8444) as (publisher, deployment):
        browser = Browser(deployment)
        tokens = await tokens_of(browser, publisher, deployment)
        async with management_of(deployment) as managed:
            path = f"/applications/{quote(publisher.client_id, safe='')}"
            read = await managed.call("GET", path)
            known = {"client_id", "created_at", "secrets", "owner", "tokens_valid_from"}
            whole = {name: value for name, value in read.json.items() if name not in known}
            body = {"spike_per_minute": 60, "first_party": True}
            sent = body if method == "PATCH" else whole | body
            assert (await managed.call(method, path, sent, tag=read.headers["etag"])).status == 200
        page = await signed_in(Browser(deployment), publisher, deployment)
        assert WARNING in page.body.decode()
        await decide_on(deployment.store, "localhost", "block", deployment.now)
        await deployment.service.authority.follow(deployment.now)
        refused = await token(
            deployment,
            grant_type="refresh_token",
            client_id=publisher.client_id,
            refresh_token=tokens["refresh_token"],
        )
        assert refused.status in (400, 401)
        assert (await deployment.report(tokens["access_token"])).status == 401
        page = await Browser(deployment).get(f"/oauth2/v1/authorize?client_id={quote(publisher.client_id)}")
        assert b'name="username"' not in page.body


async def test_a_client_that_has_lost_its_digest_is_described_by_its_document_again(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        await tokens_of(Browser(deployment), publisher, deployment)
        row = await deployment.store.application(publisher.client_id)
        assert row is not None
        lost = msgspec.structs.replace(row, document_digest=b"", version=row.version + 1)
        await deployment.store.save_application(lost, deployment.now)
        await deployment.service.authority.follow(deployment.now)
        page = await signed_in(Browser(deployment), publisher, deployment)
        assert WARNING in page.body.decode()


def test_a_start_with_a_client_that_has_lost_its_digest_ends_until_a_migration(tmp_path: Path) -> None:
    deployment = Commanded(tmp_path / "data")
    assert deployment.run("migrate").returncode == ExitCode.DONE

    async def save() -> None:
        store = SqliteStore(Settings(data_dir=deployment.data_dir).sqlite_file)
        await store.save_application(LOST, NOW)
        await store.close()

    async def stored() -> Application | None:
        store = SqliteStore(Settings(data_dir=deployment.data_dir).sqlite_file)
        try:
            return await store.application(LOST.client_id)
        finally:
            await store.close()

    asyncio.run(save())
    said = deployment.run("serve", "--http", "--port", "0")
    assert said.returncode != ExitCode.DONE
    assert re.search(rf"credence: .*{re.escape(LOST.client_id)}\. .*: credence migrate$", said.stderr.strip())
    migrated = deployment.run("migrate")
    assert migrated.returncode == ExitCode.DONE
    assert f"credence: The record of {LOST.client_id} had lost the digest" in migrated.stderr
    found = asyncio.run(stored())
    assert found == msgspec.structs.replace(LOST, document_digest=UNKNOWN_DOCUMENT, version=2)
    require_digests([found])
    with pytest.raises(DigestLost):
        require_digests([LOST])
    assert deployment.run("migrate").stderr == ""
