"""What the text of the accounts says of the company itself, and the boilerplate that says nothing (docs/accounts.md).

All sentences are written for these tests, after the forms that auditing standards prescribe; the company is invented.
"""

import pytest

from credence.companies.facts.accounts import AccountsFinding, FindingKind
from credence.datasets.sources.accounts.filing import read_filing
from tests.datasets.accounts.filings import amount, filing

REPORT = "<h2>Independent auditor's report to the members of Placeholder Limited</h2>"
NOTES = "<div>NOTES TO THE FINANCIAL STATEMENTS</div>"


def findings(*body: str) -> tuple[AccountsFinding, ...]:
    found = read_filing(filing(amount("CurrentAssets", "5"), "<p>Placeholder Limited.</p>", *body), "document").findings
    assert found is not None
    return found


def kinds(*body: str) -> list[str]:
    return [each.kind.value for each in findings(*body)]


@pytest.mark.parametrize(
    "sentence",
    [
        "However, these circumstances represent a material uncertainty that may cast significant doubt its going concern.",
        "Given that the loan has not been renewed there exists a material uncertainty about our ability to continue.",
        "These events indicate that a material uncertainty exists that may cast significant doubt on going concern.",
        "The directors conclude that the loss of the contract gives rise to a material uncertainty over going concern.",
        "The loss casts significant doubt on the company's ability to continue.",
        "The accounts have not been prepared on a going concern basis.",
        "These accounts are prepared on a basis other than going concern.",
        "The accounts are prepared on a break-up basis, for the company is no longer a going concern.",
    ],
)
def test_a_material_uncertainty_of_the_company_is_found_with_its_sentence(sentence: str) -> None:
    (found,) = findings(f"<p>Some words before.</p><p>{sentence} More words after it.</p>")
    assert (found.kind, found.sentence) == (FindingKind.GOING_CONCERN, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Prepare the accounts on the going concern basis unless it is inappropriate to presume that the company will go on.",
        "The directors have not disclosed any identified material uncertainties that may cast doubt about going concern.",
        "We have not identified any material uncertainties that may cast significant doubt on going concern.",
        "We conclude whether a material uncertainty exists that may cast significant doubt on going concern.",
        "If we conclude that a material uncertainty exists, we must draw attention to it, and to going concern.",
        "There are no material uncertainties that lead to significant doubt upon its ability to continue.",
        "We do not believe that there is a material uncertainty about going concern.",
        "The pandemic does not create a material uncertainty as to going concern.",
        "The pandemic is creating significant uncertainty globally, and the company continues as a going concern.",
        "There is a material uncertainty about the subsidiary's ability to continue as a going concern.",
        "There is a material uncertainty in the valuation of the property.",
        "The directors consider that events may cast significant doubt only if sales fall by half.",
    ],
)
def test_duties_denials_and_uncertainty_of_others_are_no_finding(sentence: str) -> None:
    assert findings(f"<p>Going concern</p><p>{sentence}</p>") == ()


def test_the_auditor_s_heading_gives_the_sentence_below_it_and_the_place() -> None:
    (found,) = findings(
        REPORT,
        "<p>Basis for opinion</p><p>We conducted our audit as standards require.</p>",
        "<p>Material uncertainty related to going concern</p>",
        "<p>We draw attention to note 2.3, which says that the bank may call the loan within the year. More follows.</p>",
    )
    assert (
        found.sentence == "We draw attention to note 2.3, which says that the bank may call the loan within the year."
    )
    assert found.where == "auditor's report, Material uncertainty related to going concern"


def test_words_split_by_markup_lines_and_spaces_are_one_sentence() -> None:
    """Accounts made from a page layout have one element for each line, and tags within words."""
    lines = (
        "<div>The bank may call the loan. These matters <span>con</span>stitute</div>",
        "<div>a material&#160;uncertainty\n   over going</div><div>concern. The end.</div>",
    )
    (found,) = findings(NOTES, "<div>2.3 Going concern</div>", *lines)
    assert found.sentence == "These matters constitute a material uncertainty over going concern."
    assert found.where == "notes to the accounts, 2.3 Going concern"


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Basis for qualified opinion", "qualified-opinion"),
        ("Basis for adverse opinion", "adverse-opinion"),
        ("Basis for disclaimer of opinion", "disclaimer-of-opinion"),
        ("Emphasis of matter - the pandemic", "emphasis-of-matter"),
    ],
)
def test_an_opinion_that_is_not_clean_is_found_with_its_reason(heading: str, kind: str) -> None:
    reason = "We could not count the stocks held at the year end."
    (found,) = findings(REPORT, f"<p>{heading}</p><p>{reason} They are stated at cost.</p>")
    assert (found.kind.value, found.sentence, found.where) == (kind, reason, f"auditor's report, {heading}")


