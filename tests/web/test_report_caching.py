"""What the report says about its form and how long it may be kept (report schema §1 and §3, RFC 9110 §8.8.3, §13.1.2)."""

import pytest

from credence.report.cache import document
from tests.deployment import REPORT_PATH, Deployment, Reply

REAL = "SC109881"
HTML = "text/html; charset=utf-8"
BEGINNINGS = {
    "application/json": b"{",
    "application/xml": b"<?xml",
    HTML: b"<!doctype html>",
    "application/pdf": b"%PDF-",
}


async def get(deployment: Deployment, number: str = REAL, **headers: str) -> Reply:
    """Ask for a report with one token."""
    token = (await deployment.tokens())["access_token"]
    fields = [
        ("Authorization", f"Bearer {token}"),
        *((name.replace("_", "-"), value) for name, value in headers.items()),
    ]
    return await deployment.send("GET", f"{REPORT_PATH}/{number}", fields)


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize("number", [REAL, "99999999"])
async def test_a_report_says_what_it_is_and_how_long_it_may_be_kept(deployment: Deployment, number: str) -> None:
    reply = await get(deployment, number)
    assert reply.headers["etag"] == document(reply.body).tag
    assert reply.headers["cache-control"] == "private, max-age=60"
    assert reply.headers["vary"] == "accept"


@pytest.mark.usefixtures("register")
async def test_a_caller_that_holds_the_report_is_told_so(deployment: Deployment) -> None:
    tag = (await get(deployment)).headers["etag"]
    for held in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        reply = await get(deployment, If_None_Match=held)
        assert (reply.status, reply.body) == (304, b"")
        assert reply.headers["etag"] == tag
    assert (await get(deployment, If_None_Match='"other"')).status == 200


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/xml", "application/xml"),
        ("text/xml", "application/xml"),
        ("application/json;q=0.5, application/xml", "application/xml"),
        ("application/xml, application/json", "application/json"),
        ("image/png", "application/json"),
        ("text/html", HTML),
        ("application/pdf", "application/pdf"),
        ("Application/PDF; q=0.9", "application/pdf"),
        ("text/html; charset=utf-8", HTML),
        # What Java's HttpURLConnection sends by default; its programs read JSON.
        ("text/html, image/gif, image/jpeg, */*; q=.2", "application/json"),
        ("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "application/json"),
        ("application/pdf;q=0.9, text/html;q=0.8, */*;q=0.1", "application/json"),
        ("application/pdf, application/xml;q=0.5", "application/xml"),
        ("application/json, text/html;q=0.9, application/xhtml+xml;q=0.9", "application/json"),
        ("text/html;q=0.2, application/json", "application/json"),
        ("text/html, application/json", "application/json"),
        ("text/html;q=0, */*", "application/json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", HTML),
    ],
)
async def test_accept_chooses_the_form(deployment: Deployment, accept: str | None, media_type: str) -> None:
    """Report schema §1: a Content-Type on a GET is ignored. A page or PDF is for browsers and people only."""
    headers = {"Content_Type": "application/xml"} | ({"Accept": accept} if accept else {})
    reply = await get(deployment, **headers)
    assert reply.status == 200
    assert reply.headers["content-type"] == media_type
    assert reply.body.startswith(BEGINNINGS[media_type])


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize("number", [REAL, "99999999"])
async def test_every_form_has_a_tag_of_its_own_and_is_told_apart_by_it(deployment: Deployment, number: str) -> None:
    tags = set()
    for media_type in BEGINNINGS:
        reply = await get(deployment, number, Accept=media_type)
        again = await get(deployment, number, Accept=media_type, If_None_Match=reply.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert again.headers["vary"] == "accept"
        assert again.headers["cache-control"] == "private, max-age=60"
        tags.add(reply.headers["etag"])
    assert len(tags) == len(BEGINNINGS)


@pytest.mark.usefixtures("register")
async def test_a_report_is_of_the_day_on_which_it_is_asked_for(deployment: Deployment) -> None:
    """A report is built for a day; midnight in UTC is the next one."""
    first = await get(deployment)
    deployment.now += 86_400_000
    second = await get(deployment)
    days = [each.json["Assessment"]["ReportDate"] for each in (first, second)]
    assert days[0] < days[1]
    assert first.headers["etag"] != second.headers["etag"]
