"""The score of the company a report is on, or why it has none, with the model and the day (credit §7)."""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company
from credence.scoring.day import days_of
from credence.scoring.eligibility import Unscored
from credence.scoring.model import Model, current_model
from credence.scoring.score import Score, assess, newest_input


class Judged(msgspec.Struct, frozen=True):
    """What several members tell of."""

    outcome: Score | Unscored
    model: Model
    day: dt.date
    """The day of the newest fact that was judged."""

    @property
    def score(self) -> Score | None:
        """The score, if there is one."""
        return self.outcome if isinstance(self.outcome, Score) else None


def judge(company: Company, today: dt.date) -> Judged:
    """Score a company for today; what its register entry says is judged by the day of the snapshot."""
    model = current_model()
    return Judged(assess(company, model, today), model, newest_input(company, model, days_of(company, today)))
