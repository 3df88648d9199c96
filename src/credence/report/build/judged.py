"""The score of the company a report is on, or why it has none, with the model and the day (credit §7)."""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company
from credence.scoring.day import judged_on
from credence.scoring.eligibility import Unscored
from credence.scoring.model import Model, current_model
from credence.scoring.score import Score, assess


class Judged(msgspec.Struct, frozen=True):
    """What several members tell of."""

    outcome: Score | Unscored
    model: Model
    day: dt.date

    @property
    def score(self) -> Score | None:
        """The score, if there is one."""
        return self.outcome if isinstance(self.outcome, Score) else None


def judge(company: Company, today: dt.date) -> Judged:
    """Score a company as of a day, or as of its register entry's, which may be earlier."""
    model, day = current_model(), judged_on(company, today)
    return Judged(assess(company, model, day), model, day)
