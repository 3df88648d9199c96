"""How long does it take to score one company, on one core, with every point and reason (credit §7)?

All companies whose accounts the package carries, each lent an active register entry.
The facts are read before the clock runs.
"""

import time
from collections.abc import Iterator, Sequence

from bench.measurement import Figure, Measurement, Target
from bench.rounds import Plan
from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.sandbox.demonstration_accounts import read_demonstration
from credence.sandbox.invented.companies import DAY, INVENTED
from credence.scoring.model import current_model
from credence.scoring.published.models import evaluate_all
from credence.scoring.score import assess

TARGET = Target(200, at="most")
ROUNDS = 5
"""Of all companies in one run; one round is over too soon to be measured."""


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the processor time of a company, the mean of all, and the same with the published models."""
    companies = list(_companies())
    note = f"{len(companies)} companies with accounts"
    for name, beside in (("score", False), ("score and published models", True)):
        runs = tuple(Figure(_microseconds(companies, beside=beside)) for _ in range(plan.rounds))
        yield Measurement(name, "µs a company", runs, target=TARGET, note=note)


def _companies() -> Iterator[Company]:
    lent = next(iter(INVENTED.values())).register
    source = Provenance("Demonstration")
    for record in read_demonstration():
        if isinstance(record.fact, Accounts):
            yield Company(number=record.company, register=lent, accounts=Sourced((record.fact,), source))


def _microseconds(companies: Sequence[Company], *, beside: bool) -> float:
    model = current_model()
    started = time.process_time()
    for _ in range(ROUNDS):
        for company in companies:
            assess(company, model, DAY)
            if beside:
                evaluate_all(company)
    return (time.process_time() - started) * 1_000_000 / len(companies) / ROUNDS
