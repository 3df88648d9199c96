"""Measures the score where it is used: scores as they could be known on a day, against what became of the companies.

plan.py            which files count, by the days in their names
loading.py         loads them into data sets of the backtest's own, and goes on where it was stopped
reading.py         filed accounts, read in all cores
as_known.py        a company as it could be known on the day
outcomes.py        what became of a company within the horizon
share.py           one share of the register: score and outcome of each company, in a worker
cohort.py          the file of the scored companies, one row for each
discrimination.py  how well risks rank failures: AUC with interval, bounds, capture
calibration.py     whether as many fail as expected: deciles, bands, Brier and log score
groups.py          corporate groups, whose companies do not fail independently of each other
measuring.py       the cohort -> the answer
answer.py          the answer as values
page.py            the answer as a page with charts (charts.py)
run.py             all steps
"""
