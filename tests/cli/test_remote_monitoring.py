"""`credence --at URL` on what an application has: portfolios and ledgers, by the API in which applications act (D30)."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.test_login import OPTIONS, sign_in
from tests.running import Done, RunningServer, run_command

LEDGER = (
    "Account ref,Name,Company number,Balance\r\nC-1,Invented,99999901,1250.50\r\nC-2,Nobody in the register,,10\r\n"
)


class Book(NamedTuple):
    """A deployment at which a person is signed in for the application of the command line, and for nothing else."""

    url: str
    client_id: str
    home: Path

    def command(self, *arguments: str) -> Done:
        return run_command("--at", self.url, *arguments, XDG_CONFIG_HOME=str(self.home))

    def told(self, *arguments: str) -> Any:
        done = self.command(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def book(sandbox: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Book:
    scopes = ("--scope", "openid", "--scope", "credit:monitor")
    made = sandbox.command("app", "create", "Command line", *OPTIONS, *scopes, "--json")
    client_id = json.loads(made.stdout)["client_id"]
    home = tmp_path_factory.mktemp("book")
    file = home / "credence" / "logins.json"
    file.parent.mkdir()
    code, printed = sign_in(sandbox, client_id, file, "--scope", "openid credit:monitor")
    assert code == 0, printed
    return Book(sandbox.base_url, client_id, home)


def test_a_ledger_is_uploaded_taken_and_matched_from_elsewhere(book: Book, tmp_path: Path) -> None:
    portfolio = book.told("portfolio", "make", book.client_id, "North")["id"]
    file = tmp_path / "debtors.csv"
    file.write_text(LEDGER)
    uploaded = book.told("ledger", "upload", portfolio, str(file))
    assert (uploaded["state"], uploaded["file_name"]) == ("read", "debtors.csv")
    assert book.told("ledger", "take", uploaded["id"])["state"] == "taken"
    assert [each["id"] for each in book.told("ledger", "list", portfolio)] == [uploaded["id"]]
    assert book.told("book", "show", book.client_id)["exposure"] == 1_251
    (customer,) = book.told("book", "customers", book.client_id, "--text", "c-1", "--order", "name")
    assert (customer["company_number"], customer["exposure"]) == ("99999901", 1_251)
    customers = {each["reference"]: each for each in book.told("portfolio", "customers", portfolio)}
    assert (customers["C-1"]["company_number"], customers["C-1"]["balance"]) == ("99999901", 125_050)
    choice = tmp_path / "choice.json"
    choice.write_text('[{"reference": "C-2", "company_number": "99999902"}]')
    assert book.told("portfolio", "match", portfolio, "--customers", str(choice))["accepted"] == 1
    renamed = book.told("portfolio", "set", portfolio, "--name", "South")
    assert (renamed["name"], book.told("portfolio", "show", portfolio)["name"]) == ("South", "South")
    (listed,) = book.told("portfolio", "list")
    assert listed == {"id": portfolio, "name": "South"}
    assert book.told("portfolio", "delete", portfolio) == {"done": True}
    assert book.told("portfolio", "list") == []


def test_companies_are_watched_listed_and_removed_from_elsewhere(book: Book, tmp_path: Path) -> None:
    portfolio, file = book.told("portfolio", "make", book.client_id, "West")["id"], tmp_path / "companies.csv"
    file.write_text("company_number,exposure\n99999901,5000\n99999902,\nxyz,1\n")
    watched = book.command("portfolio", "import", portfolio, str(file), "--json")
    assert (watched.returncode, json.loads(watched.stdout)) == (1, {"refused": 1, "added": 2})
    assert "Row 3: This is not a company number." in watched.stderr
    (first, _) = book.told("portfolio", "companies", portfolio)
    assert (first["company_number"], first["exposure"], first["note"]) == ("99999901", 5000, None)
    exported = book.command("portfolio", "export", portfolio).stdout
    assert exported.splitlines()[1:] == ["99999901,,5000,,", "99999902,,,,"]
    file.write_text(exported)
    assert book.told("portfolio", "remove", portfolio, str(file)) == {"refused": 0, "removed": 2}
    assert book.told("portfolio", "companies", portfolio) == []


def test_alerts_and_limits_are_read_from_elsewhere(book: Book) -> None:
    assert book.told("alert", "list", book.client_id) == []
    assert book.told("alert", "digest", book.client_id, "--day", "2023-11-14") == []
    assert book.told("limit", "list", book.client_id) == []
    assert book.told("limit", "show", book.client_id, "99999901") == {"company_number": "99999901", "limits": []}
    other = book.command("alert", "list", "crd_sbx_app_other")
    assert (other.returncode, "acts for the application" in other.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("portfolio", "show", "pf_unknown"), 3, ""),
        (("portfolio", "make", "crd_sbx_app_other", "North"), 2, "Your login there acts for the application"),
        (("portfolio", "delete", "pf_unknown", "--preview"), 2, "leave out --preview"),
        (("portfolio", "share", "pf_unknown", "crd_sbx_app_other"), 2, "needs the machine of the service"),
        (("app", "list"), 3, "--manage"),
    ],
)
def test_what_such_a_login_does_not_do_is_said_plainly(
    book: Book, arguments: tuple[str, ...], code: int, words: str
) -> None:
    done = book.command(*arguments)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert words in done.stderr


def test_without_a_login_the_scope_to_ask_for_is_named(tmp_path: Path) -> None:
    done = run_command("--at", "https://api.example.com", "portfolio", "list", XDG_CONFIG_HOME=str(tmp_path))
    assert (done.returncode, '--scope "openid credit:monitor"' in done.stderr) == (3, True), done


def test_a_login_that_lacks_the_scope_or_has_ended_is_told_which_to_ask_for(
    book: Book, sandbox: RunningServer, tmp_path: Path
) -> None:
    file = tmp_path / "credence" / "logins.json"
    file.parent.mkdir()
    code, printed = sign_in(sandbox, book.client_id, file, "--scope", "openid")
    assert code == 0, printed
    again = f'Again: credence login {book.url} --scope "openid credit:monitor"'
    for ended in (False, True):
        (login,) = json.loads(file.read_text())
        if ended:
            login |= {"scope": "openid credit:monitor", "refresh_token": "unknown", "expires_at": 0}
        file.write_text(json.dumps([login]))
        done = run_command("--at", book.url, "portfolio", "list", XDG_CONFIG_HOME=str(tmp_path))
        assert (done.returncode, again in done.stderr) == (4, True), done
