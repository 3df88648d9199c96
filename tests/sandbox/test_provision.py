"""What a sandbox makes at its first start, keeps at the next, and completes after a start that died (D18, D24)."""

import asyncio
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from credence.datasets.credit_data import CreditData
from credence.identity.applications import authenticates
from credence.management.developers import applications_of
from credence.sandbox import sandbox_file
from credence.sandbox.book import read_book
from credence.sandbox.demonstration_accounts import read_demonstration
from credence.sandbox.provision import provision
from credence.sandbox.sandbox_data import COMPANIES, filed_entries
from credence.sandbox.sandbox_file import Damaged, SandboxFile
from credence.settings import Settings
from credence.store.errors import StoreUnavailable
from credence.store.limit_decisions import LIMIT_DECISIONS
from tests.conftest import StartServer
from tests.memory_store import MemoryStore
from tests.running import RunningServer

NOW = 1_700_000_000_000
DIGEST_KEY = b"d" * 32


def settings(folder: Path, **others: Any) -> Settings:
    return Settings(data_dir=folder, password_profile="testing", **others)


def provisioned(store: MemoryStore, with_settings: Settings) -> SandboxFile:
    return asyncio.run(provision(with_settings, store, DIGEST_KEY, NOW))


def everything(store: MemoryStore) -> list[object]:
    async def read() -> list[object]:
        return [*await store.applications(), *await store.accounts()]

    return asyncio.run(read())


def test_the_file_holds_the_promised_keys(sandbox: RunningServer) -> None:
    contents = json.loads((sandbox.data_dir / "sandbox.json").read_text())
    assert set(contents) >= {
        "base_url",
        "ca_file",
        "client_id",
        "client_secret",
        "standard_client_id",
        "standard_client_secret",
        "username",
        "password",
        "service_username",
        "service_password",
        "company_number",
        "scenarios",
    }
    assert contents["base_url"] == sandbox.base_url
    assert Path(contents["ca_file"]).is_absolute()


