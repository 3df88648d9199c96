"""Which line of a list is a header, and which of its columns has the company numbers."""

import pytest

from credence.companies.list_columns import NUMBER, UnknownColumns, columns_of
from credence.monitoring import rows
from credence.policy import companies

LEDGER = ["Account,Company number,Amount", "1001,01873499,5000"]
"""The export of a ledger whose accounts look like company numbers: 1001 is 00001001."""


def test_a_ledger_decides_on_its_companies_and_not_on_its_accounts() -> None:
    assert list(companies.read_csv(LEDGER)) == [companies.Entry("01873499", 5_000)]
    (row,) = rows.read_csv(LEDGER)
    assert row.number == "01873499"


@pytest.mark.parametrize(
    "name",
    [
        "RegNumber",
        "company_number",
        "Company Number",
        "COMPANY-NUMBER",
        " companynumber ",
        "Number",
        "\ufeffReg_Number",
    ],
)
def test_names_are_compared_without_case_blanks_and_signs(name: str) -> None:
    assert columns_of(["Year 2026", name, "AMOUNT"], ("amount",)) == {NUMBER: 1, "amount": 2}


def test_the_surest_name_of_several_has_the_numbers() -> None:
    assert columns_of(["Number", "Name", "Company no."], ()) == {NUMBER: 2}


@pytest.mark.parametrize("line", [["01234567", "5000"], ["SC1", "x"], ["0123456Z9", "5,000.00"], ["abc1"], ["1001"]])
def test_a_line_with_a_number_and_no_name_of_the_number_is_data(line: list[str]) -> None:
    assert columns_of(line, ("amount",)) is None


@pytest.mark.parametrize("line", [["Account", "Firm", "Balance 2026"], ["Account (1)", "Firm"], ["Q1", "Q2"]])
def test_a_line_whose_cells_are_no_numbers_is_a_header_also_if_a_name_has_a_digit(line: list[str]) -> None:
    with pytest.raises(UnknownColumns):
        columns_of(line, ("amount",))


@pytest.mark.parametrize("read", [companies.read_csv, rows.read_csv])
def test_a_header_without_the_company_number_refuses_the_list_and_names_its_columns(read: object) -> None:
    assert callable(read)
    with pytest.raises(
        UnknownColumns, match=r"names the columns Account, Firm, Amount, and none .* call it company_number"
    ):
        list(read(["", "Account,Firm,Amount", "1001,01873499,5000"]))
