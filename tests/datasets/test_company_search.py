"""The company search (D23, report schema §1)."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.companies.words import name_words, postcode_words
from credence.datasets.name_index import NameIndex
from credence.datasets.register import RegisterReader
from credence.datasets.search.query import CompanyQuery, company_query
from credence.datasets.search.ranking import Fit, best_match, name_query
from credence.refusals.credit import SEARCH_MALFORMED
from credence.refusals.refusal import Refused
from credence.report.search.companies import MAX_RESULTS, encode, search
from tests.datasets.snapshots import company, load, write
from tests.report.schema import faults
from tests.sweeps import sweep


@pytest.fixture
def small(tmp_path: Path) -> Iterator[RegisterReader]:
    """Companies whose names are close to each other."""
    there = {"RegAddress_PostTown": "ST. ALBANS", "RegAddress_PostCode": "ZZ9A 9ZZ"}
    file = write(
        tmp_path / "a.csv",
        company("1", "GREAT NORTHERN ACORN LIMITED"),
        company("2", "ACORNS AND OAKS LTD"),
        company("3", "ACORN P.L.C.", **there),
        company("4", "ACORN GONE LTD", CompanyStatus="Dissolved"),
        company("5", "BIRCH LTD", PreviousName_1_CompanyName="ACORN TRADING LTD", PreviousName_2_CompanyName="ELM LTD"),
        company("6", "J P EXAMPLE & SONS LTD", CompanyStatus="Liquidation"),
        company("7", "CAFÉ ÉTOILE LTD", **there),
        company("8", "ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT LTD"),
        company("9", "TWIN LIMITED"),
        company("11", "TWIN LIMITED"),
        company("10", "TWIN LLP"),
        *(company(str(n), f"MANY {n} LTD") for n in range(100, 100 + MAX_RESULTS + 1)),
    )
    load([file], tmp_path / "set")
    register = RegisterReader(tmp_path / "set")
    yield register
    register.close()


def found(register: RegisterReader, **parameters: str) -> list[tuple[str, str]]:
    """Company number and NameType of each result."""
    answer = search(register, company_query(parameters))
    assert answer.SearchSummary.NumberMatches == len(answer.SearchResults)
    assert set(faults(msgspec.json.decode(encode(answer)), "BusinessTargeterResponse")) == set()
    return [(each.BusinessRef.lstrip("0"), each.NameType) for each in answer.SearchResults]


def test_whole_names_come_first_then_beginnings_then_names_that_hold_the_words(small: RegisterReader) -> None:
    assert found(small, name="Acorn Ltd") == [("3", "RC"), ("2", "RC"), ("5", "RP"), ("1", "RC")]


def test_a_name_with_the_legal_ending_that_was_written_comes_before_one_with_another(small: RegisterReader) -> None:
    assert found(small, name="twin llp") == [("10", "RC"), ("9", "RC"), ("11", "RC")]
    assert found(small, name="twin limited") == [("9", "RC"), ("11", "RC"), ("10", "RC")]


def test_of_names_that_fit_alike_a_dissolved_company_comes_last_and_a_former_name_before_it(
    small: RegisterReader,
) -> None:
    every = found(small, name="acorn", excludedissolved="false")
    assert every == [("3", "RC"), ("2", "RC"), ("5", "RP"), ("4", "RC"), ("1", "RC")]


def test_of_companies_with_one_name_the_lower_number_comes_first(small: RegisterReader) -> None:
    assert found(small, name="twin limited")[:2] == [("9", "RC"), ("11", "RC")]


@pytest.mark.parametrize(
    "name", ["great nothern acorn", "graet northren acorn", "greatnorthern acorn", "great north ern acorn"]
)
def test_a_misspelt_name_is_found(small: RegisterReader, name: str) -> None:
    assert found(small, name=name) == [("1", "RC")]


@pytest.mark.parametrize("name", ["great northern acorn co", "the great northern acorn"])
def test_a_short_word_that_does_not_belong_to_the_name_does_not_hide_it(small: RegisterReader, name: str) -> None:
    assert found(small, name=name) == [("1", "RC")]


@pytest.mark.parametrize("name", ["great southern", "great northern railways", "acorn elm"])
def test_a_name_that_lacks_a_long_word_is_another_name(small: RegisterReader, name: str) -> None:
    assert found(small, name=name) == []


def test_a_misspelt_former_name_is_found_and_stands_below_names_that_fit(small: RegisterReader) -> None:
    assert found(small, name="acorn tradign") == [("5", "RP")]


def test_a_query_of_the_index_has_at_most_eight_words_of_a_name_and_of_a_town(
    small: RegisterReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = NameIndex.matching

    def matching(index: NameIndex, expression: str, limit: int) -> list[int]:
        asked.append(expression)
        return real(index, expression, limit)

    monkeypatch.setattr(NameIndex, "matching", matching)
    monkeypatch.setattr(
        "credence.datasets.search.candidates._MAX_COMPANIES", 0
    )  # as if every word were too common to be asked alone
    name = "one two three four five six seven eight great northern acorn oaks"
    assert found(small, name=name, town=" ".join("abcdefghijkl")) == []
    assert max(expression.count(" AND ") + 1 for expression in asked) == 16


def test_a_word_after_the_eighth_does_not_keep_a_company_from_being_found(small: RegisterReader) -> None:
    assert found(small, name="one two three four five six seven eight") == [("8", "RC")]
    assert found(small, name="one two three four five six seven eight ix") == [("8", "RC")]


def test_a_company_found_by_a_former_name_has_that_name_and_its_present_one(small: RegisterReader) -> None:
    (result,) = search(small, company_query({"name": "elm"})).SearchResults
    assert (result.NameType, result.Name, result.CommercialName) == ("RP", "ELM LTD", "BIRCH LTD")


def test_words_of_two_former_names_together_are_no_name(small: RegisterReader) -> None:
    assert found(small, name="acorn elm") == []


@pytest.mark.parametrize("name", ["jp example and sons", "J.P. Example & Sons", "jpexample", "EXAMPLE SONS"])
def test_spaces_points_and_ampersands_do_not_matter(small: RegisterReader, name: str) -> None:
    assert found(small, name=name) == [("6", "RC")]


@pytest.mark.parametrize("name", ["cafe etoile", "CAFÉ", "Étoile limited"])
def test_accents_do_not_matter(small: RegisterReader, name: str) -> None:
    assert found(small, name=name) == [("7", "RC")]


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegisterReader]:
    """Companies whose names can be written in several ways."""
    folder = tmp_path_factory.mktemp("varied")
    names = [
        "ØRSTED WIND LTD",
        "CO-OPERATIVE DAIRY LTD",
        "SAINT ALBAN BAKERS LTD",
        "FIRST CARRIERS LTD",
        "OAK & ELM LTD",
        "TWENTY FOUR SEVEN LTD",
        "21ST DELIVERIES LTD",
        "SEVEN SISTERS AND BROTHERS LTD",
    ]
    load([write(folder / "a.csv", *(company(str(n), name) for n, name in enumerate(names, 1)))], folder / "set")
    register = RegisterReader(folder / "set")
    yield register
    register.close()


@pytest.mark.parametrize(
    ("number", "written"),
    [
        ("1", ["orsted wind", "Ørsted", "ORSTED WIND LIMITED", "orstd wind"]),
        ("2", ["cooperative dairy", "co operative dairy", "coop dairy", "co-op dairy", "dairy cooperative"]),
        ("3", ["St. Alban Bakers", "st alban", "bakers st alban", "st alban bakrs"]),
        ("4", ["1st carriers", "carriers 1st"]),
        ("5", ["oak and elm", "oak elm", "oak + elm"]),
        ("6", ["24 7", "24-7 Ltd", "twenty-four 7", "seven 24"]),
        ("7", ["twenty first deliveries", "twenty-first deliveries", "deliveries twenty first"]),
        ("8", ["7 sisters brothers", "7 sisters & brothers", "seven sisters brothers"]),
    ],
)
def test_a_name_is_found_however_it_is_written(varied: RegisterReader, number: str, written: list[str]) -> None:
    assert {name: found(varied, name=name) for name in written} == {name: [(number, "RC")] for name in written}


@pytest.mark.parametrize("name", ["st alban bakers", "St. Alban Bakers Ltd", "saint alban bakers"])
def test_a_whole_name_in_another_spelling_is_a_whole_name(varied: RegisterReader, name: str) -> None:
    entry = varied.entry("00000003")
    match = best_match(entry, name_query(name)) if entry else None
    assert match
    assert match.fit == Fit.WHOLE_NAME


def test_and_alone_is_the_word_that_is_looked_for(varied: RegisterReader) -> None:
    assert found(varied, name="and") == [("5", "RC"), ("8", "RC")]


def test_a_word_of_three_letters_may_be_a_beginning_and_a_shorter_one_may_not(small: RegisterReader) -> None:
    assert found(small, name="bir") == [("5", "RC")]
    assert found(small, name="bi") == []


def test_town_and_postcode_narrow_the_search_and_search_by_themselves(small: RegisterReader) -> None:
    assert found(small, name="acorn", town="St Albans") == [("3", "RC")]
    assert found(small, town="st albans") == [("3", "RC"), ("7", "RC")]
    assert found(small, postcode="zz9a9zz") == found(small, postcode="ZZ9A") == [("3", "RC"), ("7", "RC")]
    assert found(small, postcode="ZZ9") == []


def test_a_company_number_finds_its_company(small: RegisterReader) -> None:
    assert found(small, businessref="5") == [("5", "RC")]
    assert found(small, businessref="90") == []


def test_dissolved_companies_are_left_out_unless_they_are_asked_for(small: RegisterReader) -> None:
    assert found(small, name="acorn gone") == []
    assert found(small, name="acorn gone", excludedissolved="False") == [("4", "RC")]
    assert found(small, businessref="4") == []


def test_without_corporates_nothing_is_left_to_search(small: RegisterReader) -> None:
    assert found(small, name="acorn", searchcorporates="false", searchnoncorps="true") == []


def test_no_more_than_fifty_are_returned(small: RegisterReader) -> None:
    assert MAX_RESULTS == 50
    assert len(found(small, name="many")) == MAX_RESULTS


def test_no_match_is_an_empty_list_and_the_summary_repeats_the_search(small: RegisterReader) -> None:
    parameters = {"name": "nobody", "town": "Nowhere", "postcode": "ZZ1", "phonenumber": "020 7946 0000"}
    assert msgspec.json.decode(encode(search(small, company_query(parameters)))) == {
        "SearchSummary": {
            "NumberMatches": 0,
            "BusinessName": "nobody",
            "PhoneNumber": "020 7946 0000",
            "PostTown": "Nowhere",
            "Postcode": "ZZ1",
        },
        "SearchResults": [],
    }
    assert found(small, phonenumber="020 7946 0000") == []


def test_the_status_of_a_company_in_liquidation_is_neither_active_nor_dissolved(small: RegisterReader) -> None:
    (result,) = search(small, CompanyQuery(number="00000006")).SearchResults
    assert (result.LegalEntity, result.BusinessStatus) == ("L", " ")


def test_real_companies_are_found_by_present_and_former_names(sample: RegisterReader) -> None:
    assert found(sample, name="latchmere properties") == [("1051677", "RC")]
    assert found(sample, name="sales & marketing selection")[0] == ("3092241", "RP")


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({}, "empty"),
        ({"name": "  "}, "empty"),
        ({"searchcorporates": "true"}, "empty"),
        ({"name": "-- *"}, "name"),
        ({"name": "x" * 161}, "name"),
        ({"postcode": "ZZ99 9ZZZ"}, "postcode"),
        ({"postcode": "ZZ99-9Z"}, "postcode"),
        ({"town": "x" * 36}, "town"),
        ({"town": "a*"}, "town"),
        ({"phonenumber": "call me"}, "phonenumber"),
        ({"businessref": "XX123456"}, "businessref"),
        ({"businessref": "012345678"}, "businessref"),
        ({"name": "acorn", "excludedissolved": "perhaps"}, "excludedissolved"),
    ],
)
def test_a_malformed_search_is_refused(parameters: dict[str, str], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        company_query(parameters)
    assert caught.value.refusal.name == SEARCH_MALFORMED.name
    assert caught.value.reason == f"search.{reason}"


def test_the_longest_parameters_are_accepted() -> None:
    query = company_query({"name": "x" * 160, "postcode": "ZZ99 9ZZ", "town": "x" * 35, "businessref": "SC123456"})
    assert (len(query.name), len(query.town), query.number) == (160, 35, "SC123456")


@sweep(30)
@given(st.text(max_size=40) | st.sampled_from(['"', "a* OR b", "name:x", 'x" OR whole:"y', "NEAR(a b)", "^a", "-a"]))
def test_no_text_can_break_the_search(sample: RegisterReader, text: str) -> None:
    try:
        query = company_query({"name": text})
    except Refused as refused:
        assert refused.refusal.name == SEARCH_MALFORMED.name  # noqa: PT017 - only some of the texts are refused
        return
    found = search(sample, query)
    assert len(found.SearchResults) == found.SearchSummary.NumberMatches <= MAX_RESULTS
    assert found.SearchSummary.BusinessName == query.name


def test_a_legal_ending_is_no_word_of_the_name_unless_it_is_all_there_is() -> None:
    assert name_words("LIMITED EDITIONS PUBLIC LIMITED COMPANY") == ["limited", "editions"]
    assert name_words("Limited Ltd.") == ["limited"]


def test_a_british_postcode_is_known_by_its_outward_half_too() -> None:
    assert postcode_words("SW1A 1AA") == ["sw1a1aa", "sw1a"]
    assert postcode_words("N1   9GU") == ["n19gu", "n1"]
    assert postcode_words("12345") == ["12345"]
    assert postcode_words("") == []
