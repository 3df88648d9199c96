"""Settings that would have done something else than was meant are refused in words (D18, threats P10), secrets unsaid."""

import json
from pathlib import Path

import pytest

from credence.cli.variables import RENAMED
from credence.settings import Settings
from tests.running import run_command

ADDRESS = "postgresql://credence:canary@127.0.0.1:1/credence"


def test_a_data_folder_without_a_name_is_not_the_current_one() -> None:
    done = run_command("serve", "--http", CREDENCE_DATA_DIR="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "credence: CREDENCE_DATA_DIR is not valid: it is empty; leave it out or name a path\n"


@pytest.mark.parametrize(("old", "new"), [("KEY_AGE", "KEY_AGE_DAYS"), ("PASSWORD_MEMORY", "PASSWORD_CACHE_SECONDS")])
def test_a_name_of_an_earlier_version_is_refused_with_the_new_one(old: str, new: str) -> None:
    done = run_command("config", "show", **{f"CREDENCE_{old}": "1"})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"credence: CREDENCE_{old} is called CREDENCE_{new} since version 0.2.\n"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("CREDENCE_PROT", "CREDENCE_PORT"),
        ("CREDENCE_ENVIROMENT", "CREDENCE_ENVIRONMENT"),
        ("CREDENCE_TRUSTED_PROXY", "CREDENCE_TRUSTED_PROXIES"),
        ("credence_spike_bursts", "CREDENCE_SPIKE_BURST"),
    ],
)
def test_a_misspelt_setting_is_refused_with_the_nearest_name(name: str, nearest: str) -> None:
    done = run_command("config", "check", **{name: "canary"})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"credence: {name} is not a setting; the nearest name is {nearest}.\n"


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("BASE_URL", "https://[::1"),
        ("BASE_URL", "https://api.example.com:99999"),
        ("BASE_URL", "https://API.example.com"),
        ("BASE_URL", "HTTPS://api.example.com/Base"),
        ("MANAGE_URL", "https://Manage.example.com"),
        ("AUDIENCE", "https://["),
        ("AUDIENCE", " "),
        ("MANAGE_URL", "https://[::1"),
        ("MANAGE_URL", "manage.example.com"),
        ("OUTGOING_PROXY", "http://proxy.example.com:99999"),
        ("MAIL_RELAY", "smtp://mail.example.com:99999"),
        ("AUDIT_COPIES", "tcp://log.example.com:99999"),
    ],
)
def test_an_address_that_cannot_be_read_is_refused_before_the_start(name: str, address: str) -> None:
    done = run_command("config", "check", **{f"CREDENCE_{name}": address})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"credence: CREDENCE_{name} is not valid: ")
    assert done.stderr.count("\n") == 1


def test_the_issuer_has_the_name_of_its_host_in_small_letters() -> None:
    """RFC 8414 §3.3: it is compared as text; a browser writes a host in small letters (RFC 3986 §6.2.2.1)."""
    assert Settings(host="Server.Example.com").issuer == "https://server.example.com:8443"
    assert Settings(base_url="https://api.example.com/Base").issuer == "https://api.example.com/Base"


@pytest.mark.parametrize("place", ["/proc/x", "/proc/x/y", "{file}", "{file}/x"])
def test_a_data_folder_in_which_nothing_can_be_written_is_found_before_the_start(tmp_path: Path, place: str) -> None:
    """`serve` makes the folder; /proc takes none, not even from root, and a file holds no folder."""
    file = tmp_path / "file"
    file.write_text("kept")
    done = run_command("config", "check", CREDENCE_DATA_DIR=place.format(file=file))
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith(f"credence: CREDENCE_DATA_DIR: nothing can be written in {place.format(file=file)}: ")
    assert done.stderr.count("\n") == 1


def test_a_check_of_a_data_folder_that_is_missing_does_not_make_it(tmp_path: Path) -> None:
    done = run_command("config", "check", CREDENCE_DATA_DIR=str(tmp_path / "new" / "data"))
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])


@pytest.mark.parametrize("host", ["name.invalid", "a..b"])
@pytest.mark.parametrize(("name", "port"), [("HOST", "PORT"), ("MANAGE_HOST", "MANAGE_PORT")])
def test_a_host_without_an_address_is_found_before_the_start(name: str, port: str, host: str) -> None:
    """RFC 6761 §6.4: no name under invalid. has an address."""
    variables = {f"CREDENCE_{name}": host, f"CREDENCE_{port}": "9443"}
    done = run_command("config", "check", **variables)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith(f"credence: CREDENCE_{name}: nothing can listen on {host}: ")
    assert run_command("config", "check", "--settings-only", **variables).returncode == 0


