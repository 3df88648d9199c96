"""`credence data` and `credence config` (credit §2.2, D18)."""

from pathlib import Path

from credence.credit.sources.register import SAMPLE
from credence.settings import Settings
from tests.cli.deployment import Deployment

SECRET = "ab" * 32


def test_a_load_says_what_it_kept(deployment: Deployment) -> None:
    summary = deployment.json("data", "load", "register", str(SAMPLE))
    assert (summary["rows"], summary["kept"], summary["refused"]) == (4_537, 4_537, {})
    assert summary["snapshot"] == "2020-05-01"
    assert Path(summary["rejects"]).is_file()


def test_the_status_says_what_is_loaded(deployment: Deployment) -> None:
    assert deployment.json("data", "status") == {"register": None}
    deployment.json("data", "load", "register", str(SAMPLE))
    status = deployment.json("data", "status")
    assert (status["companies"], status["snapshot"]) == (4_537, "2020-05-01")
    assert status["source"].startswith("Companies House")


def test_files_that_are_no_snapshot_are_refused_and_the_old_data_stays(deployment: Deployment, tmp_path: Path) -> None:
    deployment.json("data", "load", "register", str(SAMPLE))
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    line = deployment.refused("data", "load", "register", str(tmp_path / "other.csv"))
    assert line.startswith("other.csv is no register snapshot: it lacks the columns CompanyName")
    assert deployment.refused("data", "load", "register", "missing.csv").startswith("missing.csv cannot be read")
    assert deployment.json("data", "status")["companies"] == 4_537


def test_every_setting_is_shown_with_its_source(deployment: Deployment, tmp_path: Path) -> None:
    shown = {row["setting"]: row for row in deployment.json("config", "show", "--data-dir", str(tmp_path))}
    assert set(shown) == set(Settings.model_fields)
    assert shown["data_dir"] == {"setting": "data_dir", "value": str(tmp_path), "source": "--data-dir"}
    assert shown["password_profile"]["source"] == "CREDENCE_PASSWORD_PROFILE"
    assert shown["port"] == {"setting": "port", "value": 8443, "source": "default"}


def test_a_secret_setting_is_masked(deployment: Deployment) -> None:
    done = deployment.run("config", "show", CREDENCE_KEY_ENCRYPTION_KEY=SECRET)
    assert SECRET not in done.stdout
    assert "key_encryption_key       ********" in done.stdout


def test_a_check_passes_in_the_sandbox_and_fails_where_something_is_missing(deployment: Deployment) -> None:
    assert deployment.run("config", "check").stdout == "The settings are safe for sandbox.\n"
    done = deployment.run("config", "check", CREDENCE_ENVIRONMENT="uat")
    assert done.returncode == 2
    assert done.stderr.startswith("credence: CREDENCE_BASE_URL: set the public base address")


def test_a_lone_name_shows_what_can_be_said_after_it(deployment: Deployment) -> None:
    for arguments, commands in (((), "serve"), (("app",), "rotate-secret"), (("account",), "set-password")):
        done = deployment.run(*arguments)
        assert done.returncode == 0
        assert commands in done.stdout
