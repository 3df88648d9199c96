"""Rights that say which companies (RFC 9396, threats A19): requested, shown, in the token, enforced."""

import asyncio
import json
from typing import Any

import msgspec
import pytest

from tests.deployment import REPORT_PATH, Deployment, Reply, claims
from tests.mcp.messages import post, stateless
from tests.oauth.exchanging import exchange, service
from tests.oauth.standard import ask, error
from tests.sign_in.browsing import Browser, answer_of, authorized, redeem, request_of, with_browser_application
from tests.sign_in.pushing import parameters_of, push, pushed

ONE, OTHER = "99999999", "99999901"
DETAILS: dict[str, Any] = {
    "type": "credit_report",
    "companies": [ONE],
    "purpose": "Terms for a customer",
    "until": "2023-12-31",
    "count": 3,
}
"""The clock of a deployment is in November 2023."""

CLIENT_CREDENTIALS = "client_credentials"


def text(*objects: Any) -> str:
    return json.dumps(objects)


async def alone(deployment: Deployment, **changes: object) -> Deployment:
    """Let the application get tokens for itself."""
    grants = (CLIENT_CREDENTIALS, "password", "refresh_token")
    changed = msgspec.structs.replace(
        deployment.application, version=deployment.application.version + 1, **{"grants": grants, **changes}
    )
    await deployment.store.save_application(changed, deployment.now)
    deployment.application = changed
    return deployment


async def token(deployment: Deployment, *objects: Any, **more: str) -> dict[str, Any]:
    fields = {"grant_type": CLIENT_CREDENTIALS, **({"authorization_details": text(*objects)} if objects else {})}
    reply = await ask(deployment, {**fields, **more})
    assert reply.status == 200, reply
    found: dict[str, Any] = reply.json
    return found


def reasons(deployment: Deployment) -> dict[str, int]:
    return {name: times for name, times in deployment.service.counts.refusals.items() if name.startswith("rights.")}


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "[]",
        "{}",
        "null",
        "[",
        "[" * 600,
        text(DETAILS, DETAILS),
        text({**DETAILS, "type": "payment"}),
        text({name: value for name, value in DETAILS.items() if name != "type"}),
        text({**DETAILS, "actions": ["read"]}),
        text({**DETAILS, "companies": []}),
        text({**DETAILS, "companies": ["1234567"]}),
        text({**DETAILS, "companies": [12345678]}),
        text({**DETAILS, "companies": "01234567"}),
        text({**DETAILS, "companies": [f"{number:08}" for number in range(51)]}),
        text({**DETAILS, "until": "31 December 2026"}),
        text({**DETAILS, "until": "2023-12-31T00:00:00Z"}),
        text({**DETAILS, "count": 0}),
        text({**DETAILS, "count": -1}),
        text({**DETAILS, "count": 1.5}),
        text({**DETAILS, "count": "3"}),
        text({**DETAILS, "purpose": ""}),
        text({**DETAILS, "purpose": "a\nb"}),
        text({**DETAILS, "purpose": "\u202egnp"}),
        text({**DETAILS, "purpose": "x" * 121}),
        '[{"type":"credit_report","companies":["99999999"],"companies":["99999901"]}]',
        '[{"type":"credit_report","count":1,"c\\u006funt":100}]',
    ],
)
async def test_what_the_type_does_not_allow_is_refused(deployment: Deployment, sent: str) -> None:
    """RFC 9396 §5: an unknown type, an unknown or missing member, a value of another form."""
    await alone(deployment)
    refused = await ask(deployment, {"grant_type": CLIENT_CREDENTIALS, "authorization_details": sent})
    if sent:
        assert error(refused) == (400, "invalid_authorization_details")
    else:
        assert refused.status == 200  # RFC 6749 §3.2: a parameter without a value counts as absent


