"""What owners change of a trusted issuer on its screen: what the form shows, and nothing else (RFC 7396)."""

import html
import re

import msgspec
import pytest

from credence.access.report_rights import ReportRights
from credence.management.issuer_schema import IssuerBody
from credence.management.issuers import configured_by
from credence.store.trusted_issuers import ISSUERS, Right, TrustedIssuer
from tests.console.conftest import Console, text_of
from tests.deployment import NOW, Reply

PATH = "/console/issuers/example-ltd"
EXAMPLE = TrustedIssuer(
    "example-ltd",
    "https://login.example.com",
    "Example Ltd",
    NOW,
    uses=("sign_in", "assertions"),
    required_claims={"tid": "a tenant", "hd": "example.com"},
    mail_domains=("example.com", "example.org"),
    scopes=("credit:report",),
    report_rights=ReportRights("credit_report", companies=("01234567",)),
    client_id="credence",
    request_scopes=("openid", "groups"),
    strong_classes=("mfa",),
    rights=(Right("groups", "credit team", workbench_for="crd_sbx_app_1"),),
    vouch_seconds=600,
    signals_issuer="https://signals.example.com",
    only_way=True,
)


async def kept(console: Console) -> TrustedIssuer:
    found = await console.main.store.get(ISSUERS, EXAMPLE.id)
    assert found is not None
    return msgspec.structs.replace(found, version=1)


def fields_of(page: Reply) -> dict[str, str]:
    """What a browser sends of the form as it is shown."""
    (form,) = [each for each in page.body.decode().split("<form ") if 'value="issuer-set"' in each]
    found = dict(re.findall(r'<input type="text" id="[^"]+" name="([^"]+)" value="([^"]*)"', form))
    found |= re.findall(r'<input type="hidden" name="(seen)" value="([^"]*)"', form)
    found |= re.findall(r'<textarea id="[^"]+" name="([^"]+)"[^>]*>\n([^<]*)</textarea>', form)
    found |= dict.fromkeys(re.findall(r'<input type="checkbox" id="[^"]+" name="([^"]+)" value="1" checked', form), "1")
    chosen = re.findall(r'<select id="[^"]+" name="([^"]+)".*?<option value="([^"]*)" selected', form, re.DOTALL)
    return {name: html.unescape(value) for name, value in (found | dict(chosen)).items()}


@pytest.fixture
async def owner(console: Console) -> Console:
    await console.main.store.save(ISSUERS, EXAMPLE, NOW)
    return await console.operator("owner")


async def test_a_form_that_is_sent_as_it_is_shown_changes_nothing(owner: Console) -> None:
    plain = configured_by(EXAMPLE, IssuerBody(EXAMPLE.issuer))
    for number, issuer in enumerate((EXAMPLE, plain), 1):
        if number > 1:
            await owner.main.store.save(ISSUERS, msgspec.structs.replace(issuer, version=number), NOW)
        fields = fields_of(await owner.browser.get(PATH))
        assert "issuer" not in fields
        page = await owner.do(PATH, "issuer-set", **fields)
        assert "example-ltd is trusted. Nothing was changed." in text_of(page)
        assert await kept(owner) == issuer


async def test_a_form_changes_what_was_typed_and_nothing_that_it_does_not_show(owner: Console) -> None:
    fields = fields_of(await owner.browser.get(PATH))
    assert fields["required_claims"] == "tid=a tenant\nhd=example.com"
    fields |= {
        "name": "Example plc",
        "rights": "groups=risk role:reader\r\n\r\ndepartment=IT developer\r\n",
        "mail_domains": "",
        "required_claims": "",
    }
    del fields["only_way"]
    assert (await owner.do(PATH, "issuer-set", **fields)).status == 200
    assert await kept(owner) == msgspec.structs.replace(
        EXAMPLE,
        name="Example plc",
        rights=(Right("groups", "risk", console_role="reader"), Right("department", "IT", developer=True)),
        mail_domains=(),
        required_claims={},
        only_way=False,
    )


async def test_an_old_page_does_not_undo_what_another_owner_changed(owner: Console) -> None:
    fields = fields_of(await owner.browser.get(PATH))
    disabled = msgspec.structs.replace(EXAMPLE, disabled=True)
    await owner.main.store.save(ISSUERS, msgspec.structs.replace(disabled, version=2), NOW)
    page = await owner.do(PATH, "issuer-set", **(fields | {"name": "Example plc"}))
    assert page.status == 409
    assert "Someone else changed this" in text_of(page)
    assert await kept(owner) == disabled


async def test_of_what_was_not_fetched_nothing_is_said_to_be_missing(owner: Console) -> None:
    page = text_of(await owner.do(PATH, "issuer-test"))
    assert "CREDENCE_CALLS_OUT is off, so nothing of it is fetched." in page
    assert "has no key" not in page
    assert "Its metadata lacks" not in page


async def test_a_field_that_was_not_sent_clears_nothing(owner: Console) -> None:
    assert (await owner.do(PATH, "issuer-set", name="Example plc", only_way="1")).status == 200
    assert await kept(owner) == msgspec.structs.replace(EXAMPLE, name="Example plc")


async def test_a_value_that_cannot_be_used_is_refused_at_its_field(owner: Console) -> None:
    fields = fields_of(await owner.browser.get(PATH)) | {"rights": "groups=x role:owner"}
    page = await owner.do(PATH, "issuer-set", **fields)
    assert page.status == 422
    assert b'href="#issuer-set-rights"' in page.body
    assert await kept(owner) == EXAMPLE


async def test_rare_fields_are_folded_and_open_where_the_form_is_shown_again(owner: Console) -> None:
    """An error at a field that nobody sees would be no help."""
    shown = (await owner.browser.get(PATH)).body.decode()
    folded = shown.partition('<details class="rare">')[2].partition("</details>")[0]
    assert 'name="vouch_seconds" value="600"' in folded
    assert 'name="client_id"' not in folded
    again = await owner.do(PATH, "issuer-set", vouch_seconds="soon")
    assert again.status == 422
    assert b'<details class="rare" open>' in again.body


async def test_an_issuer_that_is_gone_has_no_screen(owner: Console) -> None:
    assert (await owner.browser.get("/console/issuers/nobody")).status == 404
    page = await owner.do(PATH, "issuer-remove", confirm="example-ltd")
    assert await owner.main.store.get(ISSUERS, EXAMPLE.id) is None, text_of(page)
