"""The report as a page over HTTP: what a browser may do with it, its errors, and the model card (credit §9)."""

import base64
import hashlib
import re
from pathlib import Path

import html5lib
import pytest

from credence import paths
from credence.report.build.score import MODEL_CARD
from credence.scoring.model import current_model
from tests.deployment import REPORT_PATH, Deployment
from tests.web.test_report_caching import HTML, get

ROOT = Path(__file__).resolve().parents[2]
CHROME = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


async def test_a_page_may_show_its_own_style_and_do_nothing_else(deployment: Deployment) -> None:
    reply = await get(deployment, "99999999", Accept=CHROME)
    assert reply.headers["content-type"] == HTML
    style = re.search(rb"<style>(.*?)</style>", reply.body, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1]).digest()).decode()
    assert reply.headers["content-security-policy"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert b" style=" not in reply.body
    assert b"<script" not in reply.body


@pytest.mark.usefixtures("register")
async def test_a_pdf_has_a_name_to_be_kept_under(deployment: Deployment) -> None:
    reply = await get(deployment, "sc109881", Accept="application/pdf")
    assert reply.headers["content-disposition"] == 'inline; filename="report-SC109881.pdf"'


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize(("number", "status"), [("01234560", 404), ("no-number", 422)])
async def test_a_browser_is_told_of_a_fault_as_everyone_is(deployment: Deployment, number: str, status: int) -> None:
    reply = await get(deployment, number, Accept="text/html")
    assert (reply.status, reply.headers["content-type"]) == (status, "application/json")
    assert "Error" in reply.json


@pytest.mark.parametrize("accept", [CHROME, "application/pdf"])
async def test_there_is_no_page_without_a_token(deployment: Deployment, accept: str) -> None:
    reply = await deployment.send("GET", f"{REPORT_PATH}/99999999", [("Accept", accept)])
    assert reply.status == 401


async def test_the_page_leads_to_a_model_card_that_anyone_may_read(deployment: Deployment) -> None:
    page = await get(deployment, "99999901", Accept="text/html")
    assert f'href="https://localhost:8443{paths.MODEL_CARD}"'.encode() in page.body
    card = await deployment.send("GET", paths.MODEL_CARD)
    assert (card.status, card.headers["content-type"]) == (200, HTML)
    tree = html5lib.parse(card.body, namespaceHTMLElements=False)
    drawings = [each.get("src", "") for each in tree.findall(".//img")]
    assert len(drawings) == 2
    assert all(each.startswith("data:image/svg+xml;base64,") for each in drawings)
    assert current_model().hash.encode() in card.body, "the card is of the model that scores"
    again = await deployment.send("GET", paths.MODEL_CARD, [("If-None-Match", card.headers["etag"])])
    assert again.status == 304


def test_a_report_names_the_address_of_the_card() -> None:
    assert MODEL_CARD == paths.MODEL_CARD


@pytest.mark.parametrize("name", ["model-card.md", "model-card-areas.svg", "model-card-calibration.svg"])
def test_the_card_that_is_served_is_the_one_in_the_docs(name: str) -> None:
    """`make model-card` writes both."""
    served = ROOT / "src" / "credence" / "scoring" / "card" / name
    assert served.read_bytes() == (ROOT / "docs" / name).read_bytes()