async def test_token_answer_introspection_and_metadata_name_the_rights(deployment: Deployment) -> None:
    """RFC 9396 §7, §9.1, §9.2, §10; RFC 9728 §2."""
    for path in ("/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"):
        found = await deployment.send("GET", path)
        assert found.json["authorization_details_types_supported"] == ["credit_report"]
    await alone(deployment)
    answer = await token(deployment, DETAILS)
    assert answer["authorization_details"] == [DETAILS]
    assert claims(answer["access_token"])["authorization_details"] == [DETAILS]
    found = await ask(deployment, {"token": answer["access_token"]}, path="/oauth2/v1/introspect")
    assert found.json["authorization_details"] == [DETAILS]


@pytest.mark.settings(environment="sandbox")
async def test_a_token_reads_reports_on_its_companies_alone(deployment: Deployment) -> None:
    """And each way to facts from a report that does not name a company is closed."""
    await alone(deployment)
    rights = {"type": "credit_report", "companies": [ONE]}
    access_token = (await token(deployment, rights, scope="credit:report credit:search"))["access_token"]
    bearer = ("Authorization", f"Bearer {access_token}")
    assert (await deployment.report(access_token)).status == 200
    json_type = ("Content-Type", "application/json")

    async def get(target: str) -> int:
        return (await deployment.send("GET", target, [bearer])).status

    assert (await deployment.report(access_token, f"/{OTHER}")).status == 403
    assert await get(f"{REPORT_PATH}?RegNumber={OTHER}") == 403
    assert await get("/risk/business/v2/corrections") == 403
    assert await get("/monitoring/v1/portfolios") == 403
    search = "/risk/business/v1/businesstargeter?name=TEST"
    assert await get(search) == 200
    assert await get(f"{search}&assessment=true") == 403

    async def batch(*companies: str) -> Reply:
        return await deployment.send(
            "POST", "/risk/business/v2/batches", [bearer, json_type], json.dumps(companies).encode()
        )

    assert (await batch(ONE)).status == 200
    assert (await batch(ONE, OTHER)).status == 403
    assert reasons(deployment) == {"rights.company": 3, "rights.route": 2}


@pytest.mark.settings(environment="sandbox")
async def test_an_agent_reads_its_companies_alone(deployment: Deployment) -> None:
    """The same rule over MCP: by argument, by list, by resource; a search shows no risk of other companies."""
    await alone(deployment)
    rights = {"type": "credit_report", "companies": [ONE]}
    resource = f"{deployment.service.settings.issuer}/mcp"
    access_token = (await token(deployment, rights, resource=resource))["access_token"]

    async def call(tool: str, **arguments: Any) -> Reply:
        return await post(deployment, access_token, stateless("tools/call", name=tool, arguments=arguments))

    assert (await call("company_summary", number=ONE)).status == 200
    assert (await call("company_summary", number=OTHER)).status == 403
    assert (await call("company_summary", number=int(OTHER))).status == 403
    assert (await call("compare_companies", numbers=[ONE, OTHER])).status == 403
    assert (await call("what_changed", number=OTHER, since="2020-01-01")).status == 403
    other = stateless("resources/read", uri=f"credence://company/{OTHER}")
    assert (await post(deployment, access_token, other)).status == 403
    found = (await call("search_companies", name="TEST")).json["result"]["structuredContent"]["Companies"]
    assert [each["Number"] if "Number" in each else each["RegNumber"] for each in found] == [ONE]


@pytest.mark.parametrize(("day", "status"), [("2023-11-14", 200), ("2023-11-13", 403)])
async def test_the_last_day_is_included(deployment: Deployment, day: str, status: int) -> None:
    """It is 14 November 2023 in London."""
    await alone(deployment)
    access_token = (await token(deployment, {"type": "credit_report", "until": day}))["access_token"]
    assert (await deployment.report(access_token)).status == status


async def test_of_many_requests_at_once_as_many_succeed_as_the_rights_say(deployment: Deployment) -> None:
    await alone(deployment)
    access_token = (await token(deployment, {"type": "credit_report", "count": 3}))["access_token"]
    answers = await asyncio.gather(*(deployment.report(access_token) for _ in range(8)))
    assert sorted(each.status for each in answers) == [200] * 3 + [403] * 5
    again = (await token(deployment, {"type": "credit_report", "count": 3}))["access_token"]
    assert (await deployment.report(again)).status == 200  # each token of an application is a grant of its own


