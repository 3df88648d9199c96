"""The report as XML (report schema §3, last line)."""

import datetime as dt
from xml.etree import ElementTree as ET

import msgspec

from credence.report.build.group import Group
from credence.report.build.report import build, encode
from credence.report.schema import xml
from credence.sandbox import specimen
from tests.report.hand_made import ENTRY, TODAY, WHOLE, company

ROOT = ET.fromstring(xml.report_xml(build(WHOLE, Group(), TODAY)))


def test_the_root_says_when_it_was_made() -> None:
    assert ROOT.tag == "LtdCompanyData"
    assert ROOT.attrib == {"GeneratedOn": "2026-06-01T00:00:00Z"}
    assert dt.datetime.fromisoformat(ROOT.attrib["GeneratedOn"]).date() == TODAY


def test_a_date_is_three_children() -> None:
    incorporated = ROOT.find("Identification/IncorporationDate")
    assert incorporated is not None
    assert [(child.tag, child.text) for child in incorporated] == [("CCYY", "2010"), ("MM", "06"), ("DD", "02")]


def test_what_repeats_stands_side_by_side_without_a_wrapper() -> None:
    assert [each.findtext("DateOfAccounts/CCYY") for each in ROOT.findall("Financials/Accounts")] == ["2025", "2024"]
    assert len(ROOT.findall("Mortgages/MortgageDetail")) == 2
    assert len(ROOT.findall("Mortgages/MortgageDetail[2]/LenderDetails")) == 2


def test_it_says_what_the_json_says() -> None:
    """Every leaf of the one, in order, is a leaf of the other; a date counts as one leaf."""

    def leaves_of_json(value: object) -> list[str]:
        match value:
            case dict():
                return [leaf for each in value.values() for leaf in leaves_of_json(each)]
            case list():
                return [leaf for each in value for leaf in leaves_of_json(each)]
            case bool():
                return [str(value).lower()]
            case _:
                return [str(value)]

    def leaves_of_xml(element: ET.Element) -> list[str]:
        if [child.tag for child in element] == ["CCYY", "MM", "DD"]:
            return ["-".join(child.text or "" for child in element)]
        if len(element):
            return [leaf for child in element for leaf in leaves_of_xml(child)]
        return [element.text or ""]

    assert leaves_of_xml(ROOT) == leaves_of_json(msgspec.json.decode(encode(build(WHOLE, Group(), TODAY))))


def test_text_is_escaped_and_what_xml_cannot_hold_is_left_out() -> None:
    entry = msgspec.structs.replace(ENTRY, name="A <B> & \x0bC\ud800 LIMITED")
    root = ET.fromstring(xml.report_xml(build(company(register=entry), Group(), TODAY)))
    assert root.findtext("CommercialName") == "A <B> & C LIMITED"


def test_the_specimen_speaks_xml_too() -> None:
    """D24."""
    root = ET.fromstring(specimen.report_xml().body)
    assert root.findtext("RegNumber") == specimen.NUMBER
    assert root.findtext("Identification/IncorporationDate/CCYY") == "2010"
    assert root.attrib["GeneratedOn"].startswith("2026-")
    assert len(root) == len({child.tag for child in root}) == len(msgspec.json.decode(specimen.report().body))
