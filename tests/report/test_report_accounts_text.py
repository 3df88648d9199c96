"""`Assessment.AccountsText`, its alerts, and the page: sentences as filed, with their place (docs/accounts.md)."""

from typing import Any

import msgspec

from credence.companies.facts.accounts import AccountsFinding, FindingKind
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.compose import compose
from credence.report.render.html import html
from credence.report.schema import xml
from tests.report.hand_made import ENTRY, TODAY, YEAR_2024, YEAR_2025, company, filing, report_on
from tests.report.render.companies import CONTACT

DOUBT = AccountsFinding(
    FindingKind.GOING_CONCERN, "These matters constitute a <material> uncertainty.", "notes, 2.3 Going concern"
)
LIMITED = AccountsFinding(
    FindingKind.QUALIFIED, "We could not count the stocks.", "auditor's report, Basis for qualified opinion"
)


def subject(*newest: AccountsFinding, older: tuple[AccountsFinding, ...] = ()) -> Any:
    """A company with two filings."""
    return company(register=ENTRY, accounts=(filing(YEAR_2025, findings=newest), filing(YEAR_2024, findings=older)))


def alerts(of: Any) -> dict[str, str]:
    """Code and text of the alerts."""
    return {each["AlertCode"]: each["AlertNote"] for each in report_on(of)["Alerts"][0].get("Notes", [])}


def test_each_finding_has_its_accounts_kind_sentence_place_and_document() -> None:
    found = report_on(subject(DOUBT, older=(LIMITED,)))["Assessment"]["AccountsText"]
    assert found[0] == {
        "DateOfAccounts": "2025-12-31",
        "Kind": "going-concern",
        "Sentence": DOUBT.sentence,
        "Where": "notes, 2.3 Going concern",
        "Document": "Prod223_0001_00000001_20251231",
    }
    assert [each["DateOfAccounts"] for each in found] == ["2025-12-31", "2024-12-31"]


def test_the_newest_accounts_raise_alerts_and_older_ones_do_not() -> None:
    assert alerts(subject(DOUBT))["GOING-CONCERN"] == f"The accounts made up to 31 December 2025 say: {DOUBT.sentence}"
    assert "OPINION" in alerts(subject(LIMITED))
    assert {"GOING-CONCERN", "OPINION"}.isdisjoint(alerts(subject(older=(DOUBT, LIMITED))))


def test_a_text_that_was_not_read_is_not_clean() -> None:
    unread = company(register=ENTRY, accounts=(filing(YEAR_2025),))
    untried = {each["AlertCode"]: each["Reason"] for each in report_on(unread)["Assessment"]["AlertsNotTried"]}
    assert untried["GOING-CONCERN"] == untried["OPINION"] == "The text of the newest accounts was not read."
    read = {each["AlertCode"] for each in report_on(subject())["Assessment"]["AlertsNotTried"]}
    assert {"GOING-CONCERN", "OPINION"}.isdisjoint(read)


def test_page_and_xml_have_the_sentence_as_text() -> None:
    report = build(subject(DOUBT), Group(), TODAY)
    escaped = "These matters constitute a &lt;material&gt; uncertainty."
    assert escaped in html(compose(report, CONTACT)).decode()
    assert escaped in xml.report_xml(report).decode()
    assert msgspec.structs.asdict(report)["Assessment"].AccountsText
