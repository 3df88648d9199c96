"""The invented companies: one for each band of the score, and one for each state that a client must handle (D24).

They exist so that no real company of the sample is the example of a high risk. Their facts have the same form as loaded
ones, and their reports are built in the same way.
"""

import datetime as dt
from collections.abc import Mapping

from credence.companies.facts.company import Company
from credence.companies.facts.events import CaseDate, Filing, InsolvencyCase, Notice
from credence.companies.facts.register import Activity, FormerName
from credence.sandbox.invented import balance_sheets as sheets
from credence.sandbox.invented.facts import charge, entry, filed, filing_history, officer, parent, sourced, with_profile

(
    _A,
    _B,
    _C,
    _D,
    _E,
    NOT_SCORED,
    INSOLVENT,
    JUDGMENTS,
    GROUP,
    SUBSIDIARY,
    DORMANT,
) = (f"999999{n:02}" for n in range(1, 12))

BANDS: Mapping[str, str] = {"A": _A, "B": _B, "C": _C, "D": _D, "E": _E}
"""Band of the score -> number of the company that has it."""

STATES: Mapping[str, str] = {
    "not-scored": NOT_SCORED,
    "insolvent": INSOLVENT,
    "judgments": JUDGMENTS,
    "group": GROUP,
    "subsidiary": SUBSIDIARY,
    "dormant": DORMANT,
}
"""State of a company -> number of the invented company in that state."""

_GROUP_NAME = "INVENTED GROUP LIMITED"
_HEAD_OFFICE = (Activity("70100", "Activities of head offices"),)

