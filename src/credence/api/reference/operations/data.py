"""Documentation of the credit data in the management API. The examples show an invented deployment."""

from credence.api.reference.operations.management import TAG
from credence.management.data_history import Loads
from credence.management.score_runs import Comparison, Runs
from credence.management.service_schema import Sources
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

_SOURCE = {"source": "register", "as_of": "2026-11-01", "age_in_days": 21, "companies": 5000000, "pending": False}
_LOAD = {
    "loaded_at": "2026-11-02T03:10:00Z",
    "source": "register",
    "as_of": "2026-11-01",
    "seconds": 412.3,
    "rows": 5000012,
    "refused": 12,
    "companies": 5000000,
    "facts": 5000000,
}
_RUN = {
    "run": 2,
    "day": "2026-11-03",
    "register": "2026-11-01",
    "model": "2026.11.4",
    "companies": 5000000,
    "scored": 4100000,
    "unscored": {"unscored.dissolved": 900000},
    "bands": {"A": 900000, "B": 1500000, "C": 1000000, "D": 500000, "E": 200000},
}
_COMPARISON = {
    "run": 2,
    "since": 1,
    "model_changed": False,
    "changed_band": 1200,
    "changed_score": 5300,
    "first": 100,
    "ended": 90,
    "unknown": 0,
    "bands": [{"then": "C", "now": "B", "companies": 700}],
    "differences": [{"difference": "+1 to +4", "companies": 2100}],
    "drift": [
        {
            "code": "current-ratio",
            "words": "Current assets to short-term creditors",
            "then": 3900000,
            "now": 3950000,
            "index": 0.04,
            "judgement": "small",
        }
    ],
}
DATA = Operation(
    id="list_data",
    tag=TAG,
    summary="List the sources of credit data",
    description="Date, age, content, faults and hold of each, as `credence data status` prints them.",
    answers=(Content(JSON, (Sources,), {"One": {"sources": [_SOURCE]}}),),
)

LOADS = Operation(
    id="list_loads",
    tag=TAG,
    summary="List the newest loads",
    description="The newest loads and scoring runs of this node, as `credence data loads` prints them; at most 200.",
    answers=(Content(JSON, (Loads,), {"One": {"loads": [_LOAD]}}),),
)

RUNS = Operation(
    id="list_runs",
    tag=TAG,
    summary="List the scoring runs",
    description="The runs of the scores in service, with what each found. Of a run by an earlier version that is unknown.",
    answers=(Content(JSON, (Runs,), {"One": {"runs": [_RUN]}}),),
)

COMPARE_RUNS = Operation(
    tag=TAG,
    refusals=(RESOURCE_UNKNOWN,),
    id="compare_runs",
    summary="Compare two scoring runs",
    description=(
        "How many companies changed band and score, and the population stability index of each input. What was not kept is "
        "null. Companies that left the register are not counted."
    ),
    parameters=(
        Parameter("run", "path", "The later run: its number, or `newest`.", "newest"),
        Parameter("since", "query", "The earlier run, or `fitting`: the fitting data. Default: the run before."),
    ),
    answers=(Content(JSON, (Comparison,), {"One": _COMPARISON}),),
)
