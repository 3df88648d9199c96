"""Companies to look at: a full one, those of which little is known, and one that means harm. All are invented."""

import datetime as dt

import msgspec

from credence.companies.facts.accounts import Method, Period
from credence.companies.facts.company import Company
from credence.companies.facts.events import Charge, Filing, PaymentPractice
from credence.companies.facts.people import Officer
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.sections.sources import Contact
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.score_change import PointsMoved, ScoreChange
from credence.report.schema.sector_position import RatioPosition, SectorPosition
from credence.sandbox import specimen
from tests.report.hand_made import (
    CHARGE,
    DIRECTOR,
    ENTRY,
    FORMER_DIRECTOR,
    HOLDING,
    NOTHING,
    SATISFIED_CHARGE,
    SECRETARY,
    TODAY,
    WHOLE,
    figure,
    figures,
    filing,
    held,
)

CONTACT = Contact("support@example.com", "https://credence.example.com/docs/model-card")

_NET = (182_400, 151_900, 160_300, 98_700, 74_200)
"""Net assets, the newest year first."""


def _year(last: int, net: int) -> Period:
    """A year that balances, larger the more the company is worth."""
    current, fixed, later = net + 96_000, net // 2, 30_000
    due = current + fixed - later - net
    shown = figures(
        fixed_assets=fixed,
        tangible_assets=fixed,
        current_assets=current,
        stocks=net // 5,
        debtors=net // 2,
        cash=current - net // 5 - net // 2,
        creditors_within_year=due,
        net_current_assets=current - due,
        total_assets_less_current_liabilities=net + later,
        creditors_after_year=later,
        net_assets=net,
        equity=net,
        share_capital=1_000,
        retained_earnings=net - 1_000,
        total_assets=current + fixed,
        tangible_net_assets=net,
        turnover=net * 6,
        operating_profit=net // 7,
        profit_before_tax=net // 8,
        profit=net // 10,
        employees=14,
    )
    shown = msgspec.structs.replace(
        shown,
        total_assets=figure(current + fixed, Method.DERIVED, "fixed assets + current assets"),
        creditors_after_year=msgspec.structs.replace(figure(later, Method.REPAIRED, "Creditors"), filed=-later),
    )
    return Period(end=dt.date(last, 12, 31), start=dt.date(last, 1, 1), figures=shown, balanced=True)


_YEARS = tuple(_year(2025 - n, net) for n, net in enumerate(_NET))
_FILED = tuple(
    Filing(f"a{year}", dt.date(year + 1, 7, 3), "accounts", "AA", "accounts", made_up=dt.date(year, 12, 31))
    for year in range(2018, 2026)
) + tuple(
    Filing(f"c{year}", dt.date(year, 6, 11), "officers", "AP01", "appoint-person-director")
    for year in (2019, 2021, 2024)
)

FULL = Company(
    number="01234567",
    register=held(
        msgspec.structs.replace(ENTRY, number="01234567", name="PLACEHOLDER MARINE INSTRUMENTS LIMITED"),
    ),
    accounts=held((filing(*_YEARS[:2]), filing(*_YEARS[2:4]), filing(_YEARS[4]))),
    officers=held((DIRECTOR, FORMER_DIRECTOR, SECRETARY)),
    owners=held((HOLDING,)),
    charges=held((CHARGE, SATISFIED_CHARGE)),
    insolvency=held(()),
    notices=held(()),
    filings=held(_FILED),
    payment_practices=held(
        (PaymentPractice("p", dt.date(2025, 7, 1), dt.date(2025, 12, 31), dt.date(2026, 1, 20), 37, 60, 30, 10, 12),)
    ),
)
"""A sound company of which nearly every part is on record."""