@pytest.mark.parametrize(
    "sentence",
    [
        "The report of the auditor was unqualified.",
        "The auditor did not issue a qualified opinion.",
        "If the disclosures are inadequate we must issue a qualified opinion.",
        "The audit evidence we have obtained is sufficient and appropriate to provide a basis for our qualified opinion.",
    ],
)
def test_a_clean_opinion_is_no_finding(sentence: str) -> None:
    assert findings(REPORT, f"<p>{sentence}</p>", "<p>Nothing is uncertainty here.</p>") == ()


def test_an_accountant_who_compiles_accounts_disclaims_nothing() -> None:
    words = "<p>We do not express an opinion on the accounts, of which nothing is uncertainty.</p>"
    assert kinds("<h2>Accountants' report on the unaudited accounts</h2>", words) == []
    assert kinds(REPORT, words) == ["disclaimer-of-opinion"]


CONCERN = "<p>The accounts are prepared on the going concern basis.</p>"


@pytest.mark.parametrize(
    "sentence",
    [
        "This assumes the continued support of the directors and the bank.",
        "The directors are committed to their ongoing support of the company and consider the basis appropriate.",
        "The shareholders will continue to financially support the company.",
        "The parent company has indicated its intention to support the company for a year.",
        "The club is reliant on cash injections from the owners to fund its spending.",
        "The company depends on loans provided by its shareholders.",
        "The members have agreed not to demand repayment of their loans.",
    ],
)
def test_dependence_on_the_support_of_others_is_found(sentence: str) -> None:
    (found,) = findings(CONCERN, f"<p>Some words before.</p><p>{sentence} More words after it.</p>")
    assert (found.kind, found.sentence) == (FindingKind.OWNER_SUPPORT, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The company sells hardware and customer support to the members of its group.",
        "The company received financial support of the government in the form of grants.",
        "The directors have agreed to support Placeholder Optimise Limited by deferring repayment.",
        "Support staff of the group: 12.",
        "The company does not depend on loans from its directors.",
    ],
)
def test_support_of_others_or_of_customers_is_no_finding(sentence: str) -> None:
    assert kinds(CONCERN, f"<p>{sentence}</p>") == []


def test_support_without_a_word_of_going_concern_is_no_finding() -> None:
    assert kinds("<p>There was some doubt.</p><p>The shareholders will continue to support the company.</p>") == []


def test_events_after_the_year_are_the_first_sentence_of_their_note() -> None:
    said = "On 7 January 2026 the company bought a subsidiary named Placeholder Two Limited."
    (found,) = findings(NOTES, "<p>27. POST BALANCE SHEET EVENTS</p>", f"<p>{said} It trades since.</p>")
    assert (found.kind, found.sentence) == (FindingKind.EVENTS_AFTER, said)
    assert found.where == "notes to the accounts, 27. POST BALANCE SHEET EVENTS"


@pytest.mark.parametrize(
    "following",
    [
        "There have been no events of note since the year end.",
        "None.",
        "14 Capital commitments not provided for here",
        "",
    ],
)
def test_a_note_without_events_is_no_finding(following: str) -> None:
    assert findings(NOTES, "<p>13 Events after the reporting date</p>", f"<p>{following}</p>") == ()


def test_exemption_from_audit_comes_from_its_tag() -> None:
    tag = "StatementThatCompanyEntitledToExemptionFromAuditUnderSection477CompaniesAct2006RelatingToSmallCompanies"
    words = "The company was entitled to exemption from audit under section 477 of the Companies Act 2006."

    def tagged(text: str) -> str:
        return f'<ix:nonNumeric name="direp:{tag}" contextRef="now">{text}</ix:nonNumeric>'

    assert [each.sentence for each in findings(tagged(words))] == [words]
    assert [each.sentence for each in findings(tagged("true"))] == ["Tagged as exempt under section 477."]
    assert kinds(tagged("false")) == []


def test_three_sentences_of_a_kind_are_enough_and_none_is_said_twice() -> None:
    said = "<p>The loss of contract {} represents a material uncertainty over going concern.</p>"
    assert len(findings(*(said.format(n) for n in range(9)))) == 3
    assert len(findings(said.format(1), said.format(1))) == 1


def test_style_scripts_and_the_hidden_header_are_no_text() -> None:
    words = "This represents a material uncertainty over going concern."
    assert findings(f"<style>{words}</style><script>{words}</script>") == ()


def test_a_hostile_text_is_read_in_time_proportional_to_its_length() -> None:
    """A million words that almost match: patterns are tried near words only, within fixed bounds."""
    words = "there is a material uncertaint " * 60_000
    assert findings(f"<p>{words}</p>") == ()
