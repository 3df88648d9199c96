"""What the pages of the workbench withstand and weigh (threats E4, E5), and that they agree with the API."""

from pathlib import Path

import html5lib
import msgspec
import pytest

from credence.meanings import words_of
from credence.report.render.compose import compose
from credence.report.render.sections.sources import Contact
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.examples import STOPS
from credence.sites.workbench.changes import in_words
from credence.sites.workbench.company import TABS
from tests.console.test_hostile_pages import elements_of
from tests.datasets.sources.acts import load
from tests.datasets.sources.hand_written import feed, notice
from tests.workbench.conftest import HOSTILE_COMPANY, OTHER, PAGE_BYTES, PLAIN, Desk, text_of

REPORTS = Path(__file__).parents[1] / "report" / "reports"


async def test_names_are_text_and_nothing_else_on_every_tab_and_in_every_search(desk: Desk) -> None:
    reader = await desk.reader()
    addresses = {
        "/workbench?q={}": ("TRADING", "<script>\"'"),
        "/workbench/companies/{}": (PLAIN, HOSTILE_COMPANY),
        "/workbench/compare?numbers={}": (f"{PLAIN}+{OTHER}", f"{PLAIN}+{HOSTILE_COMPANY}"),
        **{f"/workbench/companies/{{}}/{tab}": (PLAIN, HOSTILE_COMPANY) for tab in TABS if tab},
    }
    for form, (plain, hostile) in addresses.items():
        clean = elements_of(await reader.get(form.format(plain)))
        page = await reader.get(form.format(hostile))
        assert page.status == 200
        assert elements_of(page) <= clean, form
        assert not any(each in page.body.decode() for each in "\u202e\u200f")
        assert len(page.body) <= PAGE_BYTES
        html5lib.HTMLParser(strict=True).parse(page.body)


async def test_no_page_loads_anything_is_framed_or_is_kept(desk: Desk) -> None:
    """Content Security Policy Level 3: the one script is named by its digest, and writes no markup."""
    reader = await desk.reader()
    for path in ("/workbench", f"/workbench/companies/{PLAIN}"):
        page = await reader.get(path)
        policy = page.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"} <= set(policy)
        assert "require-trusted-types-for 'script'" in policy
        assert not any("unsafe" in each for each in policy)
        assert page.headers["cache-control"] == "no-store"
        assert not {"img", "link", "src"} & elements_of(page)


async def test_the_search_finds_by_name_by_number_and_by_town(desk: Desk) -> None:
    reader = await desk.reader()
    for query in ("q=plain+trading", f"q={PLAIN}", "q=1234567", "town=leeds", "postcode=LS1"):
        page = await reader.get(f"/workbench?{query}")
        assert f"/workbench/companies/{PLAIN}" in page.body.decode(), query
        assert f"/workbench/companies/{OTHER}" not in page.body.decode()
    assert "No companies found" in text_of(await reader.get("/workbench?q=nobody+here"))


async def test_a_search_shows_an_event_in_place_of_the_status_and_what_is_held_against_a_company(
    desk: Desk, tmp_path: Path
) -> None:
    content = (
        f"A Petition to wind up the above-named company of PLAIN LIMITED ({PLAIN}) of Leeds, presented by OTHER LTD"
    )
    petition = notice(code="2450", content=content, published="2023-11-02T00:00:00", updated="2023-11-02T00:00:00Z")
    load("gazette", desk.deployment.service.settings.credit_folder, feed(tmp_path / "gazette-1.json", petition))
    found = text_of(await (await desk.reader()).get(f"/workbench?q={PLAIN}"))
    held_against = "Petition to wind up; No accounts"
    assert f"E Winding-up petition of 2 November 2023 {held_against}" in found


async def test_former_names_have_a_column_only_if_one_was_found(desk: Desk) -> None:
    reader = await desk.reader()
    assert "Found by former name" in text_of(await reader.get("/workbench?q=invented+beginnings"))
    assert "Found by former name" not in text_of(await reader.get(f"/workbench?q={PLAIN}"))


