"""The XML form of the house dialect (spec §5.8, D8)."""

import json
from xml.etree import ElementTree as ET

import pytest

from tests.deployment import NOW, PASSWORD, REVOKE_PATH, TOKEN_PATH, Deployment, Reply

LOGIN = f"<AnyRoot><username>ada</username><password>{PASSWORD}</password></AnyRoot>".encode()


async def login(deployment: Deployment, content_type: str = "application/xml", accept: str | None = None) -> Reply:
    headers = [*deployment.client, ("Content-Type", content_type), *([("Accept", accept)] if accept else [])]
    return await deployment.send("POST", TOKEN_PATH, headers, LOGIN)


@pytest.mark.parametrize("content_type", ["application/xml", "text/xml", "application/xml; charset=UTF-8"])
async def test_an_xml_request_is_answered_in_xml_with_one_element_per_field(
    deployment: Deployment, content_type: str
) -> None:
    reply = await login(deployment, content_type)
    assert reply.headers["content-type"] == "application/xml"
    root = ET.fromstring(reply.body)
    assert root.tag == "TokenResponse"
    fields = ["issued_at", "expires_in", "token_type", "access_token", "refresh_token"]
    assert [child.tag for child in root] == fields
    assert root.findtext("issued_at") == str(NOW // 1000 * 1000)
    assert (await deployment.report(root.findtext("access_token", ""))).status == 200


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, "application/xml"),
        ("*/*", "application/xml"),
        ("application/xml", "application/xml"),
        ("text/xml", "application/xml"),
        ("application/json", "application/json"),
        ("application/json, application/xml;q=0.5", "application/json"),
        ("application/json;q=0.5, application/xml", "application/xml"),
        ("application/xml;q=0, */*", "application/json"),
        ("text/html", "application/json"),
        ("application/json, */*", "application/json"),
    ],
)
async def test_accept_chooses_the_form_of_the_answer(deployment: Deployment, accept: str | None, expected: str) -> None:
    """D8: without a choice the answer has the form of the request; JSON when nothing fits."""
    assert (await login(deployment, accept=accept)).headers["content-type"] == expected


async def test_a_json_request_may_ask_for_an_xml_answer(deployment: Deployment) -> None:
    headers = [*deployment.client, ("Content-Type", "application/json"), ("Accept", "application/xml")]
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    reply = await deployment.send("POST", TOKEN_PATH, headers, body)
    assert ET.fromstring(reply.body).tag == "TokenResponse"


async def test_a_refusal_in_xml_holds_type_and_message(deployment: Deployment) -> None:
    """D8, D9."""
    headers = [*deployment.client, ("Content-Type", "application/xml")]
    reply = await deployment.send("POST", TOKEN_PATH, headers, b"<r><username>ada</username></r>")
    root = ET.fromstring(reply.body)
    assert (reply.status, root.tag) == (400, "Errors")
    assert [child.tag for child in root] == ["Error"]
    assert [child.tag for child in root[0]] == ["errorType", "message"]
    assert root[0].findtext("message") == "The 'username' and 'password' attributes are required."


@pytest.mark.parametrize(
    "body",
    [
        b'<!DOCTYPE r [<!ENTITY a "b">]><r><username>&a;</username><password>p</password></r>',
        b'<r xmlns="urn:x"><username>ada</username><password>p</password></r>',
        b'<r a="b"><username>ada</username><password>p</password></r>',
        b"<r><username>ada</username><username>ada</username><password>p</password></r>",
        b"<r>text<username>ada</username><password>p</password></r>",
        b"<r><username><![CDATA[ada]]></username><password>p</password></r>",
        b"<r><username>a<!-- -->da</username><password>p</password></r>",
        b"<?php x?><r><username>ada</username><password>p</password></r>",
        b'<?xml version="1.0" encoding="UTF-16"?><r><username>ada</username><password>p</password></r>',
        "<r><username>ada</username><password>p</password></r>".encode("utf-16"),
        b"<r><username>ada</username><password>p</password></r><r/>",
        b"<r><username>ada</password></r>",
        b'{"username":"ada"}',
    ],
)
async def test_xml_beyond_the_grammar_is_refused_as_a_threat(deployment: Deployment, body: bytes) -> None:
    """D8, D16, threats P4, P5, P7: refused alike, whatever else it might have said."""
    reply = await deployment.send("POST", TOKEN_PATH, [*deployment.client, ("Content-Type", "application/xml")], body)
    assert reply.said == (401, "Unauthorized", "Access to the requested resource is not allowed.")


async def test_markup_in_a_value_comes_back_nowhere(deployment: Deployment) -> None:
    """threats P6: nothing of a request is reflected."""
    body = b"<r><username>can&lt;ary</username><password>p &amp; q</password></r>"
    reply = await deployment.send("POST", TOKEN_PATH, [*deployment.client, ("Content-Type", "application/xml")], body)
    assert reply.status == 401
    assert b"ary" not in reply.body


async def test_a_refused_revocation_is_said_in_xml_when_asked(deployment: Deployment) -> None:
    reply = await deployment.send("POST", REVOKE_PATH, [("Accept", "application/xml")])
    assert ET.fromstring(reply.body).tag == "Errors"
