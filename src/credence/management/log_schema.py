"""The schema of logged requests, and of the checks that decided on them, in the management API (D30)."""

from typing import Annotated, Literal

from msgspec import Struct

from credence.meanings import meaning


class LogEntry(Struct):
    """An answered request. No query, no body and no token is kept of it."""

    at: Annotated[str, meaning("When it came.", example="2026-11-22T09:30:00.125Z")]
    request_id: Annotated[str, meaning("Its id, as the answer's field X-Request-ID has it.")]
    node: Annotated[str, meaning("The node that answered.")]
    status: Annotated[int, meaning("The status of the answer.", example=403)]
    method: Annotated[str | None, meaning("The method; null: not one of HTTP's.", example="GET")] = None
    path: Annotated[str | None, meaning("The path of the route; null: no route has the path.", example="/docs")] = None
    client_id: Annotated[str | None, meaning("The application, if it is known.", example="<CLIENT_ID>")] = None
    account: Annotated[str | None, meaning("The account, if it is known.", example="ada")] = None
    reason: Annotated[str | None, meaning("The reason code of a refusal.", example="token.expired")] = None
    address: Annotated[str | None, meaning("The caller's address.", example="192.0.2.7")] = None
    peer: Annotated[str | None, meaning("The proxy that forwarded it; null: none.", example="198.51.100.1")] = None
    correlation_id: Annotated[str | None, meaning("What the caller calls it.", example="order-77")] = None
    milliseconds: Annotated[
        float | None, meaning("How long the answer took; null: not known.", unit="milliseconds", example=0.8)
    ] = None


class LogNode(Struct):
    """A node that was searched."""

    node: Annotated[str, meaning("Its name.")]
    has: Annotated[
        Literal["every request", "shared"],
        meaning(
            "What was searched of it.",
            values={
                "every request": "The whole log of this node.",
                "shared": "Its requests in the shared store: each a minute after its answer, a refusal after a second.",
            },
        ),
    ]


class LogPage(Struct):
    """A page of requests, the newest first."""

    requests: Annotated[list[LogEntry], meaning("The requests.")]
    next_page_token: Annotated[str, meaning("The `page_token` of the next page; empty on the last.", example="")]
    is_partial: Annotated[bool, meaning("Whether the time for one search ended it; the next page goes on.")]
    looked_back_to: Annotated[
        str | None,
        meaning("All matches since then are in this page or those before; null: all was searched.", example=None),
    ]
    lost: Annotated[int, meaning("Requests of the time searched that could not be written, as when the disk was full.")]
    nodes: Annotated[list[LogNode], meaning("The nodes that were searched.")]
    unreadable: Annotated[
        int,
        meaning(
            "Blocks of other nodes in the time searched, each of at most 1,024 requests, that this node cannot read: they "
            "are damaged, or a newer version wrote them."
        ),
    ] = 0


class Check(Struct):
    """A check that the request had to pass."""

    check: Annotated[str, meaning("What is checked.", example="network")]
    rule: Annotated[str, meaning("The rule.")]
    outcome: Annotated[
        Literal["passed", "refused", "not reached"],
        meaning(
            "What came of it.",
            values={
                "passed": "The request passed.",
                "refused": "It was refused here.",
                "not reached": "An earlier check refused it.",
            },
        ),
    ]
    value: Annotated[str | None, meaning("What the request had; null: not kept.", example="192.0.2.7")] = None
    would_pass: Annotated[
        str | None, meaning("What passes under the present settings; null: see the rule.", example="198.51.100.0/24")
    ] = None
    now: Annotated[
        Literal["passes", "refused"] | None,
        meaning("What would come of it now; null: it depends on what is not kept.", example="passes"),
    ] = None


class ExplainedRequest(Struct):
    """A request with every check in order, and the result of each check now."""

    request: Annotated[LogEntry, meaning("The request.")]
    checks: Annotated[list[Check], meaning("The checks, in the order in which they are made.")]
    rule: Annotated[str | None, meaning("The rule that refused it; null: it was not refused.", example=None)] = None
    what_to_do: Annotated[str | None, meaning("What the operator can do.", example=None)] = None
