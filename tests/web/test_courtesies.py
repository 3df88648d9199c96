"""What browsers request by themselves, and what a person sees at an address that does not exist."""

import gzip
import struct

import pytest

from tests.deployment import Deployment

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


async def test_the_icon_has_two_sizes_and_may_be_kept(deployment: Deployment) -> None:
    """ICO: a header of three numbers of 16 bits, of which the third counts the pictures."""
    reply = await deployment.send("GET", "/favicon.ico")
    assert (reply.status, reply.headers["content-type"]) == (200, "image/vnd.microsoft.icon")
    assert struct.unpack("<HHH", reply.body[:6]) == (0, 1, 2)
    assert "max-age=86400" in reply.headers["cache-control"]


async def test_a_browser_gets_a_page_for_an_unknown_address(deployment: Deployment) -> None:
    reply = await deployment.send("GET", "/nowhere", [("accept", BROWSER)])
    assert (reply.status, reply.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"<h1>Page not found</h1>" in reply.body
    assert b'href="/docs"' in reply.body
    assert reply.headers["x-request-id"].encode() in reply.body


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/xml"])
async def test_a_client_of_the_api_gets_the_documented_refusal(deployment: Deployment, accept: str) -> None:
    reply = await deployment.send("GET", "/nowhere", [("accept", accept)])
    assert reply.status == 404
    assert "html" not in reply.headers["content-type"]


async def test_a_browser_gets_no_page_for_what_is_no_page(deployment: Deployment) -> None:
    """A form that is sent to an unknown address, and an unknown company of the API."""
    assert "html" not in (await deployment.send("POST", "/nowhere", [("accept", BROWSER)])).headers["content-type"]
    path = "/risk/business/v1/registeredcompanycredit/00000001"
    reply = await deployment.send("GET", path, [("accept", BROWSER), ("authorization", "Bearer x")])
    assert "html" not in reply.headers["content-type"]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/oauth2/v1/token", 405, b"It accepts POST requests only."),
        ("/risk/business/v1/registeredcompanycredit/99999910", 401, b"It needs an access token"),
    ],
)
async def test_a_person_who_opens_an_address_of_the_api_gets_a_page(
    deployment: Deployment, path: str, status: int, said: bytes
) -> None:
    """Fetch Metadata §2.3: a browser navigates to an address that a person opens; a script gets the documented refusal."""
    reply = await deployment.send("GET", path, [("accept", BROWSER), ("sec-fetch-mode", "navigate")])
    assert (reply.status, reply.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert said in reply.body
    assert b'href="/docs"' in reply.body
    fetched = await deployment.send("GET", path, [("accept", BROWSER), ("sec-fetch-mode", "cors")])
    assert "html" not in fetched.headers["content-type"]


async def test_a_person_who_opens_a_missing_page_of_the_documentation_is_not_told_that_it_is_for_programs(
    deployment: Deployment,
) -> None:
    reply = await deployment.send("GET", "/docs/missing.md", [("accept", BROWSER), ("sec-fetch-mode", "navigate")])
    assert reply.status == 404
    assert b"There is no page at this address." in reply.body
    assert b"for programs" not in reply.body


async def test_the_first_page_of_the_sign_in_is_small(deployment: Deployment) -> None:
    reply = await deployment.send("GET", "/account", [("accept", BROWSER)])
    assert reply.status == 200
    assert len(gzip.compress(reply.body)) < 15_000
