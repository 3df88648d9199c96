"""The verdicts that a reader wrote down before the rules were run, and what the program says of the same filings.

Forty were chosen by an accountant's eye, fifteen drawn at random.

docs/judgement.md explains each disagreement; a filing that has none there must get the reader's verdict.
"""

import datetime as dt
import random
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from tests.judgement.filers import Filer, filers

PANEL, DRAWN = (Path(__file__).with_name(name) for name in ("panel.toml", "drawn.toml"))
SEED = 20261128
PAGE = Path(__file__).parents[2] / "docs" / "judgement.md"
RENAMED = {"RELATED-PARTIES": "RELATED-DEBTORS"}
"""Code of the panel -> code of the table, where the table has got another name since."""


class Verdict(msgspec.Struct, frozen=True):
    """What the reader would sign."""

    number: str
    made_up: dt.date
    kind: str
    read: str
    bands: str
    limit: tuple[int, int]
    reservations: tuple[str, ...]


@cache
def verdicts(file: Path) -> tuple[Verdict, ...]:
    return msgspec.convert(tomllib.loads(file.read_text())["filing"], tuple[Verdict, ...])


def disagreements() -> Iterator[tuple[str, str]]:
    """Number of each company on which program and reader differ, and the program's band and limit."""
    known = {(each.filing.company, each.filing.balance_sheet_date): each for each in filers()}
    for verdict in (*verdicts(PANEL), *verdicts(DRAWN)):
        band, limit, codes = judged(known[verdict.number, verdict.made_up])
        wanted = {RENAMED.get(code, code) for code in verdict.reservations}
        least, most = verdict.limit
        if band not in verdict.bands or not least <= limit <= most or not wanted <= codes:
            yield verdict.number, f"{band}, £{limit:,}"


def judged(each: Filer) -> tuple[str, int, set[str]]:
    assessment = each.report().Assessment
    assert assessment
    assert assessment.Score
    assert assessment.Headline
    assert assessment.Score.Limit.Amount is not None
    codes = {found.Code for found in assessment.Headline.Reservations}
    return assessment.Score.Band, assessment.Score.Limit.Amount, codes


def test_the_panel_has_forty_filings_of_the_sample() -> None:
    assert len({each.number for each in verdicts(PANEL)}) == 40


def test_the_second_panel_is_a_random_sample_of_the_filers() -> None:
    filed = sorted((each.filing.company, each.filing.balance_sheet_date) for each in filers())
    drawn = random.Random(SEED).sample(filed, 15)
    assert sorted(drawn) == [(each.number, each.made_up) for each in verdicts(DRAWN)]


def test_every_disagreement_of_the_program_with_the_reader_is_explained() -> None:
    rows = re.findall(r"^\| (\w{8}) \| [^|]+ \| ([A-E], £[\d,]+) \| [^|]{40,} \|$", PAGE.read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(disagreements())
