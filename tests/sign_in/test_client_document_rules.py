"""The rules for client_ids that are addresses, for the documents there, and for how long one is fresh."""

from pathlib import Path
from typing import Any

import pytest

from credence.oauth.client_documents.fetching import fresh_seconds
from credence.oauth.client_id_urls import is_document_url
from tests.deployment import OpenDeployment
from tests.sign_in.client_documents import PATH, page_of, publishing

BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"client_id": "https://localhost/other.json"}, "client_document.client_id"),
    ({"client_id": None}, "client_document.client_id"),
    ({"client_name": None}, "client_document.lacks"),
    ({"redirect_uris": None}, "client_document.lacks"),
    ({"redirect_uris": []}, "client_document.lacks"),
    ({"token_endpoint_auth_method": "client_secret_basic"}, "client_document.secret"),
    ({"token_endpoint_auth_method": "client_secret_post"}, "client_document.secret"),
    ({"token_endpoint_auth_method": "client_secret_jwt"}, "client_document.secret"),
    ({"client_secret": "s"}, "client_document.secret"),
    ({"client_secret_expires_at": 0}, "client_document.secret"),
    ({"token_endpoint_auth_method": "private_key_jwt"}, "registration.proof"),
    ({"jwks_uri": "https://localhost/keys"}, "registration.jwks_uri"),
    ({"redirect_uris": ["javascript:alert(1)"]}, "registration.redirect_uri"),
    ({"redirect_uris": ["http://app.example.com/"]}, "registration.redirect_uri"),
    ({"client_name": "Bank\u202e"}, "registration.name"),
]


async def test_a_document_that_breaks_a_rule_is_refused(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        members = publisher.members
        for change, reason in BROKEN:
            changed = {**members, **change}
            publisher.members = {name: value for name, value in changed.items() if value is not None}
            page = await page_of(publisher, deployment)
            assert (page.status, page.headers["x-reason"]) == (400, reason), change


async def test_a_document_that_was_fetched_while_the_clock_was_ahead_is_fetched_again(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """threats T11: it would be fresh until that clock's time. A second, as the rate of fetches has this clock too."""
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        right = deployment.now
        deployment.now += 1_000
        await page_of(publisher, deployment)
        deployment.now = right
        for _ in range(2):
            await page_of(publisher, deployment)
            assert publisher.fetched == 2


OTHER_ANSWERS: list[tuple[str, dict[str, str], bytes | None, str]] = [
    ("302 Found", {"Location": PATH}, None, "status"),
    ("404 Not Found", {"Content-Type": "application/json"}, None, "status"),
    ("204 No Content", {}, b"", "status"),
    ("200 OK", {"Content-Type": "text/html"}, None, "media_type"),
    ("200 OK", {}, None, "media_type"),
    ("200 OK", {"Content-Type": "application/json"}, b"[]", "syntax"),
    ("200 OK", {"Content-Type": "application/json"}, b"{", "syntax"),
    ("200 OK", {"Content-Type": "application/json"}, b'"\xff"', "syntax"),
    ("200 OK", {"Content-Type": "application/json"}, b" " * 5_121, "failed"),
]


async def test_another_answer_than_a_document_is_refused_and_not_kept(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """A redirect is not followed, only 200 counts, at most 5 kB, and nothing of a failure is kept."""
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        good = (publisher.status, publisher.fields, publisher.body)
        for number, (status, fields, body, reason) in enumerate(OTHER_ANSWERS, start=1):
            publisher.status, publisher.fields, publisher.body = status, fields, body
            page = await page_of(publisher, deployment)
            assert (page.status, page.headers["x-reason"]) == (400, f"client_document.{reason}"), (status, fields)
            assert publisher.fetched == number
        publisher.status, publisher.fields, publisher.body = good
        assert (await page_of(publisher, deployment)).status == 200


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({}, 300),
        ({"cache-control": "max-age=600"}, 600),
        ({"cache-control": "public, Max-Age=600, s-maxage=900"}, 900),
        ({"cache-control": "max-age=600", "age": "100"}, 500),
        ({"cache-control": "no-store"}, 60),
        ({"cache-control": "no-cache, max-age=600"}, 60),
        ({"cache-control": "max-age=1"}, 60),
        ({"cache-control": "max-age=99999999"}, 86_400),
        ({"cache-control": "max-age=600, max-age=900"}, 600),
        ({"expires": "Tue, 14 Nov 2023 22:23:20 GMT", "date": "Tue, 14 Nov 2023 22:13:20 GMT"}, 600),
        ({"expires": "0", "date": "Tue, 14 Nov 2023 22:13:20 GMT"}, 60),
        ({"expires": "Tue, 14 Nov 2023 22:23:20 GMT"}, 60),
        ({"expires": f"Tue, 14 Nov {'9' * 20} 22:23:20 GMT", "date": "Tue, 14 Nov 2023 22:13:20 GMT"}, 60),
        ({"expires": "Tue, 14 Nov 2023 22:23:20 GMT", "date": f"Tue, 14 Nov 2023 22:13:20 +{'9' * 20}"}, 60),
    ],
)
def test_freshness_follows_the_header_fields_within_bounds(fields: dict[str, str], seconds: int) -> None:
    """RFC 9111 §4.2."""
    assert fresh_seconds(fields) == seconds


@pytest.mark.parametrize(
    ("client_id", "is_one"),
    [
        ("https://app.example.com/client.json", True),
        ("https://app.example.com:8443/a/b?c=d", True),
        ("https://app.example.com", False),
        ("https://app.example.com/", False),
        ("http://app.example.com/client.json", False),
        ("https://app.example.com/client.json#f", False),
        ("https://ada@app.example.com/client.json", False),
        ("https://ada:pw@app.example.com/client.json", False),
        ("https://app.example.com/../client.json", False),
        ("https://app.example.com/a/./client.json", False),
        ("https://app.example.com/a/%2E%2e/client.json", False),
        ("https://APP.example.com/client.json", False),
        ("https://app.example.com/cliént.json", False),
        ("https://app.example.com/" + "x" * 255, False),
        ("crd_sbx_app_1", False),
    ],
)
def test_only_a_strict_address_is_the_client_id_of_a_document(client_id: str, is_one: bool) -> None:
    assert is_document_url(client_id) is is_one