async def test_the_empty_search_of_a_sandbox_offers_companies_with_their_bands(desk: Desk) -> None:
    page = await (await desk.reader()).get("/workbench")
    assert all(f"/workbench/companies/{each.number}" in page.body.decode() for each in STOPS)
    assert "A 98 INVENTED GROUP TRADING LIMITED 99999910" in text_of(page)


async def test_suggestions_are_the_first_of_the_search(desk: Desk) -> None:
    reader = await desk.reader()
    found = await reader.get("/workbench/suggest?q=plain")
    assert [each["RegNumber"] for each in found.json] == [PLAIN]
    assert (await reader.get("/workbench/suggest?q=%26-")).json == []


async def test_what_cannot_be_searched_is_said_beside_the_form_and_stays_in_it(desk: Desk) -> None:
    reader = await desk.reader()
    page = await reader.get("/workbench?q=--&town=Leeds")
    assert page.status == 200
    assert 'value="--"' in page.body.decode()
    assert 'value="Leeds"' in page.body.decode()
    assert "letter or digit" in text_of(page)


async def test_a_comparison_has_the_companies_side_by_side_and_says_what_it_cannot(desk: Desk) -> None:
    reader = await desk.reader()
    page = text_of(await reader.get(f"/workbench/compare?c-{PLAIN}=on&c-{OTHER}=on"))
    assert "PLAIN TRADING LIMITED OTHER TRADING PLC" in page
    for numbers, said in (
        (PLAIN, "two to 5 different"),
        (f"{PLAIN} {PLAIN}", "two to 5 different"),
        ("01 x1", "x1 is not a company number"),
        (f"{PLAIN} 09999998", "Nothing is known about 09999998"),
    ):
        assert said in text_of(await reader.get(f"/workbench/compare?numbers={numbers.replace(' ', '+')}")), numbers


async def test_an_unknown_company_and_an_unknown_tab_are_pages_that_say_so(desk: Desk) -> None:
    reader = await desk.reader()
    for path in ("09999998", "x", f"{PLAIN}/unknown", "%3Cb%3E"):
        page = await reader.get(f"/workbench/companies/{path}")
        assert page.status == 404
        assert "b" not in elements_of(page)


async def test_changes_begin_at_a_day_that_the_reader_chooses(desk: Desk) -> None:
    reader = await desk.reader()
    page = await reader.get(f"/workbench/companies/{PLAIN}/changes?since=2020-02-30")
    assert "Enter a date in the format 2026-01-31" in text_of(page)
    assert 'value="2020-02-30"' in page.body.decode()
    since = text_of(await reader.get(f"/workbench/companies/{OTHER}/changes?since=2020-01-01"))
    assert "since 1 January 2020" in since
    assert "Latest account type: total exemption full" in since  # and not its code


def test_a_code_has_the_words_of_its_member() -> None:
    """The report schema's tables of codes, through lists and members that may be absent."""
    for member, code, words in (
        ("Identification/FilingDetails/LatestAccountType", "8", "total exemption full"),
        ("Mortgages/MortgageDetail/3/FullySatisfiedIndicator", "F", "fully satisfied"),
        ("Identification/FilingDetails/LatestAccounts", "8", None),
        ("Identification/None/LatestAccountType", "8", None),
    ):
        assert words_of(LtdCompanyData, member.split("/")).get(code) == words, member


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ("LatestAccounts", "Latest accounts"),
        ("NumCurrDirs", "Number of current directors"),
        ("NumAppointmentsLast12", "Number of appointments in the last 12 months"),
    ],
)
def test_names_of_members_are_words(member: str, words: str) -> None:
    assert in_words(member) == words


def test_every_section_of_the_report_page_is_on_one_tab() -> None:
    """What the API's page shows, the tabs show."""
    shown = [anchor for _, anchors, _ in TABS.values() for anchor in anchors]
    assert len(shown) == len(set(shown))
    for file in REPORTS.glob("*.json"):
        page = compose(msgspec.json.decode(file.read_bytes(), type=LtdCompanyData), Contact("a@example.com", ""))
        assert {section.anchor for section in page.sections} <= set(shown)
