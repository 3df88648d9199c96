"""Documentation of scenarios, documents and probes."""

from credence.refusals import NOT_FOUND
from credence.web.messages.answer import HTML, JSON
from credence.web.reference.operations.bodies import Health, SeenCaller
from credence.web.routing.operation import Content, Operation

TAG = "The service itself"

SANDBOX_SCENARIOS = Operation(
    id="sandbox_scenarios",
    tag=TAG,
    summary="Sandbox scenarios",
    description=(
        "One ready account, application or company number for each refusal: what to send and what is answered. "
        "Offered by the sandbox alone."
    ),
    answers=(Content(JSON),),
    refusals=(NOT_FOUND,),
)

OPENAPI_DOCUMENT = Operation(
    id="openapi_document",
    tag=TAG,
    summary="This description as OpenAPI 3.1",
    description="Made from the table of routes, so it cannot say anything else than the service does.",
    answers=(Content(JSON),),
    cacheable=True,
)

REFERENCE_PAGE = Operation(
    id="reference_page",
    tag=TAG,
    summary="This description as a page",
    description="One page without scripts or anything from elsewhere.",
    answers=(Content(HTML),),
    cacheable=True,
)

MODEL_CARD = Operation(
    id="model_card",
    tag=TAG,
    summary="Model card of the score",
    description="How the score is made, tested and limited. Every report that people read names it.",
    answers=(Content(HTML),),
    cacheable=True,
)

LIVE = Operation(
    id="live",
    tag=TAG,
    summary="Is the process alive?",
    description="Answers without looking at anything, for whoever restarts processes.",
    answers=(Content(JSON, (Health,), {"Alive": {"status": "alive"}}),),
)

READY = Operation(
    id="ready",
    tag=TAG,
    summary="Is the process ready?",
    description="Answers 200 only while the store can be written and its changes are heard, for whoever directs traffic.",
    answers=(
        Content(JSON, (Health,), {"Ready": {"status": "ready"}}),
        Content(JSON, (Health,), {"Not ready": {"status": "store unavailable"}}, status=503),
    ),
)

CALLER = Operation(
    id="caller",
    tag=TAG,
    summary="Where does the caller seem to be?",
    description="The kind of address that rules on addresses would see, for `credence doctor`. No address is named.",
    answers=(
        Content(
            JSON,
            (SeenCaller,),
            {"Behind a trusted proxy": {"caller": "public", "forwarded": "believed", "time": 1700000000000}},
        ),
    ),
)
