"""Documentation of what the management API shows and changes of credit data. The examples are an invented deployment."""

from dataclasses import replace

from credence.management.data_history import Loads
from credence.management.data_holds import HoldBody, HoldState
from credence.management.service_schema import Sources
from credence.web.messages.answer import JSON
from credence.web.reference.operations.management import READ_APPLICATION, REPLACE_APPLICATION, TAG
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
_REASON = "The snapshot of November is incomplete."
_EFFECT = "Served: 5,000,000 companies, as of 2026-11-01. Loads of it are refused."
_STATE = (
    Content(
        JSON,
        (HoldState,),
        {
            "Held": {
                "source": "register",
                "held": True,
                "since": "2026-11-22T09:30:00Z",
                "by": "ada",
                "reason": _REASON,
                "effect": _EFFECT,
            }
        },
    ),
)
_SOURCE_NAME = Parameter("source", "path", "The source, such as `register`; `scores` are the scoring runs.", "register")

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

READ_HOLD = replace(
    READ_APPLICATION,
    id="read_hold",
    summary="Read whether a source is held",
    description="While a source is held, loads, refreshes and scoring runs of it are refused, on all nodes.",
    parameters=(_SOURCE_NAME,),
    answers=_STATE,
)

HOLD = replace(
    REPLACE_APPLICATION,
    id="hold_source",
    summary="Hold a source",
    description="Its data stays as it is until the release. Of a held source, who holds it and why is replaced.",
    parameters=(_SOURCE_NAME, *REPLACE_APPLICATION.parameters[1:]),
    bodies=(Content(JSON, (HoldBody,), {"With a reason": {"reason": _REASON}}),),
    answers=_STATE,
)

RELEASE = replace(
    HOLD,
    id="release_source",
    summary="Release a source",
    description="Newer data may be loaded again. Nothing is loaded by that.",
    bodies=(),
)
