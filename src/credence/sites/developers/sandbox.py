"""The screen of the sandbox: its accounts, its companies, and every scenario with a button that sends it (D24)."""

import asyncio
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from credence import paths
from credence.api.public.scenarios import is_on_this_machine
from credence.blocks.values import Block, Cell, Facts, Note, Table
from credence.sites.developers.sending import send, shown
from credence.sites.developers.trying import address_of
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.web.messages.answer import Answer

SANDBOX_PATH: Final = f"{paths.DEVELOPERS}/sandbox"

MAX_WAIT_SECONDS = 2
MOST_NAMED = 3
"""The most scenarios of an account that are named."""

_TOKEN: Final = "<ACCESS_TOKEN>"  # noqa: S105 - the placeholder of scenarios

_REPORT: Final = f"{paths.report('v1')}/"


class _Sent(msgspec.Struct):
    method: str
    path: str
    headers: dict[str, str] = {}
    body: str = ""


class _Answered(msgspec.Struct):
    status: int
    error: str = msgspec.field(default="", name="errorType")


class _Scenario(msgspec.Struct):
    """A scenario as `GET /sandbox/scenarios` returns it."""

    name: str
    row: str
    send: _Sent
    answer: _Answered
    first: list[_Sent] = []
    wait_seconds: int = 0

    @property
    def company(self) -> str:
        """The number of the company whose report the scenario reads; empty if it reads none."""
        return self.send.path.removeprefix(_REPORT) if self.send.path.startswith(_REPORT) else ""

    @property
    def accounts(self) -> set[str]:
        """The login names in the scenario's requests."""
        return {found[1] for each in (*self.first, self.send) if (found := _USERNAME(each.body))}


class _Scenarios(msgspec.Struct):
    scenarios: list[_Scenario]


_USERNAME = re.compile(r'"username":"([a-z.-]+)"').search


async def read(visit: Visit) -> Page:
    """Return accounts, companies and scenarios of the sandbox."""
    return Page("Sandbox", _blocks(visit), "")


def _blocks(visit: Visit) -> list[Block]:
    found = _scenarios(visit)
    if found is None:
        return [Note("This is not a sandbox.")]
    companies = [
        (
            _in_words(each.name),
            Cell(each.company, address_of("company_report", {"company_number": each.company}), code=True),
        )
        for each in found
        if each.answer.status == 200 and each.company
    ]
    accounts = sorted(set().union(*(each.accounts for each in found)))
    people = [(name, _played_by(name, found)) for name in accounts]
    may_play = _may_play(visit)
    rows = [
        [
            Cell(each.name),
            Cell(each.row),
            Cell(f"{each.send.method} {each.send.path}"),
            Cell(f"{each.answer.status} {each.answer.error}".strip()),
            Cell("Try", act="play", hidden=(("name", each.name),), about=each.name) if may_play else Cell(""),
        ]
        for each in found
    ]
    table = Table("Scenarios", ("Scenario", "Rule", "Request", "Response", "Try it"), rows, "")
    notes: list[Block] = []
    if not may_play:
        notes.append(
            Note("Scenarios can only be run from this machine, unless CREDENCE_SANDBOX_SCENARIOS_TO is set to all.")
        )
    return [Facts("Companies", companies), Facts("Accounts and their scenarios", people), *notes, table]


def _in_words(name: str) -> str:
    """Return the name of a scenario in words: "Score band A"."""
    words = name.replace("-", " ").capitalize()
    return words[:-1] + words[-1].upper() if words[-2:-1] == " " else words


def _played_by(account: str, found: list[_Scenario]) -> Cell:
    names = [_in_words(each.name) for each in found if account in each.accounts]
    return Cell(", ".join(names) if len(names) <= MOST_NAMED else "all scenarios that name no other account")


def _scenarios(visit: Visit) -> list[_Scenario] | None:
    text = visit.service.scenarios() if visit.service.scenarios is not None else None
    return None if text is None else msgspec.json.decode(text, type=_Scenarios).scenarios


def _may_play(visit: Visit) -> bool:
    """Return whether this browser may use the credentials of the sandbox, by the rule of `GET /sandbox/scenarios`."""
    everybody = visit.service.settings.sandbox_scenarios_to == "all"
    return everybody or is_on_this_machine(visit.service, visit.request)


async def play(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Send the requests of a scenario in order, and show the last answer next to the expected one."""
    wanted = next((each for each in _scenarios(visit) or () if each.name == values.get("name")), None)
    if wanted is None or not _may_play(visit):
        raise InvalidForm("There is no scenario with this name.")
    token = ""
    for each in wanted.first:
        answered = await _sent(visit, each, token)
        token = _token_of(answered.body) or token
    if wanted.wait_seconds:
        await asyncio.sleep(min(wanted.wait_seconds, MAX_WAIT_SECONDS))
    answered = await _sent(visit, wanted.send, token)
    promised = wanted.answer.status
    text = f"{wanted.name}: {answered.status}" + ("" if answered.status == promised else f", expected {promised}")
    return ActResult(text, page=Page("Sandbox", [shown(answered), *_blocks(visit)], ""))


async def _sent(visit: Visit, sent: _Sent, token: str) -> Answer:
    headers = {name: value.replace(_TOKEN, token) for name, value in sent.headers.items()}
    return await send(visit, sent.method, sent.path, headers, sent.body.encode())


def _token_of(body: bytes) -> str:
    try:
        return str(msgspec.json.decode(body)["access_token"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return ""


SANDBOX = Screen(SANDBOX_PATH, "Sandbox", "developer", read, (Act("play", "developer", play),))
