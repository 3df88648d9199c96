"""A client that no operator has verified sends nobody anywhere at once, and takes no name of others (RFC 9700 §4.11.2)."""

import html
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
import pytest

from credence.store.records import Registration
from tests.deployment import Deployment, OpenDeployment, Reply
from tests.sign_in.browsing import (
    CALLBACK,
    SIGN_OUT,
    Browser,
    answer_of,
    form_of,
    request_of,
    with_browser_application,
)
from tests.sign_in.client_documents import asked as asked_by_document
from tests.sign_in.client_documents import publishing
from tests.sign_in.test_open_registration import asked, register

HOST = "app.example.com"

FAULTS: tuple[dict[str, str | None], ...] = (
    {"response_type": "token"},
    {"response_type": None},
    {"prompt": "none"},
    {"scope": "no:such"},
    {"code_challenge": None, "code_challenge_method": None},
    {"response_mode": "jwt", "prompt": "none"},
)
OPEN = pytest.mark.settings(registration=True, open_registration=True)


def leads_nowhere_by_itself(page: Reply) -> bool:
    return not {"location", "refresh"} & page.headers.keys() and b"<script" not in page.body


def link_of(page: Reply) -> str:
    (found,) = re.findall(r'<a class="button second" href="([^"]+)"', page.body.decode())
    return html.unescape(found)


async def shows_no_way_out(ask: Callable[..., Awaitable[str]], deployment: Deployment) -> None:
    """The attack: an address that anybody registers is reached from the issuer's own address."""
    for fault in FAULTS:
        page = await Browser(deployment).get(await ask(**fault))
        assert page.status == 400, (fault, page)
        assert leads_nowhere_by_itself(page), fault
        text = html.unescape(page.body.decode())
        assert f"send you to {HOST}. Credence has not checked this application, and nothing was sent to it." in text
        assert "“Ledger”" in text
        parameters = parse_qs(urlsplit(link_of(page)).query)
        assert link_of(page).startswith(f"{CALLBACK}?")
        assert {"error", "response"} & parameters.keys()


@OPEN
async def test_an_error_of_a_client_that_registered_itself_is_a_page(deployment: Deployment) -> None:
    client_id = (await register(deployment)).json["client_id"]

    async def ask(**more: str | None) -> str:
        return await asked(deployment, client_id, **more)

    await shows_no_way_out(ask, deployment)


async def test_an_error_of_a_client_with_a_document_is_a_page(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):

        async def ask(**more: str | None) -> str:
            return asked_by_document(publisher, deployment, **more)

        await shows_no_way_out(ask, deployment)


@OPEN
async def test_an_error_by_a_form_is_sent_by_a_button_alone(deployment: Deployment) -> None:
    client_id = (await register(deployment)).json["client_id"]
    page = await Browser(deployment).get(await asked(deployment, client_id, prompt="none", response_mode="form_post"))
    assert page.status == 400
    assert leads_nowhere_by_itself(page)
    action, fields = form_of(page)
    assert (action, fields["error"]) == (CALLBACK, "login_required")
    assert f"form-action {urlsplit(CALLBACK).scheme}://{HOST}" in page.headers["content-security-policy"]
    assert "script-src" not in page.headers["content-security-policy"]


@OPEN
async def test_a_program_on_the_machine_is_named_as_such(deployment: Deployment) -> None:
    client_id = (await register(deployment)).json["client_id"]
    for uri, place in (
        ("http://localhost:41234/callback", "a program on this computer (localhost)"),
        ("cursor://anysphere.cursor-retrieval/callback", "a program on this computer (cursor://anysphere"),
    ):
        page = await Browser(deployment).get(await asked(deployment, client_id, prompt="none", redirect_uri=uri))
        assert f"send you to {place}" in page.body.decode()


@OPEN
async def test_a_person_who_has_allowed_the_client_goes_back_to_it_and_no_other_person(deployment: Deployment) -> None:
    client_id = (await register(deployment)).json["client_id"]
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(await asked(deployment, client_id)))
    assert "code" in answer_of(await browser.submit(consent, decision="allow"))
    silent = await asked(deployment, client_id, prompt="none")
    deployment.now += 1_000
    assert answer_of(await browser.get(silent))["error"] == "consent_required"
    assert (await Browser(deployment).get(silent)).status == 400
    row = await deployment.store.application(client_id)
    assert row is not None
    moved = msgspec.structs.replace(
        row, redirect_uris=(CALLBACK, "https://other.example/back"), version=row.version + 1
    )
    await deployment.store.save_application(moved, deployment.now)
    await deployment.service.authority.follow(deployment.now)
    assert (await browser.get(silent)).status == 400  # it is not what the person allowed


@OPEN
async def test_a_person_who_does_not_allow_the_client_is_not_sent_to_it(deployment: Deployment) -> None:
    client_id = (await register(deployment)).json["client_id"]
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(await asked(deployment, client_id)))
    page = await browser.submit(consent, decision="refuse")
    assert page.status == 200
    assert leads_nowhere_by_itself(page)
    assert "<h1>Access not allowed</h1>" in page.body.decode()
    assert "error=access_denied" in link_of(page)


async def test_a_verified_application_gets_its_errors_by_redirect(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    page = await Browser(deployment).get(request_of(application, prompt="none"))
    assert answer_of(page)["error"] == "login_required"


@OPEN
async def test_nobody_is_sent_to_an_unverified_client_after_signing_out(deployment: Deployment) -> None:
    """OpenID Connect RP-Initiated Logout 1.0 §3; the row is one from before this was a rule."""
    made = await register(deployment, post_logout_redirect_uris=["https://app.example.com/bye"])
    assert made.json.get("post_logout_redirect_uris", []) == []
    earlier = await with_browser_application(
        deployment,
        post_logout_redirect_uris=("https://app.example.com/bye",),
        registration=Registration(b"", ("authorization_code",), ("openid",), unverified=True),
    )
    query = urlencode({"client_id": earlier.client_id, "post_logout_redirect_uri": "https://app.example.com/bye"})
    page = await Browser(deployment).get(f"{SIGN_OUT}?{query}")
    assert page.status == 400
    assert leads_nowhere_by_itself(page)


@OPEN
async def test_the_heading_puts_marks_around_a_name_that_a_client_chose(deployment: Deployment) -> None:
    made = await register(deployment, client_name="Your bank")
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(await asked(deployment, made.json["client_id"])))
    assert "<h1>Allow “Your bank”?</h1>" in consent.body.decode()
    assert "“Your bank” (app.example.com) wants to access" in consent.body.decode()


@OPEN
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Ledger” of bank.example, “checked", "registration.name_quotes"),
        ("L\N{CYRILLIC SMALL LETTER IE}dger", "registration.name_scripts"),
        ("Credence support", "registration.name_of_operator"),
    ],
)
async def test_a_misleading_name_is_refused(
    deployment: Deployment, tmp_path: Path, open_deployment: OpenDeployment, name: str, reason: str
) -> None:
    refused = await register(deployment, client_name=name)
    assert (refused.status, refused.json["error"]) == (400, "invalid_client_metadata")
    assert refused.json["error_description"].startswith("The client_name must not have quotation marks")
    assert refused.headers["x-reason"] == reason
    async with publishing(tmp_path / "other", open_deployment) as (publisher, other):
        publisher.members["client_name"] = name
        page = await Browser(other).get(asked_by_document(publisher, other))
        assert page.status == 400
        assert other.service.counts.refusals[reason] == 1
