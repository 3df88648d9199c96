"""One document becomes the facts of one filing (credit §3.2 to §3.4)."""

import datetime as dt
import random

import pytest

from credence.companies.facts.accounts import Accounts, Figure, Figures, Method
from credence.datasets.sources.accounts.contexts import UnreadableDocument
from credence.datasets.sources.accounts.document import MAX_NODES
from credence.datasets.sources.accounts.filing import read_filing
from credence.datasets.sources.accounts.product import FiledDocument, documents
from tests.datasets.accounts.filings import NUMBER, SHIPPED, amount, context, duration, filing


def read(data: bytes, number: str = "") -> Accounts:
    return read_filing(data, "document", number=number)


def newest(data: bytes) -> Figures:
    return read(data).periods[0].figures


def value(figure: Figure | None) -> float | None:
    return None if figure is None else figure.value


def test_the_tags_give_company_date_taxonomy_and_currency() -> None:
    accounts = read(filing(amount("CurrentAssets", "5")))
    assert accounts.company == NUMBER
    assert accounts.balance_sheet_date == dt.date(2025, 12, 31)
    assert (accounts.layout, accounts.taxonomy, accounts.currency) == ("frc", "FRS 102 2023-01-01", "GBP")


def test_the_id_of_a_context_is_ignored() -> None:
    """Credit §3.2: a context named for creditors that has no such dimension is none."""
    misleading = context("CreditorsWithinOneYear")
    figures = newest(
        filing(amount("Creditors", "9", "CreditorsWithinOneYear"), amount("Debtors", "1"), contexts=misleading)
    )
    assert figures.creditors_within_year is None


def test_a_creditor_member_with_a_further_class_is_a_note() -> None:
    """Credit §3.3."""
    members = (
        ("FinancialInstrumentCurrentNon-currentDimension", "CurrentFinancialInstruments"),
        ("OperatingSegmentsDimension", "ReportableOperatingSegment1"),
    )
    note = context("note", members)
    both = filing(amount("Creditors", "7", "note"), amount("Creditors", "40", "creditors"), contexts=note)
    assert value(newest(both).creditors_within_year) == 40
    only_note = filing(amount("Creditors", "7", "note"), amount("Debtors", "1"), contexts=note)
    assert newest(only_note).creditors_within_year is None


def test_figures_of_the_group_stand_apart() -> None:
    """Credit §3.2."""
    group = context("group", (("GroupCompanyDataDimension", "Consolidated"),))
    accounts = read(filing(amount("CurrentAssets", "5"), amount("CurrentAssets", "50", "group"), contexts=group))
    assert value(accounts.periods[0].figures.current_assets) == 5
    assert value(accounts.group_periods[0].figures.current_assets) == 50


def test_excluded_text_is_left_out_and_entities_are_no_text() -> None:
    data = filing(
        amount("CurrentAssets", "<b>1</b>,<ix:exclude>note 3</ix:exclude>234", attributes='format="ixt:numdotdecimal"')
    )
    assert value(newest(data).current_assets) == 1234


def test_continued_text_is_joined_and_a_circle_of_it_ends() -> None:
    tag = 'name="bus:EntityCurrentLegalOrRegisteredName" contextRef="now"'
    name = f'<ix:nonNumeric {tag} continuedAt="a">SOME</ix:nonNumeric>'
    more = '<ix:continuation id="a" continuedAt="b"> COMPANY</ix:continuation>'
    more += '<ix:continuation id="b" continuedAt="a"> LTD</ix:continuation>'
    assert read(filing(name, more)).name == "SOME COMPANY LTD"


def test_a_byte_order_mark_and_white_space_before_the_declaration_are_skipped() -> None:
    """Credit §3.1."""
    document = filing(amount("CurrentAssets", "5"))
    for start in (b"\xef\xbb\xbf", b"\r\n  ", b"\n\xef\xbb\xbf "):
        data = start + b'<?xml version="1.0" encoding="UTF-8"?>' + document
        assert value(newest(data).current_assets) == 5


def test_broken_markup_is_read_as_far_as_it_goes() -> None:
    """Credit §3.1."""
    data = filing("<p>R&D <br> <b>unclosed", amount("CurrentAssets", "5"), "</i> &nbsp;")
    assert value(newest(data).current_assets) == 5


def test_the_value_given_most_often_counts() -> None:
    figures = newest(filing(amount("CurrentAssets", "4"), amount("CurrentAssets", "5"), amount("CurrentAssets", "5")))
    assert value(figures.current_assets) == 5


@pytest.mark.parametrize("measure", ["iso4217:gbp", "iso4217:", "iso4217:" + "G" * 3000, "GBP", "iso4217:GB\u00a3"])
def test_a_currency_has_three_capitals_or_is_unknown(measure: str) -> None:
    """ISO 4217: amounts of an unknown currency are no figures."""
    data = filing(amount("CurrentAssets", "5")).replace(b"iso4217:GBP", measure.encode())
    accounts = read(data)
    assert (accounts.currency, accounts.periods) == ("", ())


