"""The book by workbench, API, command and tool: each way that a reading or act lacks has a declared reason."""

from credence import paths
from credence.api.routes import MONITORING
from credence.cli.index import all_commands
from credence.mcp.tools import TOOLS
from credence.operations.operation import Operation
from credence.operations.reading import Reading
from tools.ways_page import api_of, in_workbench, missing, of_the_book, tool_of

PEOPLE_ALONE = {
    *("limit decide", "limit confirm", "limit refuse", "limit dispute", "limit review"),
    *("alert mail start", "alert mail stop", "book view save", "book view delete"),
}
"""What only a person does, in the workbench: the decisions, and what is about themselves."""


def test_each_way_that_is_missing_has_a_reason() -> None:
    gaps = {(each.name, way): reason for each in of_the_book() for way, reason in missing(each)}
    assert {gap for gap, reason in gaps.items() if not reason} == set()


def test_what_is_read_is_read_in_the_workbench_by_the_api_and_by_command() -> None:
    for each in of_the_book():
        if isinstance(each, Reading):
            assert (in_workbench(each), bool(api_of(each)), each.is_command) == (True, True, True), each.title


def test_only_a_person_decides_and_the_workbench_has_every_act_of_people() -> None:
    acts = [each for each in of_the_book() if isinstance(each, Operation)]
    assert {each.name for each in acts if not api_of(each) and not each.is_command} == PEOPLE_ALONE
    assert all(in_workbench(each) for each in acts if each.name in PEOPLE_ALONE)
    assert [each.name for each in acts if tool_of(each)] == ["portfolio import"]


def test_a_reason_is_given_only_for_what_is_missing() -> None:
    for each in of_the_book():
        ways = {way for way, _ in missing(each)}
        if isinstance(each, Reading):
            assert bool(each.no_tool) == ("tool" in ways), each.title
        else:
            assert not each.no_screen or "workbench" in ways, each.title


def test_each_route_that_is_written_by_hand_exists() -> None:
    routes = {(method, route.path) for route in MONITORING for method in route.methods}
    for each in of_the_book():
        method, _, path = api_of(each).partition(" ")
        assert not path or (method, f"{paths.MONITORING}/{path}") in routes, each.title


def test_each_command_that_has_a_route_runs_from_elsewhere() -> None:
    groups = all_commands()
    for each in of_the_book():
        if each.is_command:
            group, _, name = each.name.partition(" ")
            there = getattr(groups[group].commands[name].callback, "run_there", None)
            assert (there is not None) is bool(api_of(each)), each.name


def test_each_tool_of_monitoring_but_the_feed_is_a_way_to_a_declaration() -> None:
    """The feed of events is a route of its own, which can wait."""
    assert [each.name for each in TOOLS if each.watches and each.of is None] == ["portfolio_events"]
