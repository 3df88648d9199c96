"""What the page of a report says, and that nothing in a report can become markup (credit §9, §10)."""

import re
from collections.abc import Iterator, Sequence
from html import unescape

import html5lib
import msgspec
import pytest

from credence.blocks.values import MOST_ROWS, Beside, Block, Chart, Table
from credence.report.render.compose import ReportPage, compose
from credence.report.render.html import html
from credence.report.schema.commercial_delphi import LtdCommercialDelphi
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.demonstration_accounts import read_demonstration
from tests.report.hand_made import CHARGE, WHOLE, YEAR_2025, company, filing, held
from tests.report.render.companies import CONTACT, FULL, HOSTILE, report, reports
from tests.sweeps import LONG

REPORTS = reports()
SCORED = [name for name, each in REPORTS.items() if each.Assessment and each.Assessment.Score]
UNSCORED = [name for name, each in REPORTS.items() if each.Assessment and each.Assessment.NotScored]


def text_of(subject: LtdCompanyData) -> str:
    """The words of the page, without its markup."""
    found = html(compose(subject, CONTACT)).decode()
    return unescape(re.sub(r"<[^>]+>", " ", found.partition("</head>")[2]))


def tables(blocks: Sequence[Block]) -> Iterator[Table]:
    for each in blocks:
        match each:
            case Table():
                yield each
            case Chart(table=table):
                yield table
            case Beside(left, right):
                yield from tables((*left, *right))


def all_tables(page: ReportPage) -> list[Table]:
    return [table for section in page.sections for table in tables(section.blocks)]


@pytest.mark.parametrize("name", REPORTS)
def test_the_page_is_valid_html(name: str) -> None:
    """html5lib in its strict mode stops at the first thing the HTML standard calls a parse error."""
    html5lib.HTMLParser(strict=True).parse(html(compose(REPORTS[name], CONTACT)))


@pytest.mark.parametrize("name", REPORTS)
def test_headings_go_down_one_step_at_a_time_and_anchors_are_used_once(name: str) -> None:
    found = html(compose(REPORTS[name], CONTACT)).decode()
    levels = [int(level) for level in re.findall(r"<h([1-6])", found)]
    assert levels[0] == 1
    assert set(levels[1:]) == {2}
    anchors = re.findall(r' id="([^"]+)"', found)
    assert len(anchors) == len(set(anchors))


def test_filings_of_the_demonstration_give_valid_pages() -> None:
    """Real figures, with all that is missing from them; the company around them is invented."""
    filings = [record.fact for record in read_demonstration()]
    assert len(filings) > 400
    for filed in filings[:: 10 if LONG else 40]:
        found = html(compose(report(msgspec.structs.replace(FULL, accounts=held((filed,)))), CONTACT))
        html5lib.HTMLParser(strict=True).parse(found)
        assert b"Accounts, " in found


def test_names_of_charges_filings_and_bodies_never_become_markup() -> None:
    found = html(compose(report(HOSTILE), CONTACT)).decode()
    tree = html5lib.parse(found, namespaceHTMLElements=False)
    assert tree.findall(".//script") == []
    assert tree.findall(".//img") == []
    assert not re.search(r"<[^>]+\son[a-z]+=", found)
    for turning in "\u202e\u2066\u0000\u200f":
        assert turning not in found
    assert "&lt;script&gt;alert(&#39;&#34;&amp;amp;" in found


def test_a_hostile_register_does_not_make_a_long_page() -> None:
    page = compose(report(HOSTILE), CONTACT)
    found = {table.title: table for table in all_tables(page)}
    assert all(len(table.rows) <= MOST_ROWS for table in found.values())
    assert found["Registered charges"].more == 400 - MOST_ROWS
    assert found["Officers by role and tenure, those in office first"].more == 50 - MOST_ROWS
    assert len(html(page)) < 250_000
    assert "And 360 more; the JSON of this report has them." in text_of(report(HOSTILE))


@pytest.mark.parametrize("name", SCORED)
def test_the_headline_is_the_score_of_the_report(name: str) -> None:
    subject = REPORTS[name]
    assert subject.Assessment
    assert subject.Assessment.Score
    assert subject.Assessment.Headline
    score = subject.Assessment.Score
    verdict = compose(subject, CONTACT).verdict
    assert (verdict.band, verdict.score) == (score.Band, str(score.Score))
    assert verdict.words == subject.Assessment.Headline.Words
    assert score.BandText.removesuffix(" risk").lower() in verdict.words.lower()
    pairs = dict(verdict.facts)
    interval = f"{score.Lowest} to {score.Highest}" if score.Lowest < score.Highest else None
    assert pairs.get("Interval") == interval, "an interval of one number says nothing"
    assert pairs["Suggested terms"] == score.Limit.SuggestedTerms


@pytest.mark.parametrize("name", SCORED)
def test_every_point_is_on_the_page_and_they_add_up(name: str) -> None:
    subject = REPORTS[name]
    assert subject.Assessment
    assert subject.Assessment.Score
    (table,) = (
        each for each in all_tables(compose(subject, CONTACT)) if each.title == "Points, from the base to the score"
    )
    *lines, last = [int(str(row[2]).replace("\u2212", "-")) for row in table.rows]
    assert sum(lines) == last == subject.Assessment.Score.Score
    assert {row[1] for row in table.rows if row[1]} <= {"fitted", "expert-set", "rule", "scale"}


