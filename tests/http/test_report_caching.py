"""What the report says about its form and how long it may be kept (report schema §1 and §3, RFC 9110 §8.8.3, §13.1.2)."""

from pathlib import Path

import pytest

from credence.credit.reports import document
from tests.deployment import REPORT_PATH, Deployment, Reply, load_register, tell

REAL = "SC109881"


async def get(deployment: Deployment, number: str = REAL, **headers: str) -> Reply:
    """Ask for a report with one token."""
    token = (await deployment.tokens())["access_token"]
    fields = [
        ("Authorization", f"Bearer {token}"),
        *((name.replace("_", "-"), value) for name, value in headers.items()),
    ]
    return await deployment.send("GET", f"{REPORT_PATH}/{number}", fields)


@pytest.mark.parametrize("number", [REAL, "99999999"])
def test_a_report_says_what_it_is_and_how_long_it_may_be_kept(tmp_path: Path, number: str) -> None:
    load_register(tmp_path)

    async def story(deployment: Deployment) -> None:
        reply = await get(deployment, number)
        assert reply.headers["etag"] == document(reply.body).tag
        assert reply.headers["cache-control"] == "private, max-age=60"
        assert reply.headers["vary"] == "accept"

    tell(tmp_path, story)


def test_a_caller_that_holds_the_report_is_told_so(tmp_path: Path) -> None:
    load_register(tmp_path)

    async def story(deployment: Deployment) -> None:
        tag = (await get(deployment)).headers["etag"]
        for held in (tag, f'"other", {tag}', f"W/{tag}", "*"):
            reply = await get(deployment, If_None_Match=held)
            assert (reply.status, reply.body) == (304, b"")
            assert reply.headers["etag"] == tag
        assert (await get(deployment, If_None_Match='"other"')).status == 200

    tell(tmp_path, story)


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/xml", "application/xml"),
        ("text/xml", "application/xml"),
        ("application/json;q=0.5, application/xml", "application/xml"),
        ("text/html", "application/json"),
    ],
)
def test_accept_chooses_the_form(tmp_path: Path, accept: str | None, media_type: str) -> None:
    """Report schema §1: a Content-Type on a GET is ignored."""
    load_register(tmp_path)

    async def story(deployment: Deployment) -> None:
        headers = {"Content_Type": "application/xml"} | ({"Accept": accept} if accept else {})
        reply = await get(deployment, **headers)
        assert reply.status == 200
        assert reply.headers["content-type"] == media_type
        assert reply.body.startswith(b"<?xml" if "xml" in media_type else b"{")

    tell(tmp_path, story)


def test_the_two_forms_have_tags_of_their_own(tmp_path: Path) -> None:
    load_register(tmp_path)

    async def story(deployment: Deployment) -> None:
        for number in (REAL, "99999999"):
            json, xml = await get(deployment, number), await get(deployment, number, Accept="application/xml")
            assert json.headers["etag"] != xml.headers["etag"]

    tell(tmp_path, story)


def test_a_report_is_of_the_day_on_which_it_is_asked_for(tmp_path: Path) -> None:
    """A report is built for a day; midnight in UTC is the next one."""
    load_register(tmp_path)

    async def story(deployment: Deployment) -> None:
        first = await get(deployment)
        deployment.now += 86_400_000
        second = await get(deployment)
        days = [each.json["Assessment"]["ReportDate"] for each in (first, second)]
        assert days[0] < days[1]
        assert first.headers["etag"] != second.headers["etag"]

    tell(tmp_path, story)
