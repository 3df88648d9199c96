"""Trying an operation: from a form on the reference page, with a token of the reader's own application, without a script."""

import re

from credence.sites.developers.operations import operations_of
from credence.sites.reference.pages import APPLICATIONS, TOKEN
from credence.web.routes import mounted
from tests.deployment import Reply
from tests.developers.conftest import Portal, text_of

FORM = re.compile(r'<form class="trial" method="post" action="([^"]+)">(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'<(?:input|textarea)[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)"[^>]*>|[^>]*>([^<]*)</textarea>)')


def forms_of(page: Reply) -> dict[str, dict[str, str]]:
    """The fields of each form of the reference page, by the address that it is sent to."""
    found = {}
    for address, inside in FORM.findall(page.body.decode()):
        fields = {name: line or lines.replace("&#34;", '"').strip() for name, line, lines in FIELD.findall(inside)}
        found[address] = {**fields, "client_id": re.findall(r'<option value="([^"]+)"', inside)[0]}
    return found


async def test_the_form_on_the_reference_page_sends_with_the_own_token_which_no_page_has(portal: Portal) -> None:
    page_of = "/docs/reference/credit-risk"
    public = await portal.browser.get(page_of)
    assert 'href="/developers/try/company_report"' in public.body.decode()
    assert (public.headers["cache-control"][:6], FORM.search(public.body.decode())) == ("public", None)
    ada, eve = await portal.developer("ada"), await portal.developer("eve")
    assert not FORM.search((await ada.browser.get(page_of)).body.decode())  # no application yet
    await ada.create(name="<script>alert(1)</script>")
    theirs, _ = await eve.create()
    page = await ada.browser.get(page_of)
    shown = page.body.decode()
    assert page.headers["cache-control"] == "no-store"
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert not any(each in shown for each in (theirs, TOKEN, APPLICATIONS, "<script>alert"))
    forms = forms_of(page) | forms_of(await ada.browser.get("/docs/reference/monitoring"))
    settings = portal.main.service.settings
    assert {address.rpartition("/")[2] for address in forms} == set(operations_of(mounted(settings), settings))
    report = forms["/developers/try/company_report"]
    answer = await ada.browser.post("/developers/try/company_report", report.items())
    assert '"RegNumber": "99999999"' in text_of(answer)
    assert not re.search(r"eyJ[\w-]+\.", answer.body.decode() + shown)  # a JWT begins so
    foreign = {**report, "client_id": theirs}
    assert (await ada.browser.post("/developers/try/company_report", foreign.items())).status == 422
    # each form as it comes: nothing faulty, and within the scopes of the application
    statuses = {}
    for address, fields in forms.items():
        said = text_of(await ada.browser.post(address, fields.items()))
        status = re.search(r": ([1-5][0-9]{2}) ", said)
        statuses[address.rpartition("/")[2]] = int(status[1]) if status else 0
    assert set(statuses.values()) <= {200, 201, 404, 409, 428}, statuses  # 404, 409 and 428: of what does not exist yet
    done = {name for name, each in statuses.items() if each in (200, 201)}
    assert done >= {
        "company_search_v2",
        "director_details_v2",
        "company_batch_v2",
        "make_portfolio",
        "monitoring_events",
    }
