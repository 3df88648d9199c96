"""The report on a registered company, built from facts alone (D21, report schema §8 and §9; docs/report.md).

    build.py                                  the whole, from one company's facts, its group and the day
    identification, structure, management,
    mortgages, notices, accounts, ratios,
    changes, scoring, alerts, correction,
    commercial_delphi                         one member each
    assessment, confidence, absence, score,
    published                                 what the wire has no place for
    judged.py                                 the score, with its model and its day
    years.py, completion.py                   filings laid over each other into years
    events.py, ownership.py, group.py         what several members share

A member without a source is left out, and so is every unknown field. The same report answers v1 and v2.
"""