INVENTED: Mapping[str, Company] = {
    each.number: with_profile(each, office_undeliverable=each.number == _E)
    for each in (
        Company(
            number=_A,
            register=entry(
                _A,
                "INVENTED BAND A LIMITED",
                dt.date(2001, 3, 1),
                former_names=(FormerName("INVENTED BEGINNINGS LIMITED", dt.date(2009, 7, 1)),),
                charges=(1, 1),
            ),
            accounts=filed(_A, *sheets.SOUND),
            officers=sourced(
                (
                    officer("D99999901", "director", "INVENTED", "Alex Band", dt.date(2001, 3, 1), born=(1966, 2)),
                    officer("D99999902", "director", "MADEUP", "Robin", dt.date(2014, 9, 1), born=(1979, 11)),
                    officer("D99999903", "secretary", "FICTION", "Sasha", dt.date(2010, 1, 5)),
                    officer(
                        "D99999904",
                        "director",
                        "MADEUP",
                        "Charlie",
                        dt.date(2001, 3, 1),
                        dt.date(2014, 8, 31),
                        born=(1951, 4),
                    ),
                )
            ),
            owners=sourced(()),
            charges=sourced(
                (
                    charge("999999010002", dt.date(2019, 5, 14)),
                    charge("999999010001", dt.date(2006, 2, 1), dt.date(2018, 3, 9)),
                )
            ),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(Filing("office-2016", dt.date(2016, 6, 20), "address", "AD01")),
        ),
        Company(
            number=_B,
            register=entry(_B, "INVENTED BAND B LIMITED", dt.date(2015, 3, 1)),
            accounts=filed(_B, *sheets.TIGHT),
            officers=sourced(
                (
                    officer("D99999905", "director", "SAMPLE", "Kim", dt.date(2015, 3, 1), born=(1984, 8)),
                    officer("D99999906", "secretary", "SAMPLE", "Lee", dt.date(2015, 3, 1)),
                )
            ),
            owners=sourced(()),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(),
        ),
        Company(
            number=_C,
            register=entry(_C, "INVENTED BAND C LIMITED", dt.date(2016, 3, 1), charges=(1, 0)),
            accounts=filed(_C, *sheets.THIN),
            officers=sourced(
                (
                    officer("D99999907", "director", "EXAMPLE", "Jo", dt.date(2016, 3, 1), born=(1990, 1)),
                    officer("D99999908", "secretary", "EXAMPLE", "Max", dt.date(2016, 3, 1)),
                )
            ),
            owners=sourced(()),
            charges=sourced((charge("999999030001", dt.date(2022, 10, 4)),)),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(),
        ),
        Company(
            number=_D,
            register=entry(
                _D,
                "INVENTED BAND D LIMITED",
                dt.date(2015, 3, 1),
                status="Active - Proposal to Strike off",
                accounts_due=dt.date(2026, 3, 31),
            ),
            accounts=filed(_D, *sheets.TIGHT),
            officers=sourced(
                (
                    officer("D99999909", "director", "PRETEND", "Toni", dt.date(2015, 3, 1), born=(1971, 12)),
                    officer("D99999910", "secretary", "PRETEND", "Billie", dt.date(2015, 3, 1)),
                )
            ),
            owners=sourced(()),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(
                Filing("strike-off", dt.date(2026, 4, 21), "gazette", "GAZ1", "gazette-notice-compulsory")
            ),
        ),
        Company(
            number=_E,
            register=entry(_E, "INVENTED BAND E LIMITED", dt.date(2023, 3, 1)),
            accounts=filed(_E, *sheets.DEEP_IN_DEBT),
            officers=sourced(
                (
                    officer("D99999911", "director", "FABLE", "Drew", dt.date(2023, 3, 1), born=(1988, 5)),
                    officer("D99999912", "secretary", "FABLE", "Pat", dt.date(2023, 3, 1)),
                )
            ),
            owners=sourced(()),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced((Notice("invented", "2450", dt.date(2026, 4, 10), "Petitions to Wind Up (Companies)"),)),
            filings=filing_history(),
        ),
        Company(
            number=NOT_SCORED,
            register=entry(
                NOT_SCORED,
                "INVENTED DISSOLVED LIMITED",
                dt.date(2012, 3, 1),
                status="Dissolved",
                dissolved=dt.date(2026, 2, 3),
                accounts_due=None,
                accounts_made_up=dt.date(2024, 12, 31),
            ),
            accounts=filed(NOT_SCORED, *sheets.THIN, end=dt.date(2024, 12, 31)),
            officers=sourced(
                (
                    officer("D99999913", "director", "LEGEND", "Ray", dt.date(2012, 3, 1), born=(1960, 9)),
                    officer("D99999914", "secretary", "LEGEND", "Val", dt.date(2012, 3, 1)),
                )
            ),
            owners=sourced(()),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(received=dt.date(2025, 4, 1)),
        ),
        Company(
            number=INSOLVENT,
            register=entry(
                INSOLVENT,
                "INVENTED INSOLVENT LIMITED",
                dt.date(2011, 3, 1),
                status="Liquidation",
                accounts_made_up=dt.date(2024, 12, 31),
                accounts_due=dt.date(2025, 9, 30),
                charges=(1, 0),
            ),
            accounts=filed(INSOLVENT, *sheets.DEEP_IN_DEBT, end=dt.date(2024, 12, 31)),
            officers=sourced(
                (
                    officer("D99999915", "director", "STORY", "Jamie", dt.date(2011, 3, 1), born=(1968, 3)),
                    officer("D99999916", "secretary", "STORY", "Noel", dt.date(2011, 3, 1)),
                )
            ),
            owners=sourced(()),
            charges=sourced((charge("999999070001", dt.date(2013, 1, 22)),)),
            insolvency=sourced(
                (
                    InsolvencyCase(
                        "1",
                        "creditors-voluntary-liquidation",
                        (CaseDate("wound-up-on", dt.date(2026, 2, 16)),),
                    ),
                )
            ),
            notices=sourced(
                (
                    Notice("invented-2", "2443", dt.date(2026, 2, 23), "Appointment of Liquidators"),
                    Notice("invented-1", "2441", dt.date(2026, 2, 20), "Resolutions for Winding-up"),
                )
            ),
            filings=filing_history(
                Filing("resolution", dt.date(2026, 3, 3), "resolution", "LRESEX", "resolution"),
                received=dt.date(2025, 4, 1),
            ),
        ),
        Company(
            number=JUDGMENTS,
            register=entry(JUDGMENTS, "INVENTED JUDGMENTS LIMITED", dt.date(2016, 3, 1)),
            accounts=filed(JUDGMENTS, *sheets.THIN),
            officers=sourced(
                (
                    officer("D99999917", "director", "FANCY", "Ali", dt.date(2016, 3, 1), born=(1982, 7)),
                    officer("D99999918", "secretary", "FANCY", "Mel", dt.date(2016, 3, 1)),
                )
            ),
            owners=sourced(()),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(),
        ),
        Company(
            number=GROUP,
            register=entry(
                GROUP, _GROUP_NAME, dt.date(2005, 3, 1), category="GROUP", activities=_HEAD_OFFICE, charges=(0, 1)
            ),
            accounts=filed(GROUP, *sheets.HOLDING),
            officers=sourced(
                (
                    officer("D99999901", "director", "INVENTED", "Alex Band", dt.date(2005, 3, 1), born=(1966, 2)),
                    officer("D99999919", "director", "NOBODY", "Chris", dt.date(2012, 6, 1), born=(1972, 10)),
                    officer("D99999903", "secretary", "FICTION", "Sasha", dt.date(2011, 1, 5)),
                )
            ),
            owners=sourced(()),
            charges=sourced((charge("999999090001", dt.date(2008, 8, 8), dt.date(2015, 5, 5)),)),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(),
        ),
        Company(
            number=SUBSIDIARY,
            register=entry(SUBSIDIARY, "INVENTED GROUP TRADING LIMITED", dt.date(2006, 3, 1), charges=(1, 0)),
            accounts=filed(SUBSIDIARY, *sheets.SOUND),
            officers=sourced(
                (
                    officer("D99999919", "director", "NOBODY", "Chris", dt.date(2012, 6, 1), born=(1972, 10)),
                    officer("D99999903", "secretary", "FICTION", "Sasha", dt.date(2011, 1, 5)),
                )
            ),
            owners=sourced((parent(_GROUP_NAME, GROUP, dt.date(2016, 4, 6)),)),
            charges=sourced((charge("999999100001", dt.date(2020, 12, 1)),)),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(),
        ),
        Company(
            number=DORMANT,
            register=entry(DORMANT, "INVENTED DORMANT LIMITED", dt.date(2018, 3, 1), category="DORMANT"),
            accounts=filed(DORMANT, *sheets.SLEEPING, dormant=True),
            officers=sourced(
                (
                    officer("D99999919", "director", "NOBODY", "Chris", dt.date(2018, 3, 1), born=(1972, 10)),
                    officer("D99999903", "secretary", "FICTION", "Sasha", dt.date(2018, 3, 1)),
                )
            ),
            owners=sourced((parent(_GROUP_NAME, GROUP, dt.date(2018, 3, 1)),)),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(),
        ),
    )
}
"""Number -> company."""
