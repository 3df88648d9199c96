"""Commands change the stored record: what no operator chooses survives `credence app`, `clock`, `account` and `apply`."""

import asyncio
from pathlib import Path

import pytest

from credence.cli.exit_codes import ExitCode
from credence.settings import Settings
from credence.store.records import Account, Application
from credence.store.sqlite.store import SqliteStore
from tests.cli.deployment import PASSWORD, Deployment
from tests.deployment import NOW
from tests.whole_records import OF_ANOTHER_ADDRESS, require_kept, whole_account, whole_application

APPLICATION, ACCOUNT = "crd_sbx_app_kept", "kept"


@pytest.fixture
def kept(deployment: Deployment) -> tuple[Application, Account]:
    """An application and an account with every field, in the store of the deployment."""
    assert deployment.run("migrate").returncode == ExitCode.DONE
    application, account = whole_application(), whole_account()

    async def save() -> None:
        store = SqliteStore(Settings(data_dir=deployment.data_dir).sqlite_file)
        await store.save_application(application, NOW)
        await store.save_account(account, NOW)
        await store.close()

    asyncio.run(save())
    return application, account


def stored(deployment: Deployment) -> tuple[Application | None, Account | None]:
    async def read() -> tuple[Application | None, Account | None]:
        store = SqliteStore(Settings(data_dir=deployment.data_dir).sqlite_file)
        try:
            return await store.application(APPLICATION), await store.account(ACCOUNT)
        finally:
            await store.close()

    return asyncio.run(read())


OF_APPLICATION: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("app", "set", APPLICATION, "--sign-in", "factor", "--spike-per-minute", "7"), ()),
    (("app", "set", APPLICATION, "--inherit", "scope", "--redirect-uri", ""), ()),
    (("app", "set", APPLICATION, "--disable"), ("not_before",)),
    (("app", "rules", APPLICATION, "--networks", "192.0.2.0/24"), ()),
    (("app", "rotate-secret", APPLICATION), ("secrets",)),
    (("clock", "advance", APPLICATION, "1h"), ("clock",)),
    (("clock", "reset", APPLICATION), ("clock", "secrets")),
)
"""Commands, each with the kept fields that it is to change."""

OF_ACCOUNT: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("account", "sign-in", ACCOUNT, "factor"), ("not_before",)),
    (("account", "rules", ACCOUNT, "--networks", "192.0.2.0/24"), ()),
    (("account", "role", ACCOUNT, "reader"), ("console_role",)),
    (("account", "workbench", ACCOUNT, "none"), ("workbench_for",)),
    (("account", "developer", ACCOUNT, "--off"), ("developer",)),
    (("account", "end-all", ACCOUNT), ("not_before",)),
    (("account", "set-password", ACCOUNT, "--password-stdin"), ("password_hash", "password_version", "not_before")),
    (("account", "status", ACCOUNT, "suspended"), ("not_before",)),
)


def test_commands_keep_what_no_operator_chooses_of_an_application(
    deployment: Deployment, kept: tuple[Application, Account]
) -> None:
    before = kept[0]
    for command, changed in OF_APPLICATION:
        done = deployment.run(*command)
        assert done.returncode == ExitCode.DONE, (command, done)
        before = require_kept(before, stored(deployment)[0], *changed)


def test_commands_keep_the_rest_of_an_account(deployment: Deployment, kept: tuple[Application, Account]) -> None:
    before = kept[1]
    for command, changed in OF_ACCOUNT:
        done = deployment.run(*command, stdin=PASSWORD)
        assert done.returncode == ExitCode.DONE, (command, done)
        before = require_kept(before, stored(deployment)[1], *changed)


def test_applying_a_file_keeps_what_no_operator_chooses(
    deployment: Deployment, kept: tuple[Application, Account], tmp_path: Path
) -> None:
    file = tmp_path / "desired.toml"
    file.write_text(
        '[applications.Kept]\ngrants = ["client_credentials"]\nspike_per_minute = 7\n'
        f'[accounts.{ACCOUNT}]\ntype = "user"\nemail = "k@example.com"\n'
    )
    deployment.json("apply", str(file))
    application, account = stored(deployment)
    require_kept(kept[0], application)
    require_kept(kept[1], account, *OF_ANOTHER_ADDRESS)


def test_pruning_keeps_all_but_the_state(
    deployment: Deployment, kept: tuple[Application, Account], tmp_path: Path
) -> None:
    file = tmp_path / "desired.toml"
    file.write_text("")
    deployment.json("apply", str(file), "--prune")
    application, account = stored(deployment)
    assert require_kept(kept[0], application, "not_before").disabled
    assert require_kept(kept[1], account, "not_before").status == "suspended"
