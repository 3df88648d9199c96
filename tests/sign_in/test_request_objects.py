"""Authorization requests that the client signed (RFC 9101)."""

from typing import Any

import pytest

from credence.identity.client_keys import read_key_set
from tests.deployment import NOW, Deployment
from tests.oauth import assertions
from tests.oauth.proving import encoded
from tests.oauth.standard import error
from tests.sign_in.browsing import AUTHORIZE, Browser, answer_of, redeem, request_of, with_browser_application
from tests.sign_in.pushing import KEYS, by_reference, object_of, parameters_of, push
from tests.sign_in.test_pushed_requests import through_pages

SECONDS = NOW // 1000


def by_value(client_id: str, text: str, **more: str) -> str:
    fields = {"client_id": client_id, "request": text, **more}
    return f"{AUTHORIZE}?" + "&".join(f"{name}={value}" for name, value in fields.items())


async def test_a_signed_request_is_answered_and_its_parameters_alone_count(deployment: Deployment) -> None:
    """RFC 9101 §5, §6.3: the modules different-state-inside-and-outside… and state-only-outside…"""
    application = await with_browser_application(deployment, keys=KEYS)
    text = object_of(deployment, application, state="inside", max_age=1000, claims={"id_token": {"given_name": None}})
    target = by_value(application.client_id, text, state="outside", scope="email", response_type="token")
    answer = await through_pages(Browser(deployment), target)
    assert answer["state"] == "inside"
    tokens = (await redeem(deployment, answer["code"])).json
    assert tokens["scope"] == "openid profile credit:report"


@pytest.mark.parametrize(
    ("header", "claims", "reason"),
    [
        ({}, {"client_id": "another"}, "client_id"),
        ({}, {"client_id": None}, "client_id"),
        ({}, {"iss": "another"}, "issuer"),
        ({}, {"aud": "https://other.example.com"}, "audience"),
        ({}, {"exp": SECONDS - 1}, "times"),
        ({}, {"nbf": SECONDS + 70}, "times"),
        ({}, {"sub": "ada"}, "forbidden"),
        ({}, {"request": "x"}, "forbidden"),
        ({}, {"request_uri": "urn:x"}, "forbidden"),
        ({}, {"max_age": True}, "value"),
        ({"typ": "at+jwt"}, {}, "type"),
        ({"kid": "another"}, {}, "signature"),
    ],
    ids=str,
)
async def test_a_request_that_is_not_the_clients_for_this_service_now_is_declined(
    deployment: Deployment, header: dict[str, str], claims: dict[str, Any], reason: str
) -> None:
    """RFC 9101 §4, §6, §10.8: `invalid_request_object`, at a redirect URI that is registered, or a page."""
    keys = read_key_set(assertions.key_set(assertions.public(assertions.EC, alg="ES256", kid="one")))
    application = await with_browser_application(deployment, keys=keys)
    text = object_of(deployment, application, {"kid": "one", **header}, **claims)
    reply = await Browser(deployment).get(f"{request_of(application)}&request={text}")
    assert answer_of(reply)["error"] == "invalid_request_object"
    assert deployment.service.counts.refusals[f"request_object.{reason}"] == 1
    page = await Browser(deployment).get(by_value(application.client_id, text))
    assert (page.status, page.headers["x-reason"]) == (400, f"request_object.{reason}")


async def test_a_request_that_nobody_or_somebody_else_signed_is_declined(deployment: Deployment) -> None:
    application = await with_browser_application(deployment, keys=KEYS)
    good = object_of(deployment, application)
    head, payload, signature = good.split(".")
    by_other = assertions.signed(assertions.OTHER_EC, {"alg": "ES256"}, {"client_id": application.client_id})
    for text, reason in (
        (f"{encoded({'alg': 'none'})}.{payload}.", "malformed"),
        (f"{head}.{payload}.{signature[:-4]}AAAA", "signature"),
        (by_other, "signature"),
        ("x", "malformed"),
        (f"{good}&request={good}", "malformed"),
    ):
        page = await Browser(deployment).get(by_value(application.client_id, text))
        assert (page.status, page.headers["x-reason"]) == (400, f"request_object.{reason}")
        reply = await Browser(deployment).get(f"{request_of(application)}&request={text}")
        assert answer_of(reply)["error"] == "invalid_request_object"


async def test_a_client_assertion_is_no_request_and_a_request_no_assertion(deployment: Deployment) -> None:
    """RFC 9101 §10.8, threats T8."""
    client = await assertions.registered(deployment)
    application = await with_browser_application(deployment)
    reply = await Browser(deployment).get(f"{request_of(application)}&request={client.assertion()}")
    assert answer_of(reply)["error"] == "invalid_request_object"
    text = object_of(deployment, application, jti="once", iat=SECONDS)
    assert error(await client.show(text)) == (401, "invalid_client")


async def test_a_signed_request_may_be_pushed(deployment: Deployment) -> None:
    """RFC 9126 §3."""
    application = await with_browser_application(deployment, keys=KEYS)
    reply = await push(deployment, {"request": object_of(deployment, application)})
    assert reply.status == 201
    deployment.now += 299_000
    answer = await through_pages(Browser(deployment), by_reference(application, reply.json["request_uri"]))
    assert answer["code"]
    unsigned = {"request": object_of(deployment, application, client_id="another")}
    assert error(await push(deployment, unsigned)) == (400, "invalid_request_object")


async def test_an_object_may_expire_while_the_person_types(deployment: Deployment) -> None:
    application = await with_browser_application(deployment, keys=KEYS)
    browser = Browser(deployment)
    page = await browser.get(by_value(application.client_id, object_of(deployment, application)))
    deployment.now += 600_000
    consent = await browser.sign_in(page)
    assert answer_of(await browser.submit(consent, decision="allow"))["code"]


async def test_an_application_may_be_registered_to_sign_every_request(deployment: Deployment) -> None:
    """RFC 9101 §10.5."""
    application = await with_browser_application(deployment, keys=KEYS, signed_requests_required=True)
    assert answer_of(await Browser(deployment).get(request_of(application)))["error"] == "invalid_request"
    assert error(await push(deployment, parameters_of(application))) == (400, "invalid_request")
    target = by_value(application.client_id, object_of(deployment, application))
    assert (await through_pages(Browser(deployment), target))["code"]
