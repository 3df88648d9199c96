"""Names that an application may give itself (UTS #39 §4, §5.2): one script, no quotation marks, not the operator's."""

import pytest

from credence.oauth.registration.self_chosen_names import check_self_chosen_name
from credence.refusals.refusal import Refused

QUOTES, SCRIPTS, OPERATOR = "registration.name_quotes", "registration.name_scripts", "registration.name_of_operator"


def name_error(name: str, operator: str) -> str | None:
    try:
        check_self_chosen_name(name, operator)
    except Refused as refused:
        return refused.reason
    return None


@pytest.mark.parametrize(
    "name",
    [
        "Ledger",
        "Visual Studio Code",
        "MCP Inspector (beta) 2.0",
        "O'Neill & Söhne",
        "O\N{RIGHT SINGLE QUOTATION MARK}Neill",
        "会計アプリ Pro",
        "회계 앱 Pro",
        "Бухгалтерия",
        "Λογιστικά",
        "ledger 記帳",
    ],
)
def test_names_of_real_programs_are_taken(name: str) -> None:
    assert name_error(name, "Credence") is None


@pytest.mark.parametrize(
    "name",
    [
        '"Ledger"',
        "Ledger\N{RIGHT DOUBLE QUOTATION MARK} of bank.example",
        "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}Ledger",
        "\N{DOUBLE LOW-9 QUOTATION MARK}Ledger",
        "\N{FULLWIDTH QUOTATION MARK}Ledger",
        "Ledger''",
        "Ledger\N{RIGHT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}",
        "Ledger\N{DOUBLE PRIME}",
    ],
)
def test_a_quotation_mark_is_refused(name: str) -> None:
    assert name_error(name, "Credence") == QUOTES


@pytest.mark.parametrize(
    "name",
    [
        "L\N{CYRILLIC SMALL LETTER IE}dger",
        "\N{GREEK CAPITAL LETTER LAMDA}edger",
        "\N{CHEROKEE LETTER TLI}edger",  # a script outside table 5 of UAX #31
        "Ledger \N{HEBREW LETTER ALEF}",
    ],
)
def test_scripts_that_are_not_written_together_are_refused(name: str) -> None:
    assert name_error(name, "Credence") == SCRIPTS


@pytest.mark.parametrize(
    "name",
    [
        "Credence",
        "the CREDENCE helpdesk",
        "C r e d e n c e",
        "Cr\N{LATIN SMALL LETTER E WITH ACUTE}dence",
        "\N{FULLWIDTH LATIN CAPITAL LETTER C}redence",
        "\N{MATHEMATICAL BOLD CAPITAL C}redence",
        "\N{ROMAN NUMERAL ONE HUNDRED}redence",
        (  # in Cyrillic alone
            "\N{CYRILLIC CAPITAL LETTER ES}\N{CYRILLIC SMALL LETTER GHE}\N{CYRILLIC SMALL LETTER IE}"
            "\N{CYRILLIC SMALL LETTER KOMI DE}\N{CYRILLIC SMALL LETTER IE}\N{CYRILLIC SMALL LETTER PE}"
            "\N{CYRILLIC SMALL LETTER ES}\N{CYRILLIC SMALL LETTER IE}"
        ),
    ],
)
def test_a_name_that_looks_like_the_operators_is_refused(name: str) -> None:
    assert name_error(name, "Credence") == OPERATOR


def test_look_alikes_of_latin_letters_are_found() -> None:
    """UTS #39 §4: 0 and O, 1 and l, I and l, rn and m, vv and w."""
    for name, operator in (
        ("B1ue Bank", "Blue Bank"),
        ("BIue Bank", "Blue Bank"),
        ("M00n", "Moon"),
        ("Arnber", "Amber"),
        ("Wavvs", "Waws"),
    ):
        assert name_error(name, operator) == OPERATOR


def test_a_short_name_of_an_operator_is_a_word_of_its_own() -> None:
    assert name_error("Mail tool", "AI") is None
    assert name_error("A1 tool", "AI") == OPERATOR