def test_an_earlier_column_follows_the_newest() -> None:
    before = context("before", day="2024-12-31")
    accounts = read(filing(amount("CurrentAssets", "5"), amount("CurrentAssets", "4", "before"), contexts=before))
    assert [(each.end.year, value(each.figures.current_assets)) for each in accounts.periods] == [(2025, 5), (2024, 4)]


def test_any_fact_gives_the_beginning_of_the_year() -> None:
    """Report schema §9, `AccountingPeriod`: small filings tag no profit, but whether the company was dormant."""
    contexts = context("before", day="2024-12-31") + duration("year", "2025-01-01")
    contexts += duration("first", "2023-10-05", "2024-12-31")
    told = '<ix:nonNumeric name="bus:EntityDormantTruefalse" contextRef="{}">false</ix:nonNumeric>'
    body = amount("CurrentAssets", "5"), amount("CurrentAssets", "4", "before"), told.format("year")
    accounts = read(filing(*body, told.format("first"), contexts=contexts))
    assert [each.start for each in accounts.periods] == [dt.date(2025, 1, 1), dt.date(2023, 10, 5)]


def test_the_year_is_that_of_the_profit_and_loss_account_where_there_is_one() -> None:
    contexts = duration("year", "2025-01-01") + duration("other", "2024-07-01")
    told = '<ix:nonNumeric name="bus:EntityDormantTruefalse" contextRef="other">false</ix:nonNumeric>'
    accounts = read(filing(amount("TurnoverRevenue", "5", "year"), told * 3, contexts=contexts))
    assert accounts.periods[0].start == dt.date(2025, 1, 1)


@pytest.mark.parametrize("start", ["2025-12-31", "2024-06-22", "2001-02-03"])
def test_a_span_that_no_accounts_may_have_is_no_year(start: str) -> None:
    """Companies Act 2006, sections 390 and 392: at most eighteen months and a week."""
    told = '<ix:nonNumeric name="bus:EntityDormantTruefalse" contextRef="span">false</ix:nonNumeric>'
    accounts = read(filing(amount("CurrentAssets", "5"), told, contexts=duration("span", start)))
    assert accounts.periods[0].start is None


def test_the_opening_of_a_statement_of_equity_is_no_column() -> None:
    opening = context("opening", day="2023-12-31")
    accounts = read(filing(amount("CurrentAssets", "5"), amount("Equity", "4", "opening"), contexts=opening))
    assert [each.end.year for each in accounts.periods] == [2025]


def test_a_number_that_both_names_agree_on_is_normalised() -> None:
    assert read(filing(number="1234567"), number="01234567").company == "01234567"