async def test_an_application_has_a_ceiling_of_its_own(deployment: Deployment) -> None:
    """Within it a request may narrow, never exceed; tokens without a request, and the password grant, have it too."""
    ceiling = msgspec.json.decode(text(DETAILS).encode())[0]
    await alone(deployment, rights=msgspec.convert(ceiling, type(deployment.application).__annotations__["rights"]))
    for exceeding in ({"companies": [OTHER]}, {"until": "2024-01-01"}, {"count": 4}):
        sent = text({"type": "credit_report", **exceeding})
        refused = await ask(deployment, {"grant_type": CLIENT_CREDENTIALS, "authorization_details": sent})
        assert error(refused) == (400, "invalid_authorization_details")
    narrow = await token(deployment, {"type": "credit_report", "count": 1})
    assert narrow["authorization_details"] == [{**DETAILS, "count": 1}]
    assert (await token(deployment))["authorization_details"] == [DETAILS]
    by_password = await deployment.tokens()
    assert (await deployment.report(by_password["access_token"], f"/{OTHER}")).status == 403
    assert "authorization_details" not in by_password  # the answer of the specification has no such member


async def test_the_person_reads_the_rights_in_one_sentence_and_is_asked_each_time(deployment: Deployment) -> None:
    """RFC 9396 §13: a stored consent to the scope does not name these companies."""
    application = await with_browser_application(deployment)
    request = request_of(application, authorization_details=text({**DETAILS, "companies": ["01234567", "07654321"]}))
    browser = Browser(deployment)
    await authorized(browser, application)
    for _ in range(2):
        deployment.now += 1
        page = await browser.get(request)
        said = "Credit reports: only on 01234567, 07654321, at most 3, until 31 December 2023, "
        assert said + "for “Terms for a customer”, as the application says." in page.body.decode()
        await browser.submit(page, decision="allow")