def test_only_its_owner_can_read_the_file(sandbox: RunningServer) -> None:
    assert stat.S_IMODE((sandbox.data_dir / "sandbox.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("kind", ["user", "service"])
def test_both_accounts_can_log_in_and_their_profile_is_in_the_token(sandbox: RunningServer, kind: str) -> None:
    username, password = (
        (sandbox.username, sandbox.password) if kind == "user" else (sandbox.service_username, sandbox.service_password)
    )
    reply = sandbox.client.post(
        "/oauth2/v1/token", headers=sandbox.client_headers, json={"username": username, "password": password}
    )
    claims = sandbox.command("token", "inspect", reply.json()["access_token"], "--json")
    assert json.loads(claims.stdout)["account_type"] == kind
    assert (json.loads(claims.stdout)["Email"] is None) == (kind == "service")  # D5


def test_the_first_report_of_the_tour_has_score_limit_accounts_ratios_and_a_parent(sandbox: RunningServer) -> None:
    report = sandbox.report(sandbox.tokens()["access_token"]).json()
    assert report["Assessment"]["Score"]["Limit"]["Amount"] > 0
    assert report["Financials"]["Accounts"][0]["ProfitLoss"]["TurnoverSalesDetails"]["TurnoverSales"] > 0
    assert report["Financials"]["Ratios"][0]["CurrentRatio"] > 0
    assert report["CorporateStructure"]["CompanyOwnership"]["UltParRegNumber"] == "99999909"


def test_the_first_start_makes_a_list_of_watched_companies_once(tmp_path: Path) -> None:
    store = MemoryStore()
    first, again = provisioned(store, settings(tmp_path)), provisioned(store, settings(tmp_path))
    assert again == first
    (made,) = asyncio.run(store.portfolios_of(first.client_id, "", 10))
    watched = asyncio.run(store.watched(made.id, "", 10))
    assert {each.company for each in watched} <= set(COMPANIES)
    assert all(each.exposure for each in watched)


def test_a_start_that_died_before_the_ledger_of_the_book_is_completed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()

    async def dies(*_: object) -> None:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as patched:
        patched.setattr(store, "take_ledger", dies)
        with pytest.raises(StoreUnavailable):
            provisioned(store, settings(tmp_path))
    made = provisioned(store, settings(tmp_path))
    (kept,) = asyncio.run(store.portfolios_of(made.client_id, "", 10))
    assert asyncio.run(store.count_watched(kept.id)) == 40
    assert len(asyncio.run(store.owned(LIMIT_DECISIONS, made.client_id))) == len(read_book().decision)


def test_the_person_of_the_sandbox_sees_its_applications_in_the_portal(tmp_path: Path) -> None:
    store = MemoryStore()
    made = provisioned(store, settings(tmp_path))
    own = asyncio.run(applications_of(store, made.username))
    assert {each.client_id for each in own} == {made.client_id, made.standard_client_id}


def test_twenty_real_companies_have_an_entry_and_accounts_and_say_what_is_not_held(sandbox: RunningServer) -> None:
    """The entries are those of the filings: status, dates and activities are in no filing."""
    token = sandbox.tokens()["access_token"]
    assert len(filed_entries()) >= 20
    for number in filed_entries():
        report = sandbox.report(token, number).json()
        assert report["CommercialName"]
        assert report["Financials"]["Accounts"]
        not_held = {each["Member"] for each in report["Assessment"]["NotHeld"]}
        assert {"Assessment.CompanyStatus", "Identification.IncorporationDate"} <= not_held
        assert "IncorporationDate" not in report["Identification"]
        assert report["Assessment"]["NotScored"]["Code"] == "unscored.no-status"


def test_companies_with_figures_are_there_and_their_source_says_that_they_are_a_demonstration(
    sandbox: RunningServer,
) -> None:
    credit_data = CreditData(sandbox.data_dir / "credit")
    numbers = [record.company for record in read_demonstration()]
    companies = [credit_data.company(number) for number in numbers]
    credit_data.close()
    assert len(numbers) == 421
    for company in companies:
        assert company is not None
        assert company.accounts is not None
        assert company.accounts.provenance.source.startswith("Demonstration")


def test_a_restart_keeps_credentials_and_follows_the_settings(start_server: StartServer) -> None:
    first = start_server()
    first.stop()
    again = start_server("--http", data_dir=first.data_dir)
    assert again.client_headers == first.client_headers
    assert (again.password, again.service_password) == (first.password, first.service_password)
    assert again.tokens()["token_type"] == "Bearer"
    contents = json.loads((first.data_dir / "sandbox.json").read_text())
    assert contents["ca_file"] is None
    assert contents["base_url"] == again.base_url != first.base_url


def test_a_second_provisioning_changes_nothing(tmp_path: Path) -> None:
    store = MemoryStore()
    first = provisioned(store, settings(tmp_path))
    before, written = everything(store), (tmp_path / "sandbox.json").stat()
    assert provisioned(store, settings(tmp_path)) == first
    assert everything(store) == before
    assert (tmp_path / "sandbox.json").stat().st_ino == written.st_ino


@pytest.mark.parametrize("saves", [0, 1, 3, 4, 7])
def test_a_start_that_died_half_way_is_completed_by_the_next(tmp_path: Path, saves: int) -> None:
    class Dying(MemoryStore):
        left = saves

        async def save_application(self, *arguments: Any) -> None:
            self.one_less()
            await super().save_application(*arguments)

        async def save_account(self, *arguments: Any) -> None:
            self.one_less()
            await super().save_account(*arguments)

        def one_less(self) -> None:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1

    store = Dying()
    with pytest.raises(KeyboardInterrupt):
        provisioned(store, settings(tmp_path))
    assert not (tmp_path / "sandbox.json").exists()
    store.left = 1_000
    contents = provisioned(store, settings(tmp_path))
    applications = asyncio.run(store.applications())
    assert len(applications) == 5  # none twice
    (main,) = (each for each in applications if each.client_id == contents.client_id)
    assert authenticates(main, contents.client_secret, DIGEST_KEY, NOW)
    whole = MemoryStore()
    provisioned(whole, settings(tmp_path / "whole"))
    names = [account.username for account in asyncio.run(whole.accounts())]
    assert [account.username for account in asyncio.run(store.accounts())] == names


def test_a_file_of_version_0_2_gains_the_application_for_standard_clients(tmp_path: Path) -> None:
    """D1: an upgraded sandbox has it too, and keeps its other credentials."""
    store = MemoryStore()
    first = provisioned(store, settings(tmp_path))
    old = json.loads((tmp_path / "sandbox.json").read_text())
    for name in ("standard_client_id", "standard_client_secret"):
        del old[name]
    (tmp_path / "sandbox.json").write_text(json.dumps(old))
    again = provisioned(store, settings(tmp_path))
    assert (again.client_secret, again.password) == (first.client_secret, first.password)
    standard = asyncio.run(store.application(again.standard_client_id))
    assert standard is not None
    assert standard.authentication == "client_secret_post"
    assert authenticates(standard, again.standard_client_secret, DIGEST_KEY, NOW)


def test_what_is_lost_with_the_store_is_made_again(tmp_path: Path) -> None:
    first = provisioned(MemoryStore(), settings(tmp_path))
    store = MemoryStore()
    again = provisioned(store, settings(tmp_path))
    assert again.client_id != first.client_id
    assert again.password == first.password
    assert asyncio.run(store.account(again.username)) is not None


@pytest.mark.parametrize("damaged", [b"{", b'{"other": "keys"}', b'{"base_url": "\xff"}'])
def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "sandbox.json").write_bytes(damaged)
    with pytest.raises(Damaged, match=r"sandbox\.json is damaged: move it away"):
        provisioned(MemoryStore(), settings(tmp_path))
    assert (tmp_path / "sandbox.json").read_bytes() == damaged


def test_there_is_no_ca_file_where_the_operator_brings_a_certificate(tmp_path: Path) -> None:
    own = settings(tmp_path, tls_certificate=tmp_path / "chain.pem", tls_key=tmp_path / "key.pem")
    assert provisioned(MemoryStore(), own).ca_file is None


def test_a_certificate_without_its_key_does_not_make_up_for_the_ca_file(tmp_path: Path) -> None:
    half = settings(tmp_path, tls_certificate=tmp_path / "chain.pem")
    assert provisioned(MemoryStore(), half).ca_file == str(tmp_path / "tls" / "ca.pem")


def test_a_reader_never_sees_half_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = provisioned(MemoryStore(), settings(tmp_path))

    def full(_descriptor: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        sandbox_file.write(tmp_path / "sandbox.json", contents)
    assert sandbox_file.read(tmp_path / "sandbox.json") == contents
