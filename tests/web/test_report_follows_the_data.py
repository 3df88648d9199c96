"""Reports and directors from loaded facts, read while loads and disputes change them (D21, credit §10). All invented."""

import datetime as dt
from pathlib import Path

from credence.companies.facts.dispute import DisputeStatus
from credence.companies.facts.people import director_number
from credence.datasets import disputes
from credence.settings import Settings
from tests.datasets.sources.acts import load
from tests.datasets.sources.hand_written import answer, officer, write_json
from tests.deployment import REPORT_PATH, Deployment, OpenDeployment, Reply

NUMBER = "00000001"
SEARCH = "/risk/business/v2/directortargeter"
DETAILS = "/risk/business/v2/directordetails"


async def get(deployment: Deployment, target: str, tag: str = "") -> Reply:
    """Ask with a good token, and with the tag of what is on record."""
    token = (await deployment.tokens())["access_token"]
    held = [("If-None-Match", tag)] if tag else []
    return await deployment.send("GET", target, [("Authorization", f"Bearer {token}"), *held])


async def test_a_load_and_a_dispute_are_in_the_next_report(open_deployment: OpenDeployment, tmp_path: Path) -> None:
    """A company of which only officers are on record has a report; the tag tells of every change."""
    data, folder = tmp_path / "data", Settings(data_dir=tmp_path / "data").credit_folder
    first = write_json(tmp_path / "1.json", answer(officer(NUMBER)))
    second = write_json(tmp_path / "2.json", answer(officer(NUMBER), officer(NUMBER, "o2", officer_role="secretary")))

    deployment = await open_deployment(data)
    report = f"{REPORT_PATH}/{NUMBER}"
    assert (await get(deployment, report)).status == 404

    load("officers", folder, first)
    one = await get(deployment, report)
    assert one.status == 200
    assert one.json["ManagementInfo"]["NumCurrDirs"] == 1
    assert "Identification" in one.json
    assert (await get(deployment, report, one.headers["etag"])).status == 304

    load("officers", folder, second)
    two = await get(deployment, report, one.headers["etag"])
    assert two.status == 200
    assert (two.json["ManagementInfo"]["NumDirs"], two.json["ManagementInfo"]["NumSecs"]) == (1, 1)

    disputes.record(folder, NUMBER, "Nationality", "It is wrong", DisputeStatus.OPEN, dt.date(2026, 11, 1))
    three = await get(deployment, report, two.headers["etag"])
    assert three.json["NoticeOfCorrection"]["NumCorrections"] == 1


async def test_a_director_is_found_by_name_and_shown_by_number(open_deployment: OpenDeployment, tmp_path: Path) -> None:
    """Report schema §1; credit §10: 17 May 1972 and the address are in the file and in no answer."""
    data, folder = tmp_path / "data", Settings(data_dir=tmp_path / "data").credit_folder
    for n, number in enumerate(("00000001", "00000002")):
        load("officers", folder, write_json(tmp_path / f"{n}.json", answer(officer(number))))

    deployment = await open_deployment(data)
    found = await get(deployment, f"{SEARCH}?surname=sample&forename=ada&dateofbirth=1972-05")
    (result,) = found.json["SearchResults"]
    report = await get(deployment, f"{REPORT_PATH}/00000001")
    (director,) = report.json["ManagementInfo"]["Directors"]["CurrentDirector"]
    assert result["DirectorNumber"] == director["DirectorNumber"] == director_number("person-o1")
    details = await get(deployment, f"{DETAILS}/{result['DirectorNumber']}")
    posts = details.json["Directorships"]["CurrentDirector"]
    assert [post["CommercialDetail"]["RegNumber"] for post in posts] == ["00000001", "00000002"]
    for reply in (found, report, details):
        assert b"Secret Street" not in reply.body
        assert b"1972" not in reply.body
