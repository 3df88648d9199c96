"""Facts of the specimen company and of every company that its report or its director names (D24).

With them every number in the report is found. The report itself is fixed; searches and the details of directors use
these facts.
"""

import datetime as dt
from collections.abc import Mapping

from credence.companies.facts.company import Company
from credence.companies.facts.register import Activity, FormerName
from credence.sandbox.invented import balance_sheets as sheets
from credence.sandbox.invented.facts import entry, filed, filing_history, officer, parent, sourced, with_profile

SPECIMEN = "99999999"
PARENT = "99999998"
DISSOLVED = "99999997"

_PARENT_NAME = "TEST SPECIMEN GROUP LIMITED"
_JOHN, _JANE, _PETER, _SAM = "D99999999", "D99999998", "D99999997", "D99999996"

SPECIMEN_GROUP: Mapping[str, Company] = {
    each.number: with_profile(each)
    for each in (
        Company(
            number=SPECIMEN,
            register=entry(
                SPECIMEN,
                "TEST SPECIMEN TRADING LIMITED",
                dt.date(2010, 3, 1),
                former_names=(FormerName("PLACEHOLDER PROGRAMS LIMITED", dt.date(2014, 6, 30)),),
                charges=(1, 1),
            ),
            officers=sourced(
                (
                    officer(
                        _JOHN, "director", "Smith", "John William", dt.date(2010, 3, 1), born=(1972, 4), title="Mr"
                    ),
                    officer(
                        _JANE, "director", "Specimen", "Jane Example", dt.date(2019, 3, 1), born=(1982, 1), title="Ms"
                    ),
                    officer(
                        _PETER,
                        "director",
                        "Placeholder",
                        "Peter",
                        dt.date(2010, 3, 1),
                        dt.date(2019, 2, 28),
                        born=(1955, 3),
                        title="Mr",
                    ),
                    officer(_SAM, "secretary", "Upname", "Sam Made", dt.date(2012, 5, 1), title="Mx"),
                    officer(
                        _JOHN,
                        "secretary",
                        "Smith",
                        "John William",
                        dt.date(2010, 3, 1),
                        dt.date(2012, 4, 30),
                        title="Mr",
                    ),
                )
            ),
            owners=sourced((parent(_PARENT_NAME, PARENT, dt.date(2016, 4, 6)),)),
        ),
        Company(
            number=PARENT,
            register=entry(
                PARENT,
                _PARENT_NAME,
                dt.date(2009, 11, 2),
                activities=(Activity("70100", "Activities of head offices"),),
            ),
            accounts=filed(PARENT, *sheets.HOLDING),
            officers=sourced(
                (
                    officer(
                        _PETER, "director", "Placeholder", "Peter", dt.date(2009, 11, 2), born=(1955, 3), title="Mr"
                    ),
                    officer(_SAM, "secretary", "Upname", "Sam Made", dt.date(2012, 5, 1), title="Mx"),
                )
            ),
            owners=sourced(()),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(),
        ),
        Company(
            number=DISSOLVED,
            register=entry(
                DISSOLVED,
                "PLACEHOLDER VENTURES LIMITED",
                dt.date(2004, 5, 10),
                status="Dissolved",
                dissolved=dt.date(2009, 2, 17),
                accounts_due=None,
                accounts_made_up=dt.date(2007, 12, 31),
            ),
            accounts=filed(DISSOLVED, *sheets.THIN, end=dt.date(2007, 12, 31)),
            officers=sourced(
                (
                    officer(
                        _JOHN,
                        "director",
                        "Smith",
                        "John William",
                        dt.date(2004, 5, 10),
                        dt.date(2008, 8, 31),
                        born=(1972, 4),
                        title="Mr",
                    ),
                    officer(_PETER, "secretary", "Placeholder", "Peter", dt.date(2004, 5, 10), title="Mr"),
                )
            ),
            owners=sourced(()),
            charges=sourced(()),
            insolvency=sourced(()),
            notices=sourced(()),
            filings=filing_history(received=dt.date(2008, 4, 1)),
        ),
    )
}
"""Number -> company. The facts of the specimen itself repeat its fixed report."""
