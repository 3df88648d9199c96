"""The arguments and results of the tools. Members have the names of the report; `Tool.answer` makes every text inert."""

import datetime as dt
from typing import Annotated, Any

import msgspec

from credence.meanings import meaning
from credence.policy.companies import Pounds

MAX_COMPARED = 5
MAX_FOUND = 20
MAX_FACTS = 150
"""The most facts on one page of a report; fewer if they are long (`sizes.py`)."""

Number = Annotated[
    str,
    msgspec.Meta(max_length=100, description="Company number, such as 01234567 or SC123456.", examples=["99999901"]),
]
Text = Annotated[str, msgspec.Meta(max_length=160)]


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a company search: at least one of name, postcode, town and number."""

    name: Annotated[Text, meaning("Name, or the beginning of it; small misspellings are forgiven.")] = ""
    postcode: Annotated[Text, meaning("Postcode, or its first half.")] = ""
    town: Annotated[Text, meaning("Post town.")] = ""
    number: Annotated[Text, meaning("Company number.")] = ""
    dissolved: Annotated[bool, meaning("Whether to include dissolved companies.")] = False


class CompanyFound(msgspec.Struct, frozen=True, omit_defaults=True):
    """One company found by a search."""

    RegNumber: Annotated[str, meaning("Company number, with which the other tools are called.")]
    Name: Annotated[str, meaning("Present name.")]
    Status: Annotated[str, meaning("`active`, `dissolved`, `insolvent` or `unknown`; `Event` says more.")]
    Address: Annotated[str, meaning("Registered office in one line.")] = ""
    MatchedName: Annotated[str, meaning("The name that matched, if it is a former one.")] = ""
    Event: Annotated[str, meaning("An event of insolvency that counts now, also if the status is `active`.")] = ""
    Band: Annotated[str, meaning("The band of the score, A (very low risk) to E; absent without a score.")] = ""
    Reservations: Annotated[tuple[str, ...], meaning("The reasons for caution, in words.")] = ()


class CompaniesFound(msgspec.Struct, frozen=True):
    """The companies found by a search."""

    Matches: Annotated[int, meaning(f"Number of matches, at most 50; the best {MAX_FOUND} are listed.")]
    Companies: Annotated[tuple[CompanyFound, ...], meaning("The matches, best first.")]


class OneCompany(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The argument of a tool about one company."""

    number: Number


class CompanySummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts that a credit decision begins with. A member that is absent is unknown, never zero."""

    RegNumber: Annotated[str, meaning("Company number.")]
    Name: Annotated[str, meaning("Name of the company.")]
    Facts: Annotated[str, meaning("Of which day the facts are, and how old.")] = ""
    Warning: Annotated[str, meaning("Present if the facts are old: ask for newer ones before deciding.")] = ""
    Status: Annotated[str, meaning("Status in the register's words.")] = ""
    Insolvency: Annotated[str, meaning("Whether the company is insolvent, from every source that is held.")] = ""
    Score: Annotated[int | None, meaning("From 0 (failed) to 100 (lowest risk).", unit="points")] = None
    Band: Annotated[str, meaning("The band of the score, A (very low risk) to E.")] = ""
    BandText: Annotated[str, meaning("The band in words.")] = ""
    Headline: Annotated[str, meaning("The band in words, with what speaks against it: show it with the band.")] = ""
    Reservations: Annotated[tuple[str, ...], meaning("The reasons for caution, in words.")] = ()
    NotScored: Annotated[str, meaning("Why there is no score, which is neither good nor bad.")] = ""
    Probability: Annotated[str, meaning("Probability of failure within a year, in words.")] = ""
    Limit: Annotated[int | None, meaning("Suggested credit limit.", unit="pounds")] = None
    LimitReason: Annotated[str, meaning("How the limit was found.")] = ""
    Terms: Annotated[str, meaning("Suggested payment terms.")] = ""
    Reasons: Annotated[tuple[str, ...], meaning("The three reasons that count most.")] = ()
    Alerts: Annotated[tuple[str, ...], meaning("Alerts of the report.")] = ()
    Confidence: Annotated[str, meaning("How far the facts can be relied on.")] = ""
    HumanReview: Annotated[str, meaning("What a person must do before a decision against the company.")] = ""


class Compared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The companies to compare."""

    numbers: Annotated[
        tuple[Number, ...],
        msgspec.Meta(min_length=2, max_length=MAX_COMPARED, description=f"Two to {MAX_COMPARED} company numbers."),
    ]


