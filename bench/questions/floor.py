"""How many times the floor does a request take?

The floor is the bare server with the work that an answer cannot do without (`bench/work.py`): signatures, a share of a
durable commit, a look-up, encoding. Value and ratio are of the processor time of the worker for one request, which other
work on the machine moves less than rates; these are in the record.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from statistics import median

import httpx

from bench.deployment import Client, Deployment, bare, credence, register
from bench.load import Load, run_right
from bench.loads import (
    alone,
    alone_answer,
    introspection_answer,
    introspections,
    login,
    many_reports,
    one_report,
    report_answer,
    rotation_by_form,
    token_answer,
)
from bench.measurement import Figure, Measurement, Target
from bench.process import Server, processor_seconds
from bench.questions.code_flow import FLOW, OPTIONS, flows, redemptions, sign_in_page
from bench.rounds import Plan, take_turns

TARGET = Target(2, "ratio", "most")

Prepare = Callable[[Deployment, Client, Server], Load]
Sample = Callable[[Deployment, Client, Server], bytes]


@dataclass(frozen=True, slots=True)
class Floor:
    """A request and the work of its floor."""

    name: str
    client: str
    load: Prepare
    answer: Sample
    works: Sequence[str]
    variables: dict[str, str] = field(default_factory=dict)


def _page(deployment: Deployment, client: Client, server: Server) -> bytes:
    load = sign_in_page(deployment, client, server)
    return httpx.get(server.address + load.path, trust_env=False).raise_for_status().content


FLOORS = (
    Floor("refresh, ES256", "ES256", rotation_by_form, token_answer, ("ES256", "commit")),
    Floor("refresh, RS256", "RS256", rotation_by_form, token_answer, ("RS256", "commit")),
    Floor("client credentials, ES256", "alone", alone, alone_answer, ("ES256",)),
    Floor("password remembered, ES256", "ES256", login, token_answer, ("ES256", "commit")),
    Floor("introspection", "ES256", introspections, introspection_answer, ("look-up",)),
    Floor("report, remembered", "ES256", one_report, report_answer, ()),
    Floor("report, built", "ES256", many_reports, report_answer, ("encode",), {"CREDENCE_REPORT_CACHE_MEGABYTES": "1"}),
    Floor("sign-in page", "browser", sign_in_page, _page, ()),
    Floor("code flow, mean of both requests", "browser", flows, token_answer, ("redirect", "ES256", "ES256", "commit")),
)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the processor time of each request, beside its floor."""
    deployment = plan.deployment
    browser = register(deployment.folder, "Bench floor", *OPTIONS, *FLOW, **deployment.variables)
    for floor in FLOORS:
        yield _beside(plan, floor, browser if floor.client == "browser" else deployment.clients[floor.client])
    codes = partial(redemptions, seconds=2 * plan.seconds)  # more than are redeemed, which takes longer than a request
    yield _beside(plan, Floor("code redemption", "browser", codes, token_answer, ("ES256", "ES256", "commit")), browser)


def _beside(plan: Plan, floor: Floor, client: Client) -> Measurement:
    deployment = plan.deployment
    rates: dict[str, list[float]] = {"per_second": [], "floor_per_second": []}
    with ExitStack() as running:
        ours = running.enter_context(credence(deployment.folder, **deployment.variables, **floor.variables))
        sampled = deployment.clients["ES256"] if floor.answer is token_answer else client
        answer = floor.answer(deployment, sampled, ours)
        beside = running.enter_context(bare(deployment.folder, answer, *floor.works))

        def run(server: Server, rate: str, seconds: float) -> Figure:
            load = floor.load(deployment, client, ours)
            before = processor_seconds(server)
            outcome = run_right(server, load, seconds)
            used = processor_seconds(server) - before
            rates[rate].append(outcome["requests"] / outcome["microseconds"] * 1e6)
            return Figure(1e6 * used / outcome["requests"], outcome["p50"] / 1e3, outcome["p99"] / 1e3)

        figures, floors = take_turns(
            plan,
            lambda seconds: run(ours, "per_second", seconds),
            lambda seconds: run(beside, "floor_per_second", seconds),
        )
    more = {name: median(found[1:]) for name, found in rates.items()}  # the first one warms up
    more["floor_p99"] = median(figure.p99 or 0.0 for figure in floors)
    return Measurement(floor.name, "µs of processor", figures, floors, "floor", TARGET, more=more)
