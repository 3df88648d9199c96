"""`credence data` on every source but the register: loads, refresh, removal, retention, disputes (credit §10, §11)."""

import json
from pathlib import Path

import pytest

from credence.cli.data import _SNAPSHOTS
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.refresh import SOURCES
from credence.datasets.sources.source import Renewal
from tests.cli.deployment import Deployment
from tests.datasets.sources import hand_written as made
from tests.datasets.sources.public_register import Reply, Server


@pytest.mark.parametrize(
    ("source", "name", "contents"),
    [
        ("officers", "00000001-officers-1.json", made.answer(made.officer("00000001"))),
        ("charges", "00000001-charges-1.json", made.answer(made.CHARGE)),
        ("insolvency", "00000001-insolvency-1.json", {"cases": [made.CASE]}),
        ("filing-history", "00000001-filing-history-1.json", made.answer(made.FILING)),
        ("profile", "00000001-profile-1.json", {"company_number": "00000001", "company_name": "PLACEHOLDER LIMITED"}),
    ],
)
def test_answers_of_the_register_are_loaded_and_shown(
    deployment: Deployment, tmp_path: Path, source: str, name: str, contents: object
) -> None:
    file = made.write_json(tmp_path / name, contents)
    assert deployment.json("data", "load", source, str(file))["kept"] == 1
    (row,) = (row for row in deployment.json("data", "status") if row["source"] == source)
    assert (row["companies"], row["facts"], row["fault"]) == (1, 1, None)


def test_a_refresh_loads_what_is_new_and_says_what_is_missing(deployment: Deployment, tmp_path: Path) -> None:
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    made.persons(downloads, made.person("00000001"))
    made.feed(downloads / "gazette-1.json", made.notice())
    made.write(downloads / "BasicCompanyData-2026-11-01-part1_2.zip", "")
    outcomes = {row["source"]: row["outcome"] for row in deployment.json("data", "refresh", str(downloads))}
    assert outcomes == {"register": "parts 2 of 2 are missing", "psc": "loaded 1", "gazette": "loaded 1"}
    again = deployment.json("data", "refresh", str(downloads))
    assert [row["source"] for row in again] == ["register"]


def test_a_refresh_needs_a_folder(deployment: Deployment) -> None:
    assert deployment.refused("data", "refresh").startswith("There is no folder")


def test_a_source_can_be_removed_with_all_that_is_held_of_it(deployment: Deployment, tmp_path: Path) -> None:
    deployment.json("data", "load", "psc", str(made.persons(tmp_path, made.person("00000001"), day="2026-02-01")))
    assert deployment.json("data", "remove", "psc") == {"source": "psc", "removed": True}
    assert deployment.json("data", "remove", "psc") == {"source": "psc", "removed": False}
    assert list((deployment.data_dir / "credit").glob("psc*.sqlite")) == []
    assert deployment.refused("data", "remove", "nothing").startswith("There is no source 'nothing'")


def test_a_damaged_catalogue_is_said_in_one_line(deployment: Deployment, tmp_path: Path) -> None:
    deployment.json("data", "load", "psc", str(made.persons(tmp_path, made.person("00000001"), day="2026-02-01")))
    (deployment.data_dir / "credit" / "catalogue.json").write_text("{")
    page = made.feed(tmp_path / "gazette-1.json", made.notice())
    for arguments in (("data", "status"), ("data", "load", "gazette", str(page)), ("data", "remove", "psc")):
        assert deployment.refused(*arguments).endswith("is damaged: remove it and load every source again.")


def test_the_retention_is_kept_at_a_load_and_on_request(deployment: Deployment, tmp_path: Path) -> None:
    """credit §10: six years unless the operator says otherwise."""
    lines = [made.person("00000001", str(year), ceased_on=f"{year}-01-01") for year in (1999, 2024)]
    loaded = deployment.json("data", "load", "psc", str(made.persons(tmp_path, *lines, day="2026-02-01")))
    assert (loaded["kept"], loaded["forgotten"]) == (1, 1)
    assert deployment.json("data", "forget", "--years", "1")["psc"] == 1
    assert deployment.json("data", "forget", "--years", "1")["psc"] == 0
    line = deployment.refused("data", "forget", CREDENCE_RETENTION_YEARS="0")
    assert line.startswith("The retention has no limit")