class Comparison(msgspec.Struct, frozen=True):
    """The summaries of several companies."""

    Companies: Annotated[tuple[CompanySummary, ...], meaning("The companies, the highest score first.")]
    Unknown: Annotated[tuple[str, ...], meaning("The numbers of which nothing is held.")]


class ReportPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The company, the sections of its report, and the page."""

    number: Number
    sections: Annotated[
        tuple[Text, ...],
        msgspec.Meta(
            min_length=1,
            max_length=24,
            description="Members of the report, such as Financials, ManagementInfo, LegalNotices or Assessment.",
            examples=[["Financials"]],
        ),
    ]
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000, description="Page, from 1.")] = 1


class Fact(msgspec.Struct, frozen=True):
    """One value of a report."""

    Member: Annotated[str, meaning("A pointer to the member (RFC 6901).")]
    Value: Annotated[Any, meaning("Its value: text, a number, true or false.")]


class ReportFacts(msgspec.Struct, frozen=True):
    """One page of the values of a report, in the order of the report."""

    RegNumber: Annotated[str, meaning("Company number.")]
    Page: Annotated[int, meaning("This page.")]
    Pages: Annotated[int, meaning("Number of pages.")]
    Absent: Annotated[
        tuple[str, ...], meaning("Sections asked for that the report does not have: unknown, never zero.")
    ]
    Facts: Annotated[tuple[Fact, ...], meaning("The values.")]


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a score: a reason and its points."""

    Points: Annotated[int, meaning("The points of this line.", unit="points")]
    Words: Annotated[str, meaning("What the line is about.")]
    Sentence: Annotated[str, meaning("The value in a sentence.")] = ""
    AsOf: Annotated[dt.date | None, meaning("Day of the value.")] = None


class Explanation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score as a sum: the points of `Lines` add up to `Score`."""

    RegNumber: Annotated[str, meaning("Company number.")]
    Name: Annotated[str, meaning("Name of the company.")]
    Model: Annotated[str, meaning("Name and version of the model.")]
    Score: Annotated[int | None, meaning("The score.", unit="points")] = None
    Band: Annotated[str, meaning("The band of the score.")] = ""
    NotScored: Annotated[str, meaning("Why there is no score.")] = ""
    Lines: Annotated[tuple[Line, ...], meaning("Every line, in the order of addition.")] = ()
    Unknown: Annotated[tuple[str, ...], meaning("Factors without a known value, which give no points.")] = ()
    Interval: Annotated[str, meaning("The lowest and the highest score that the unknown factors allow.")] = ""
    LimitTerms: Annotated[
        tuple[str, ...], meaning("The terms of the suggested limit; the smallest known one counts.")
    ] = ()


class DirectorSearch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a search for directors."""

    surname: Annotated[Text, meaning("Surname.")]
    forename: Annotated[Text, meaning("First forename.")] = ""


class Director(msgspec.Struct, frozen=True):
    """One director or secretary."""

    DirectorNumber: Annotated[str, meaning("Number of the director.")]
    Name: Annotated[str, meaning("Name.")]


class DirectorsFound(msgspec.Struct, frozen=True):
    """The directors found by a search."""

    Matches: Annotated[int, meaning(f"Number of matches, at most 50; the best {MAX_FOUND} are listed.")]
    Directors: Annotated[tuple[Director, ...], meaning("The matches, best first.")]


class DecisionAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The company, the policy and the credit applied for."""

    number: Number
    policy: Annotated[Text, meaning("Name of an installed policy.", example="trade-credit")]
    amount: Annotated[Pounds | None, meaning("The requested credit.", unit="pounds")] = None