async def test_consent_to_some_reports_is_none_to_every_report(deployment: Deployment) -> None:
    """RFC 9396 §13: the person has allowed one company, so a request without rights is asked for."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    allowed = await authorized(browser, application, authorization_details=text(DETAILS))
    assert (await redeem(deployment, answer_of(allowed)["code"])).status == 200
    deployment.now += 1
    page = await browser.get(request_of(application))
    assert "refresh" not in page.headers
    assert b'value="allow"' in page.body
    every = await browser.submit(page, decision="allow")
    assert (await redeem(deployment, answer_of(every)["code"])).status == 200
    deployment.now += 1
    assert "code" in answer_of(await browser.get(request_of(application)))  # that consent lasts


async def test_a_login_keeps_its_rights_and_its_number_over_refreshes(deployment: Deployment) -> None:
    """Its tokens share one number. A refresh cannot change the rights."""
    application = await with_browser_application(deployment)
    details = {"type": "credit_report", "companies": [ONE], "count": 2}
    page = await authorized(
        Browser(deployment), application, scope="credit:report offline_access", authorization_details=text(details)
    )
    tokens = (await redeem(deployment, answer_of(page)["code"])).json
    assert tokens["authorization_details"] == [details]
    assert (await deployment.report(tokens["access_token"])).status == 200
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    refused = await ask(deployment, {**refresh, "authorization_details": text(details)})
    assert error(refused) == (400, "invalid_authorization_details")
    later = (await ask(deployment, refresh)).json
    assert later["authorization_details"] == [details]
    assert [(await deployment.report(later["access_token"])).status for _ in range(2)] == [200, 403]


async def test_the_answer_names_no_scope_that_the_rights_close(deployment: Deployment) -> None:
    """RFC 6749 §3.3: the answer says what the token opens; a request that names another scope is refused."""
    await alone(deployment)
    assert (await token(deployment, DETAILS))["scope"] == "credit:report credit:search"
    fields = {"grant_type": CLIENT_CREDENTIALS, "authorization_details": text(DETAILS), "scope": "credit:directors"}
    assert error(await ask(deployment, fields)) == (400, "invalid_scope")
    application = await with_browser_application(deployment)
    wanted = request_of(application, scope="openid credit:monitor", authorization_details=text(DETAILS))
    assert answer_of(await Browser(deployment).get(wanted))["error"] == "invalid_scope"


async def test_a_token_request_narrows_what_the_person_allowed(deployment: Deployment) -> None:
    """RFC 9396 §6."""
    application = await with_browser_application(deployment)
    both = {"type": "credit_report", "companies": [ONE, OTHER]}
    browser = Browser(deployment)
    allowed = await authorized(browser, application, authorization_details=text(both))
    more = text({"type": "credit_report", "companies": [ONE, "01234567"]})
    assert error(await redeem(deployment, answer_of(allowed)["code"], authorization_details=more)) == (
        400,
        "invalid_authorization_details",
    )
    less = text({"type": "credit_report", "companies": [ONE]})
    narrowed = await redeem(deployment, answer_of(allowed)["code"], authorization_details=less)
    assert narrowed.json["authorization_details"] == json.loads(less)


async def test_a_pushed_request_has_them_and_a_wrong_one_is_refused_at_once(deployment: Deployment) -> None:
    """RFC 9396 §5, RFC 9126 §2.3; in a browser the error is sent to the redirect URI."""
    application = await with_browser_application(deployment)
    wrong = text({"type": "unheard_of"})
    assert error(await push(deployment, parameters_of(application, authorization_details=wrong))) == (
        400,
        "invalid_authorization_details",
    )
    sent_back = await Browser(deployment).get(request_of(application, authorization_details=wrong))
    assert answer_of(sent_back)["error"] == "invalid_authorization_details"
    browser = Browser(deployment)
    page = await browser.sign_in(
        await browser.get(await pushed(deployment, application, authorization_details=text(DETAILS)))
    )
    assert "at most 3" in page.body.decode()


@pytest.mark.parametrize("grant", ["password", "device"])
async def test_a_grant_that_has_no_place_for_them_does_not_ignore_them(deployment: Deployment, grant: str) -> None:
    """It would grant more than was requested."""
    await alone(deployment, grants=("password", "urn:ietf:params:oauth:grant-type:device_code"))
    if grant == "password":
        fields = {"grant_type": "password", "username": "ada", "password": "correct horse battery"}
        refused = await ask(deployment, {**fields, "authorization_details": text(DETAILS)})
    else:
        path = "/oauth2/v1/device-authorization"
        refused = await ask(deployment, {"authorization_details": text(DETAILS)}, path=path)
    assert error(refused) == (400, "invalid_authorization_details")


async def test_an_exchanged_token_has_the_rights_of_its_subject(deployment: Deployment) -> None:
    """threats A15: the service cannot exchange a token with rights for one without."""
    application = await with_browser_application(deployment)
    details = {"type": "credit_report", "companies": [ONE], "count": 2}
    page = await authorized(Browser(deployment), application, authorization_details=text(details))
    tokens = (await redeem(deployment, answer_of(page)["code"])).json
    gateway = await service(deployment)
    exchanged = (await exchange(gateway, tokens["access_token"])).json
    assert exchanged["authorization_details"] == [details]
    used = [tokens["access_token"], exchanged["access_token"], exchanged["access_token"]]
    assert [(await deployment.report(each)).status for each in used] == [200, 200, 403]
    more = await exchange(
        gateway, tokens["access_token"], authorization_details=text({"type": "credit_report", "count": 9})
    )
    assert error(more) == (400, "invalid_authorization_details")


@pytest.mark.settings(audit_issued_tokens=True)
async def test_the_audit_trail_has_the_rights_of_an_issued_token(deployment: Deployment) -> None:
    await alone(deployment)
    await token(deployment, DETAILS)
    deployment.service.audit.flush()
    lines = [
        json.loads(line)
        for file in deployment.service.settings.data_dir.rglob("audit*")
        if file.is_file()
        for line in file.read_text().splitlines()
    ]
    (issued,) = [each for each in lines if each.get("event") == "issued" or each.get("act") == "issued"]
    assert issued["authorization_details"] == [DETAILS]
