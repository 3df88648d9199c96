"""The table of operations: every face that an operation lacks has a reason (D41)."""

import ast
import re
from pathlib import Path
from typing import get_type_hints

import credence
from credence.operations.alerts import ALERT
from credence.operations.company_alerts import COMPANY_ALERTS
from credence.operations.inputs import members_of
from credence.operations.ledgers import LEDGER
from credence.operations.operation import Operation
from credence.operations.portfolios import PORTFOLIO
from credence.operations.table import OPERATIONS
from credence.sites.console.table import CONSOLE
from credence.sites.developers.site import DEVELOPERS

ACTS = {site.name: {act.name for screen in site.screens for act in screen.acts} for site in (CONSOLE, DEVELOPERS)}

IN_WORKBENCH = (PORTFOLIO, LEDGER, ALERT, COMPANY_ALERTS)

WITHOUT_FORM = {
    "app create": "It has forty options: a form for all of them is longer than the command.",
    "app set": "The same; the screen has those that are changed often.",
    "account set-password": "A password that an operator knows is for the machine alone; the console makes a link.",
    "account role": "A browser left open gives no role.",
    "account workbench": "The same.",
    "issuer set-secret": "The secret is typed where the store is.",
    "webhook make": "An application or its developer makes it; an operator who helps uses the command.",
    "webhook set": "The same.",
    "webhook delete": "The same; the console stops one.",
    "webhook verify": "The same.",
    "webhook keys": "The same: its secret is for the programs of its owner.",
    "webhook test": "The same.",
    "alert set": "People work on alerts in the workbench, for a customer.",
    "alert acknowledge": "The same.",
    "alert assign": "The same.",
    "alert snooze": "The same.",
    "outbox retry": "The console replays a webhook; an operator who repairs more uses the command.",
    "signal enable": "The console has no screen of streams.",
    "signal pause": "The same.",
    "signal disable": "The same.",
    "signal delete": "The same.",
    "portfolio make": "Applications make it, and people in the workbench; an operator who helps uses the command.",
    "portfolio set": "The same.",
    "portfolio delete": "The same.",
    "portfolio import": "The same.",
    "portfolio remove": "The same.",
    "ledger upload": "The same.",
    "ledger take": "The same.",
    "portfolio match": "The same.",
    "portfolio share": "It is done once for a customer, by who knows which applications have one owner.",
    "portfolio unshare": "The same.",
}

STORED_WITHOUT_OPERATION = {
    "sites/kit/session.py: open_session": "The session of a sign-in.",
    "sites/kit/session.py: end_session": "The same.",
    "sites/kit/sign_in.py: consume_once": "A sign-in at the service is used once.",
    "sites/workbench/recently_viewed.py: keep_answer": "What a person has viewed is a convenience, not an act.",
}
"""What faces store besides what operations do, and why."""

_WRITES = re.compile(
    r"(save|add|delete|change|exchange|keep|open_session|end|watch|unwatch|record|revoke|reseal|remove|consume|replay|revive)"
    r"(_\w+)?"
)


def test_an_audit_line_names_its_object_in_a_member_of_its_own() -> None:
    for each in OPERATIONS:
        taken = {"time", "previous", "event", "act", "operator", "through", "request_id", "changes"}
        assert (each.on.member or each.on.name) not in taken, each.name


def test_no_field_of_a_form_has_the_name_of_one_that_every_form_has() -> None:
    """The token against forged requests, the act, the word that confirms it, and what the page showed."""
    for each in OPERATIONS:
        if isinstance(each, Operation) and each.typed is not None:
            names = {member.name for member in members_of(each.typed) if member.input.in_form}
            assert not names & {"token", "act", "confirm", "seen"}, each.name


def test_a_face_stores_nothing_without_an_operation() -> None:
    """Calls of the store by sites, commands and tools of agents that are named like writes."""
    root = Path(credence.__file__).parent
    found = {
        f"{file.relative_to(root)}: {call.func.attr}"
        for face in ("sites", "cli", "mcp")
        for file in (root / face).rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and _WRITES.fullmatch(call.func.attr)
        and re.search(r"store(_of\(visit\))?$", ast.unparse(call.func.value))
    }
    assert found == set(STORED_WITHOUT_OPERATION)


def test_an_operation_that_the_management_api_lacks_says_why() -> None:
    """A part of what operators choose is changed by the route of the whole."""
    for each in OPERATIONS:
        if isinstance(each, Operation):
            assert (each.api is None) is bool(each.here_only), each.name


def test_an_operation_that_the_console_lacks_is_one_of_few() -> None:
    commands = [each for each in OPERATIONS if isinstance(each, Operation) and each.is_command]
    assert {each.name for each in commands if each.slug not in ACTS["console"]} == set(WITHOUT_FORM)


def test_a_command_that_follows_from_a_declaration_asks_for_what_the_operation_takes() -> None:
    """An operation whose body is no struct would get none from such a command."""
    for each in OPERATIONS:
        if isinstance(each, Operation) and each.is_command and not each.by_hand:
            _by, _found, takes, _change = get_type_hints(each.act).values()
            assert (each.typed is None) is (takes is type(None)), each.name


def test_developers_have_a_form_for_what_they_may_do() -> None:
    """People work with portfolios, ledgers and alerts in the workbench, for a customer."""
    for each in OPERATIONS:
        if each.is_command and each.access.owner and isinstance(each, Operation) and each.on not in IN_WORKBENCH:
            assert each.slug in ACTS["developers"], each.name