@pytest.mark.parametrize("name", UNSCORED)
def test_a_company_without_a_score_gets_the_reason_in_its_place(name: str) -> None:
    subject = REPORTS[name]
    assert subject.Assessment
    assert subject.Assessment.NotScored
    verdict = compose(subject, CONTACT).verdict
    assert verdict.words.startswith("Not scored")
    assert verdict.sentence.startswith(subject.Assessment.NotScored.Reason)
    assert verdict.facts[0][0] == "Insolvency", "what is known leads"
    assert verdict.band == verdict.score == ""


def test_a_report_that_lacks_the_register_says_what_to_load_for_a_score() -> None:
    known_by_accounts = company(accounts=(filing(YEAR_2025),))
    pairs = dict(compose(report(known_by_accounts), CONTACT).verdict.facts)
    assert pairs["To load for a score"].startswith("A snapshot of the register")
    assert pairs["Newest figures"].startswith("31 December 2025")


def test_the_specimen_is_marked_as_one() -> None:
    assert compose(REPORTS["specimen"], CONTACT).warnings.notes[0].head == "Specimen"


def test_a_score_without_lines_has_a_headline_and_no_reasons() -> None:
    """As the wire's clients know it: `CommercialDelphi` alone."""
    told = LtdCommercialDelphi("72", "B", "Low risk", "In short.", CreditLimit="32000")
    page = compose(LtdCompanyData("01234567", CommercialDelphi=told), CONTACT)
    assert (page.verdict.band, page.verdict.score, page.verdict.words) == ("B", "72", "Low risk")
    assert page.verdict.facts == (("Suggested limit", "£32,000"),)
    assert page.verdict.gauge
    assert page.verdict.gauge.alt == "Score 72 of 100, band B."
    assert "reasons" not in {section.anchor for section in page.sections}


def test_people_are_counted_and_not_named() -> None:
    """credit §9 and §10: counts and roles by default; the JSON has the names."""
    for subject in (report(FULL), report(WHOLE)):
        told = text_of(subject)
        assert "Directors in office" in told
        for private in ("Ada", "Invented", "Max", "Engineer", "British"):
            assert not re.search(rf"\b{private}\b", told)


def test_a_lender_who_may_be_a_person_is_counted_and_not_named() -> None:
    charges = (msgspec.structs.replace(CHARGE, holders=("Mx Sam Specimen", "IMAGINARY BANK PLC")),)
    alone = (msgspec.structs.replace(CHARGE, holders=("Mx Sam Specimen",)),)
    for held_charges, told in ((charges, "IMAGINARY BANK PLC and 1 other"), (alone, "1 holder")):
        subject = text_of(report(msgspec.structs.replace(FULL, charges=held(held_charges))))
        assert told in subject
        assert "Mx Sam" not in subject


def test_missing_parts_have_names_that_people_use() -> None:
    (table,) = (
        each
        for name in ("bare",)
        for each in all_tables(compose(REPORTS[name], CONTACT))
        if each.title == "Parts of the report without data, and why"
    )
    assert {"County court judgments", "Accounts", "Officers"} <= {row[0] for row in table.rows}
    assert not any(re.search(r"[a-z][A-Z]|[.\[]", str(row[0])) for row in table.rows), "the name of a member"


def test_every_figure_has_its_origin() -> None:
    page = compose(report(FULL), CONTACT)
    (origins,) = (each for each in all_tables(page) if each.title == "Figures of the year to 31 December 2025")
    rows = {row[0]: row for row in origins.rows}
    assert rows["Total assets"][2:] == ("derived", "fixed assets + current assets")
    assert rows["Creditors due later"][1:] == ("30,000", "repaired, filed as \u221230,000", "Creditors")
    assert rows["Net assets"][2] == "reported"
    (accounts,) = (each for each in all_tables(page) if each.title.startswith("Accounts, GBP"))
    assert ("Creditors due later", *["30,000 r"] * 5) in accounts.rows


def test_the_page_has_missing_parts_contact_and_decision_notice() -> None:
    told = text_of(report(FULL))
    assert "County court judgments are not open data" in told
    assert "Decision support, not a decision" in told
    assert "ask for a person to review the case" in told
    page = html(compose(report(FULL), CONTACT)).decode()
    assert f'href="mailto:{CONTACT.email}"' in page
    assert f'href="{CONTACT.model_card}"' in page


def test_a_dispute_is_among_the_warnings() -> None:
    assert "Disputed: NumberEmployees" in [each.head for each in compose(report(WHOLE), CONTACT).warnings.notes]


def test_the_changes_since_an_earlier_score_add_up_on_the_page() -> None:
    found = {table.title: table for table in all_tables(compose(REPORTS["standing"], CONTACT))}
    *moved, total = [int(str(row[3]).replace("\u2212", "-")) for row in found["Points that moved"].rows]
    assert (moved, sum(moved)) == ([4, 5, -5], total)


def test_the_sector_position_has_its_number_of_companies_and_day() -> None:
    told = text_of(REPORTS["standing"])
    assert "Among 4,210 scored companies of the section J, Information and communication, on 1 May 2026" in told
    assert "91 of 100 have a lower score" in told


def test_without_earlier_scores_there_is_neither_change_nor_position() -> None:
    anchors = {section.anchor for section in compose(REPORTS["full"], CONTACT).sections}
    assert anchors.isdisjoint({"change", "position"})


def test_missing_parts_have_no_section() -> None:
    anchors = {section.anchor for section in compose(REPORTS["bare"], CONTACT).sections}
    assert anchors.isdisjoint({"accounts", "ratios", "models", "charges", "officers", "ownership", "practices"})
    assert {"company", "not-held", "rights"} <= anchors


def test_a_mail_address_cannot_leave_its_attribute() -> None:
    contact = msgspec.structs.replace(CONTACT, email='"><script>@example.com')
    assert "<script" not in html(compose(report(FULL), contact)).decode()