FROM_THE_REGISTER = Company(number="00000001", register=held(ENTRY))
FROM_ACCOUNTS = Company(number="00000001", accounts=FULL.accounts)
DISSOLVED = Company(
    number="00000001",
    register=held(msgspec.structs.replace(ENTRY, status="Dissolved", dissolved=dt.date(2025, 5, 5))),
)
BARE = Company(number="00000001", register=held(NOTHING))
SHORTFALL = Company(
    number="00000002",
    register=held(msgspec.structs.replace(ENTRY, number="00000002", name="NOWHERE LIMITED")),
    accounts=held(
        (
            filing(
                Period(
                    end=dt.date(2025, 12, 31),
                    start=dt.date(2025, 1, 1),
                    figures=figures(
                        fixed_assets=4_100,
                        current_assets=9_300,
                        creditors_within_year=21_700,
                        net_current_assets=-12_400,
                        total_assets=13_400,
                        net_assets=-8_300,
                        equity=-8_300,
                    ),
                    balanced=True,
                ),
            ),
        )
    ),
)
"""A company that owes more than it has."""

EVIL = "<script>alert('\"&amp;</title><img src=x onerror=alert(1)>\u202eDETIMIL\u0000\u2066"
HOSTILE_NAME = (EVIL * 3)[:160]


def _hostile() -> Company:
    name = HOSTILE_NAME
    charges = tuple(
        Charge(
            f"{n}{EVIL}",
            "outstanding",
            f"{n} {EVIL}",
            created=dt.date(2000, 1, 1) + dt.timedelta(n * 20),
            holders=(name,) * 9,
        )
        for n in range(400)
    )
    officers = tuple(
        Officer(id=f"{n}", role="director", surname=name, forenames=name, appointed=dt.date(2001, 1, 1))
        for n in range(50)
    )
    filings = tuple(
        Filing(f"{n}", dt.date(1990, 1, 1) + dt.timedelta(n * 10), "officers", EVIL[:60], EVIL) for n in range(900)
    )
    entry = msgspec.structs.replace(ENTRY, name=name, country_of_origin=EVIL)
    return msgspec.structs.replace(
        FULL,
        register=held(entry),
        officers=held(officers),
        charges=held(charges),
        filings=held(filings),
        owners=held(tuple(msgspec.structs.replace(HOLDING, id=str(n), name=name, country=EVIL) for n in range(90))),
    )


HOSTILE = _hostile()
"""What a register would hold if someone had filled it to break a page."""

COMPANIES = {
    "full": FULL,
    "whole": WHOLE,
    "from-the-register": FROM_THE_REGISTER,
    "from-accounts": FROM_ACCOUNTS,
    "dissolved": DISSOLVED,
    "bare": BARE,
    "shortfall": SHORTFALL,
    "hostile": HOSTILE,
}


def report(subject: Company) -> LtdCompanyData:
    return build(subject, Group(), TODAY)


def specimen_report() -> LtdCompanyData:
    return msgspec.json.decode(specimen.report().body, type=LtdCompanyData)


def with_standing() -> LtdCompanyData:
    """Return the report on the sound company as it is after two runs of the score."""
    plain = report(FULL)
    assert plain.Assessment
    assert plain.Assessment.Score
    score = plain.Assessment.Score.Score
    change = ScoreChange(
        Since=dt.date(2026, 4, 1),
        Before=score - 4,
        After=score,
        Lines=(
            PointsMoved("charges", "Charges outstanding", "The value fell from 3 to 1.", Before=-6, After=-2),
            PointsMoved("age", "Age of the company", "Known now.", After=5),
            PointsMoved("names-given-up", "Names given up within two years", "No longer counted.", Before=5),
        ),
        Remark="Both were found by one model.",
    )
    position = SectorPosition(
        Section="J",
        Words="Information and communication",
        AsOf=dt.date(2026, 5, 1),
        Companies=4_210,
        ScorePercentile=91,
        Ratios=(RatioPosition("reserves", "Reserves to total assets", 0.49, 62, 3_100),),
    )
    assessment = msgspec.structs.replace(plain.Assessment, ScoreChange=change, SectorPosition=position)
    return msgspec.structs.replace(plain, Assessment=assessment)


def reports() -> dict[str, LtdCompanyData]:
    """Return the report on each of them, the specimen, and one that knows of earlier scores."""
    made = {name: report(subject) for name, subject in COMPANIES.items()}
    return made | {"specimen": specimen_report(), "standing": with_standing()}
