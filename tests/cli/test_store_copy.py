"""What `credence store copy` refuses, each in one line, and leaves as it was."""

from pathlib import Path

import pytest

from tests.running import run_command

KEY = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a deployment with an application and an account; every test leaves it as it was."""
    folder = tmp_path_factory.mktemp("origin")
    made = on(folder, "account", "create", "ada@example.com", "--type", "user", "--password-stdin")
    assert made[0] == 0, made[1]
    assert on(folder, "app", "create", "Ledger")[0] == 0
    return folder


def on(folder: Path, *arguments: str, key: str = KEY, environment: str = "sandbox") -> tuple[int, str]:
    """Run a command and return its exit code and what it said of errors."""
    done = run_command(
        *arguments,
        stdin="a long and quiet password\n",
        CREDENCE_DATA_DIR=str(folder),
        CREDENCE_KEY_ENCRYPTION_KEY=key,
        CREDENCE_ENVIRONMENT=environment,
    )
    return done.returncode, done.stderr


def test_a_store_is_not_copied_onto_itself(origin: Path) -> None:
    code, said = on(origin, "store", "copy", str(origin), str(origin / "credence.sqlite"))
    assert (code, said) == (2, "credence: A store cannot be copied onto itself.\n")


def test_another_key_encryption_key_does_not_copy_it(origin: Path, tmp_path: Path) -> None:
    """What it would seal there could not be opened with the rest."""
    code, said = on(origin, "store", "copy", str(origin), str(tmp_path / "new.sqlite"), key=KEY[::-1])
    assert (code, said.startswith("credence: The key-encryption key does not open this store")) == (4, True)
    assert not (tmp_path / "new.sqlite").exists()
    assert on(origin, "account", "show", "ada@example.com")[0] == 0


def test_another_environment_does_not_copy_it(origin: Path, tmp_path: Path) -> None:
    """D18."""
    code, said = on(origin, "store", "copy", str(origin), str(tmp_path / "new.sqlite"), environment="uat")
    assert (code, said) == (4, "credence: This store belongs to sandbox, not to uat.\n")
    assert not (tmp_path / "new.sqlite").exists()


def test_a_folder_without_a_store_is_told(origin: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, said = on(origin, "store", "copy", str(tmp_path / "empty"), str(tmp_path / "new.sqlite"))
    assert (code, "there is no store" in said) == (3, True)
    assert list((tmp_path / "empty").iterdir()) == []


def test_the_audit_trail_says_it_before_it_is_done_and_names_no_password(origin: Path) -> None:
    """threats F2; the database of this address does not exist."""
    address = "postgresql://credence:canary-password@127.0.0.1:9/credence"
    code, said = on(origin, "store", "copy", str(origin), address)
    trail = (origin / "audit" / "audit.jsonl").read_text()
    assert code == 5
    assert '"store copy"' in trail
    assert "canary-password" not in trail + said
    assert on(origin, "account", "show", "ada@example.com")[0] == 0
