"""OpenAPI operations of the sandbox scenarios, the published documents and the health probes."""

from credence.api.reference.operations.bodies import Health, SeenCaller
from credence.refusals.requests import FORBIDDEN, NOT_FOUND
from credence.web.messages.answer import HTML, JSON, JSON_SCHEMA, MARKDOWN, TEXT
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "The service itself"

SANDBOX_SCENARIOS = Operation(
    id="sandbox_scenarios",
    tag=TAG,
    summary="Sandbox scenarios",
    description=(
        "One prepared account, application or company number for each refusal: the request and the response. "
        "Only in the sandbox, and for callers on its machine unless the operator opens it to all."
    ),
    answers=(Content(JSON),),
    refusals=(FORBIDDEN, NOT_FOUND),
)

OPENAPI_DOCUMENT = Operation(
    id="openapi_document",
    tag=TAG,
    summary="This description as OpenAPI 3.1",
    description="Generated from the route table of the service.",
    answers=(Content(JSON),),
    cacheable=True,
)

MODEL_SCHEMA = Operation(
    id="model_schema",
    tag=TAG,
    summary="JSON Schema of a model",
    description=(
        "A model with the models of its members: meaning, unit, codes and an example for each member (JSON Schema, draft "
        "2020-12). `LtdCompanyData` is the report, `BusinessTargeterResponse` the company search, "
        "`DirectorTargeterResponse` the director search, `DirectorData` one director."
    ),
    parameters=(Parameter("model", "path", "The name of a model of this description.", "LtdCompanyData"),),
    answers=(Content(JSON_SCHEMA),),
    refusals=(NOT_FOUND,),
    cacheable=True,
)

ROOT = Operation(
    id="root",
    tag=TAG,
    summary="The address alone",
    description="Leads to the reference page.",
    answers=(Content("", status=303),),
)

REFERENCE_PAGE = Operation(
    id="reference_page",
    tag=TAG,
    summary="This description as a page",
    description="One page without scripts and without resources from other sites.",
    answers=(Content(HTML),),
    cacheable=True,
)

MODEL_CARD = Operation(
    id="model_card",
    tag=TAG,
    summary="Model card of the score",
    description="How the score is made, tested and limited. Every report page links to it.",
    answers=(Content(HTML),),
    cacheable=True,
)

_PAGE = "Its name, with `.md`."

DOCUMENTATION_PAGE = Operation(
    id="documentation_page",
    tag=TAG,
    summary="A page of the documentation as Markdown",
    description="`/llms.txt` lists the pages.",
    parameters=(Parameter("page", "path", _PAGE, "agents.md"),),
    answers=(Content(MARKDOWN),),
    refusals=(NOT_FOUND,),
    cacheable=True,
)

FURTHER_PAGE = Operation(
    id="further_documentation_page",
    tag=TAG,
    summary="A page of a folder of the documentation as Markdown",
    description="The folders are `clients` and `adr`.",
    parameters=(
        Parameter("folder", "path", "Its folder.", "clients"),
        Parameter("page", "path", _PAGE, "authlib.md"),
    ),
    answers=(Content(MARKDOWN),),
    refusals=(NOT_FOUND,),
    cacheable=True,
)

LIST_FOR_MODELS = Operation(
    id="list_for_models",
    tag=TAG,
    summary="The documentation as a list for language models",
    description="Title, address and first sentence of every page (llmstxt.org).",
    answers=(Content(TEXT),),
    cacheable=True,
)

LIVE = Operation(
    id="live",
    tag=TAG,
    summary="Is the process alive?",
    description="Responds without any check, as a liveness probe.",
    answers=(Content(JSON, (Health,), {"Alive": {"status": "alive"}}),),
)

READY = Operation(
    id="ready",
    tag=TAG,
    summary="Is the process ready?",
    description="Responds 200 only while the store is writable and its changes arrive, as a readiness probe.",
    answers=(
        Content(JSON, (Health,), {"Ready": {"status": "ready"}}),
        Content(JSON, (Health,), {"Not ready": {"status": "store unavailable"}}, status=503),
    ),
)

CALLER = Operation(
    id="caller",
    tag=TAG,
    summary="Kind of the caller's address",
    description="The kind of address to which access rules apply, for `credence doctor`. The response contains no address.",
    answers=(
        Content(
            JSON,
            (SeenCaller,),
            {"Behind a trusted proxy": {"caller": "public", "forwarded": "believed", "time": 1700000000000}},
        ),
    ),
)