def test_what_replaces_everything_is_what_takes_fewer_on_request() -> None:
    atomic_replacement = {name for name, source in SOURCES.items() if source.renewal is Renewal.ALL}
    assert set(_SNAPSHOTS) == {REGISTER, *atomic_replacement}


def test_far_fewer_companies_are_taken_on_request(deployment: Deployment, tmp_path: Path) -> None:
    many = made.persons(tmp_path, *(made.person(f"{n:08}") for n in range(1, 11)), day="2026-02-01")
    few = made.persons(tmp_path, made.person("00000001"), day="2026-02-02")
    deployment.json("data", "load", "psc", str(many))
    assert "give --accept-fewer" in deployment.refused("data", "load", "psc", str(few))
    assert deployment.json("data", "load", "psc", str(few), "--accept-fewer")["companies"] == 1


def test_a_dispute_is_opened_shown_and_closed(deployment: Deployment) -> None:
    arguments = ("data", "dispute", "1234567", "open", "--field", "Status", "--note", "It trades.")
    opened = deployment.json(*arguments)
    assert (opened["company"], opened["status"], opened["note"]) == ("01234567", "open", "It trades.")
    deployment.json("data", "dispute", "01234567", "upheld", "--field", "Status")
    (row,) = deployment.json("data", "disputes")
    assert (row["company"], row["status"], row["note"]) == ("01234567", "upheld", "It trades.")
    assert deployment.json("data", "disputes", "7654321") == []


def test_a_dispute_about_a_company_that_is_not_held_is_taken_with_a_warning(
    deployment: Deployment, tmp_path: Path
) -> None:
    """The company may come with the next load; a slip in the number is seen at once."""
    officers = made.write_json(tmp_path / "00000001-officers-1.json", made.answer(made.officer("00000001")))
    deployment.json("data", "load", "officers", str(officers))
    arguments = ("open", "--field", "Status", "--note", "It trades.")
    assert "There is no data on company 99999998" in deployment.run("data", "dispute", "99999998", *arguments).stdout
    assert "There is no data" not in deployment.run("data", "dispute", "00000001", *arguments).stdout
    assert len(deployment.json("data", "disputes")) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("?", "open", "--field", "Status", "--note", "x"), "The company number must have letters and digits only"),
        (("01234567", "open", "--field", "Status"), "A new dispute needs a note"),
        (("01234567", "lost", "--field", "Status", "--note", "x"), "Invalid value"),
    ],
)
def test_a_dispute_that_says_too_little_is_refused(
    deployment: Deployment, arguments: tuple[str, ...], said: str
) -> None:
    assert deployment.refused("data", "dispute", *arguments).startswith(said)


def test_the_register_is_asked_only_with_a_key_and_over_https(deployment: Deployment) -> None:
    """threats E3: no outgoing call unless the operator sets a key and asks."""
    assert deployment.refused("data", "fetch", "01234567").startswith("The register's API needs a key")
    key = {"CREDENCE_COMPANIES_HOUSE_KEY": "secret-key"}
    line = deployment.refused("data", "fetch", "01234567", "--base", "http://api.example.com", **key)
    assert line == "The register's address must begin with https."
    assert deployment.refused("data", "fetch", "?", **key).startswith(
        "The company number must have letters and digits only"
    )


def test_what_the_register_says_is_saved_and_loaded(deployment: Deployment) -> None:
    """The pace is the real one: half a second a request (credit §4.1)."""
    server = Server()
    try:
        server.replies["/company/00000001"] = [Reply(body={"company_name": "PLACEHOLDER LIMITED"})]
        server.replies["/company/00000001/officers"] = [Reply(body=made.answer(made.officer("00000001")))]
        done = deployment.run(
            *("data", "fetch", "1", "00000001", "--base", server.base, "--json"),
            CREDENCE_COMPANIES_HOUSE_KEY="secret-key",
        )
    finally:
        server.close()
    assert json.loads(done.stdout) == [{"company": "00000001", "known": True, "files": 5}]
    assert "secret-key" not in done.stdout + done.stderr
    loaded = {row["source"]: row["outcome"] for row in deployment.json("data", "refresh")}
    assert loaded == dict.fromkeys(("charges", "insolvency", "filing-history"), "loaded 0") | {
        "officers": "loaded 1",
        "profile": "loaded 1",
    }
    assert deployment.json("data", "refresh") == []
