"""How many credit reports can be read a second with a bearer token (spec §4.5, §5.3)?

Once one company with one token, as a client repeats itself; once the whole register sample in random order with many
tokens. The sample holds more companies than reports are kept finished in memory, so that case builds reports too.
"""

from collections.abc import Iterator
from functools import partial

from bench.loads import many_reports, one_report, report_answer
from bench.measurement import Measurement, Target
from bench.rounds import Plan, beside_bare

TARGET = Target(20_000)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield reports per second: one company, then many."""
    deployment = plan.deployment
    client = deployment.clients["ES256"]
    sample = partial(report_answer, deployment, client)
    for name, load in (("one company", one_report), ("many companies", many_reports)):
        yield beside_bare(plan, f"report, {name}", partial(load, deployment, client), sample, TARGET)
