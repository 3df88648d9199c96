"""`credence audit verify`: whether the trail of what operators did is as it was written (threats I12)."""

from pathlib import Path

from credence.cli.exit_codes import ExitCode
from tests.cli.deployment import Deployment


def trail(deployment: Deployment) -> Path:
    (file,) = deployment.data_dir.rglob("audit.jsonl")
    return file


def test_a_trail_without_a_change_is_complete_and_ends_with_its_digest(deployment: Deployment) -> None:
    deployment.create_account("ada")
    first = deployment.json("audit", "verify")
    deployment.create_account("grace")
    later = deployment.json("audit", "verify")
    assert later["lines"] == first["lines"] + 1
    assert later["since"] == first["since"]
    assert later["last_digest"] != first["last_digest"]
    assert deployment.json("audit", "verify", "--contains", first["last_digest"]) == later


def test_a_changed_line_is_named(deployment: Deployment) -> None:
    deployment.create_account("ada")
    deployment.create_account("grace")
    file = trail(deployment)
    file.write_text(file.read_text().replace('"ada"', '"eve"'))
    said = deployment.refused("audit", "verify")
    assert said == f"{file}, line 2: the line before it was changed or is missing."
    assert deployment.run("audit", "verify").returncode == ExitCode.CONTENT


def test_a_trail_that_was_cut_lacks_the_digest_that_was_noted(deployment: Deployment) -> None:
    deployment.create_account("ada")
    deployment.create_account("grace")
    noted = deployment.json("audit", "verify")["last_digest"]
    file = trail(deployment)
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    assert deployment.json("audit", "verify")["last_digest"] != noted
    said = deployment.refused("audit", "verify", "--contains", noted)
    assert said == f"No line has the digest {noted!r}: the trail was cut, or it is older."


def test_without_a_trail_there_is_nothing_to_verify(deployment: Deployment) -> None:
    assert deployment.refused("audit", "verify").startswith("There is no audit trail in ")


def test_what_was_done_is_searched_by_act_and_account(deployment: Deployment) -> None:
    deployment.create_account("ada")
    deployment.create_account("grace")
    deployment.json("account", "status", "ada", "suspended")
    found = deployment.json("audit", "deeds", "--account", "ada")
    assert [(line["act"], line["account"]) for line in found] == [("account set", "ada"), ("account create", "ada")]
    assert [line["account"] for line in deployment.json("audit", "deeds", "--act", "account create")] == [
        "grace",
        "ada",
    ]
    assert [line["account"] for line in deployment.json("audit", "deeds", "--text", "GRACE")] == ["grace"]


def test_a_search_without_a_match_says_so_and_a_change_is_in_words(deployment: Deployment) -> None:
    deployment.create_account("ada")
    deployment.json("account", "status", "ada", "suspended")
    none = deployment.run("audit", "deeds", "--act", "no such act")
    assert (none.returncode, none.stdout, none.stderr) == (0, "", "None found.\n")
    assert "active → suspended" in deployment.run("audit", "deeds", "--act", "account set").stdout


def test_whether_a_server_works_is_known_to_that_server(deployment: Deployment) -> None:
    assert "name it with --at" in deployment.refused("health")
    assert "--data-dir" not in deployment.run("health", "--help").stdout