def test_a_start_on_a_host_that_is_no_name_is_refused_in_words(tmp_path: Path) -> None:
    done = run_command("serve", CREDENCE_HOST="a..b", CREDENCE_DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (4, 1)
    assert done.stderr.startswith("credence: Nothing can listen on a..b port 8443: ")


def test_a_setting_may_be_written_in_small_letters() -> None:
    assert run_command("config", "check", credence_support_email="help@example.com").returncode == 0


def test_a_check_for_programs_names_the_settings_of_each_problem() -> None:
    safe = run_command("config", "check", "--json")
    told = {"safe": True, "environment": "sandbox", "problems": [], "warnings": []}
    assert (safe.returncode, json.loads(safe.stdout)) == (0, told)
    production = run_command("config", "check", "--json", CREDENCE_ENVIRONMENT="production")
    found = json.loads(production.stdout)
    assert (production.returncode, production.stderr, found["safe"]) == (2, "", False)
    assert ["CREDENCE_BASE_URL"] in [each["settings"] for each in found["problems"]]
    wrong = run_command("config", "check", "--json", CREDENCE_PORT="canary")
    (problem,) = json.loads(wrong.stdout)["problems"]
    assert (wrong.returncode, problem["settings"], "canary" in wrong.stdout) == (2, ["CREDENCE_PORT"], False)


def test_every_renamed_setting_has_a_new_name_that_exists_and_an_old_one_that_does_not() -> None:
    fields = {name.upper() for name in Settings.model_fields}
    assert set(RENAMED.values()) <= fields
    assert not fields & set(RENAMED)


def test_an_algorithm_that_no_keys_are_made_for_is_refused_at_the_start(tmp_path: Path) -> None:
    variables = {"CREDENCE_DATA_DIR": str(tmp_path), "CREDENCE_ALGORITHM": "ES256", "CREDENCE_ALGORITHMS": "RS256"}
    done = run_command("serve", "--http", **variables)
    assert done.returncode == 2
    assert done.stderr == ("credence: CREDENCE_ALGORITHM: CREDENCE_ALGORITHMS does not contain ES256; add it there.\n")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "is empty"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"mysql://credence:canary@h/d", "must begin with one of postgresql://, postgres://"),
    ],
)
def test_a_file_that_holds_no_address_of_a_store_is_refused(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "store"
    if content is not None:
        file.write_bytes(content)
    done = run_command("config", "check", CREDENCE_STORE_FILE=str(file))
    assert done.returncode == 2
    assert words in done.stderr
    assert "canary" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_store_has_one_address(tmp_path: Path) -> None:
    (tmp_path / "store").write_text(ADDRESS)
    done = run_command("config", "check", CREDENCE_STORE_FILE=str(tmp_path / "store"), CREDENCE_STORE=ADDRESS)
    assert done.returncode == 2
    assert "set one of the two" in done.stderr


def test_the_address_in_a_file_is_shown_as_one_and_masked(tmp_path: Path) -> None:
    (tmp_path / "store").write_text(ADDRESS + "\n")
    done = run_command("config", "show", "--json", CREDENCE_STORE_FILE=str(tmp_path / "store"))
    (row,) = (each for each in json.loads(done.stdout) if each["setting"] == "store")
    assert row == {"setting": "store", "value": "********", "source": "CREDENCE_STORE_FILE"}
    assert "canary" not in done.stdout


def test_a_node_over_the_address_in_a_file_is_one_over_that_database(tmp_path: Path, postgres: str) -> None:
    """What is made through the file is there through the variable; `store copy` takes the file as well."""
    (tmp_path / "store").write_text(postgres + "\n")
    common = {"CREDENCE_DATA_DIR": str(tmp_path / "data"), "CREDENCE_KEY_ENCRYPTION_KEY": "0123456789abcdef" * 4}
    assert run_command("migrate", CREDENCE_STORE_FILE=str(tmp_path / "store"), **common).returncode == 0
    assert run_command("migrate", CREDENCE_STORE=postgres, **common).stdout == "The store is up to date.\n"
    onto_itself = run_command("store", "copy", str(tmp_path / "store"), postgres, **common)
    assert onto_itself.stderr == "credence: A store cannot be copied onto itself.\n"


@pytest.mark.parametrize("command", [("store", "copy", "/nowhere"), ("account", "list"), ("serve", "--http")])
@pytest.mark.parametrize("end", ["%00@127.0.0.1/x", "\udcff@127.0.0.1/x", "@[::1/x", "@127.0.0.1/x?nonsense=1"])
def test_an_address_that_cannot_be_read_is_one_line_without_the_password(
    tmp_path: Path, command: tuple[str, ...], end: str
) -> None:
    address = f"postgresql://credence:canary{end}"
    variables = {"CREDENCE_DATA_DIR": str(tmp_path), "CREDENCE_KEY_ENCRYPTION_KEY": "0123456789abcdef" * 4}
    if command[0] == "store":
        done = run_command(*command, address, **variables)
    else:
        done = run_command(*command, CREDENCE_STORE=address, **variables)
    assert (done.returncode, done.stdout) == (2, "")
    assert "The address of the store is not a PostgreSQL address" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "canary" not in done.stderr
