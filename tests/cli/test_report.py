"""`credence report`: one report from the data folder, without a server (credit §9)."""

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest

from credence.sandbox.provision import REGISTER_SAMPLE
from tests.cli.deployment import Deployment
from tests.datasets.sources.hand_written import feed, notice
from tests.running import clean_environment


def test_a_report_is_written_in_each_form(deployment: Deployment, tmp_path: Path) -> None:
    deployment.json("data", "load", "register", str(REGISTER_SAMPLE))
    report = json.loads(deployment.run("report", "sc109881").stdout)
    assert report["RegNumber"] == "SC109881"
    page, paper = tmp_path / "report.html", tmp_path / "report.pdf"
    deployment.run("report", "SC109881", "--format", "html", "--output", str(page))
    deployment.run("report", "SC109881", "--format", "pdf", "--output", str(paper))
    assert report["CommercialName"] in page.read_text(encoding="utf-8").replace("&amp;", "&")
    assert "SC109881" in pypdf.PdfReader(BytesIO(paper.read_bytes())).pages[0].extract_text()
    assert {each.stat().st_mode & 0o777 for each in (page, paper)} == {0o600}


def test_a_pdf_goes_where_standard_output_goes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "credence", "report", "99999999", "--format", "pdf"]
    environment = clean_environment(CREDENCE_DATA_DIR=str(tmp_path))
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=True)
    assert len(pypdf.PdfReader(BytesIO(done.stdout)).pages) > 2


def test_a_past_report_says_what_was_known_then(deployment: Deployment, tmp_path: Path) -> None:
    """The Gazette corrected the order to another company on 9 March."""
    order = {"content": "<p>(Company Number 00000001).</p>", "updated": "2026-03-02T09:00:00Z"}
    corrected = {"content": "<p>(Company Number 00000002).</p>", "updated": "2026-03-09T09:00:00Z"}
    for said in (order, corrected):
        deployment.json("data", "load", "gazette", str(feed(tmp_path / "gazette-1.json", notice(**said))))

    def report(number: str, day: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(deployment.run("report", number, "--known-on", day).stdout)
        return found

    assert "Withdrawn" not in report("1", "2026-03-08")["Assessment"]
    assert report("1", "2026-03-08")["LegalNotices"]["WindUp"] == report("2", "2026-03-09")["LegalNotices"]["WindUp"]
    (withdrawn,) = report("1", "2026-03-09")["Assessment"]["Withdrawn"]
    assert withdrawn["WithdrawnOn"] == "2026-03-09"
    assert "nothing on company 00000002 that was known on 2026-03-08" in deployment.refused(
        "report", "2", "--known-on", "2026-03-08"
    )
    assert "is in the future" in deployment.refused("report", "1", "--known-on", "9999-01-01")
    assert "is no day" in deployment.refused("report", "1", "--known-on", "March")


def test_the_specimen_and_the_invented_companies_need_no_data(deployment: Deployment) -> None:
    for number in ("99999999", "99999901"):
        assert json.loads(deployment.run("report", number).stdout)["RegNumber"] == number


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("00000001",), "There is no data on company 00000001"),
        (("nonsense",), "must be up to 8 digits, or a prefix of the register before digits"),
        (("99999999", "--output", "/no/such/folder/report.json"), "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(
    deployment: Deployment, arguments: tuple[str, ...], said: str
) -> None:
    line = deployment.refused("report", *arguments)
    assert said in line