@pytest.mark.parametrize(
    ("data", "number", "reason"),
    [
        (filing(), "07654321", "number.disagrees"),
        (filing(number=""), "", "number.missing"),
        (filing(number="not one"), "", "number.malformed"),
        (b"", "", "document.markup"),
        (b"plain text", "", "document.markup"),
        (b"<html><body>no tags</body></html>", "", "document.no-xbrl"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><html/>', "", "document.entities"),
        (b'<?xml version="1.0" encoding="utf-7"?><html/>', "", "document.encoding"),
        (b'<?xml version="1.0"?><html>\0</html>', "", "document.encoding"),
        (b"\xff\xfe\x00", "", "document.encoding"),
        (b"<a>" * (MAX_NODES + 1), "", "document.size"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_document_that_cannot_be_used_is_refused_with_its_reason(data: bytes, number: str, reason: str) -> None:
    """docs/accounts.md, "What is refused"."""
    with pytest.raises(UnreadableDocument, match=f"^{reason}$"):
        read(data, number)


@pytest.mark.parametrize(
    "declaration",
    [
        b'<?xml version="1.0"%s encoding="UTF-7"?>' % (b" " * 300),
        b'<?xml version="1.0" note=">" encoding="UTF-7"?>',
        b'<?xml version="1.0" encoding="UTF-8" %s encoding="UTF-7"?>' % (b"\n" * 20),
        b"<?xml version='1.0' encoding='%sUTF-7'?>" % (b" " * 300),
    ],
)
def test_entities_do_not_hide_behind_a_strange_declaration(declaration: bytes) -> None:
    """threats P4: read as UTF-7 this document would declare an entity and hold its text ten times."""
    hidden = '<!DOCTYPE x [<!ENTITY a "bomb">]>'.encode("utf-7").replace(b"<", b"+ADw-").replace(b"!", b"+ACE-")
    tagged = filing(amount("CurrentAssets", "5"), amount("Creditors", "&a;" * 10)).partition(b"?>")[2]
    with pytest.raises(UnreadableDocument, match=r"^document\.(encoding|markup)$"):
        read(declaration + hidden + tagged)


def test_entities_do_not_hide_in_utf_16() -> None:
    data = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY a "b">]><html/>'.encode("utf-16")
    with pytest.raises(UnreadableDocument, match=r"^document\.entities$"):
        read(data)


def test_nothing_outside_a_document_is_read() -> None:
    data = b'<!DOCTYPE html SYSTEM "file:///etc/hostname">' + filing(amount("CurrentAssets", "5"))
    assert value(newest(data).current_assets) == 5


def test_a_document_of_a_thousand_nested_elements_is_no_fault_of_ours() -> None:
    with pytest.raises(UnreadableDocument):
        read(b"<a>" * 100_000)


NAMED = '<ix:nonNumeric name="bus:EntityCurrentLegalOrRegisteredName" contextRef="{}">SOME</ix:nonNumeric>'
NOTE = '<ix:nonNumeric name="bus:DescriptionPrincipalActivities" contextRef="now"'


@pytest.mark.parametrize(
    "body",
    [
        '<xbrli:context id="outer"><xbrli:context>' + NAMED.format("outer"),
        f"{NOTE}>" * 500,
        amount("CurrentAssets", "").removesuffix("</ix:nonFraction>") * 500,
        '<ix:continuation id="a">' + "<br/>" * 500 + "</ix:continuation>" + f'{NOTE} continuedAt="a"/>' * 500,
        f'<ix:continuation id="a">{"text " * 20_000}</ix:continuation>' + f'{NOTE} continuedAt="a"/>' * 50,
        "".join(f'<ix:continuation id="{n}" continuedAt="{n + 1}"/>' for n in range(500))
        + f'{NOTE} continuedAt="0"/>' * 500,
    ],
    ids=["contexts", "texts", "amounts", "shared", "long and shared", "chain"],
)
def test_a_document_that_would_be_read_over_and_over_is_refused(body: str) -> None:
    """Credit §3.1: what a document costs grows with its size and no faster."""
    with pytest.raises(UnreadableDocument, match=r"^document\.nesting$"):
        read(filing(body))


def test_texts_within_each_other_are_read() -> None:
    """Inline XBRL 1.1 §10: a note of the accounts may hold others, and amounts."""
    inner = f"{NOTE}>the {amount('CurrentAssets', '5')}{'<br/>' * 100}</ix:nonNumeric>"
    assert value(newest(filing(f"{NOTE}>{inner * 3}</ix:nonNumeric>")).current_assets) == 5


def test_a_context_of_hundreds_of_dimensions_is_none() -> None:
    """They would be compared for every fact in it."""
    crowded = context("crowded", tuple((f"Dimension{n}", "Member") for n in range(300)))
    accounts = read(filing(amount("CurrentAssets", "5"), NAMED.format("crowded"), contexts=crowded))
    assert (accounts.name, value(accounts.periods[0].figures.current_assets)) == ("", 5)


def test_mutated_documents_are_read_or_refused_and_nothing_else() -> None:
    """Every document of the shipped filings, spoilt in the same forty ways at every run."""
    chance = random.Random(20261121)
    small = [each.data for each in documents(SHIPPED) if isinstance(each, FiledDocument) and len(each.data) < 40_000]
    for data in small:
        for _ in range(40):
            try:
                read_filing(mutated(data, chance), "document", number="01234567", day=dt.date(2020, 1, 1))
            except UnreadableDocument as refused:
                assert "." in str(refused)  # noqa: PT017


def mutated(data: bytes, chance: random.Random) -> bytes:
    where, length = chance.randrange(len(data)), chance.randrange(1, 200)
    piece = data[where : where + length]
    match chance.randrange(5):
        case 0:
            return data[:where]
        case 1:
            return data[:where] + data[where + length :]
        case 2:
            return data[:where] + piece * 3 + data[where:]
        case 3:
            return data[:where] + chance.randbytes(length) + data[where + length :]
        case _:
            other = chance.randrange(len(data))
            return data[:other] + piece + data[other:]


def test_a_repaired_figure_keeps_what_was_filed() -> None:
    """Credit §3.4."""
    lines = (
        ("CurrentAssets", "10", "-"),
        ("NetCurrentAssetsLiabilities", "7", ""),
        ("TotalAssetsLessCurrentLiabilities", "7", ""),
    )
    body = [amount(tag, text, attributes=f'sign="{sign}"') for tag, text, sign in lines]
    period = read(filing(*body, amount("Creditors", "3", "creditors"))).periods[0]
    repaired = period.figures.current_assets
    assert repaired is not None
    assert (repaired.value, repaired.filed, repaired.method) == (10, -10, Method.REPAIRED)
    assert period.balanced is True
