"""The screens that send each operation of the credit API with a token of the developer's application; sandbox only."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from credence import paths
from credence.api.reference.described import operation_of
from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Links, Note, Table
from credence.identity.applications import application_time
from credence.oauth.grants.client_credentials import CLIENT_CREDENTIALS
from credence.oauth.grants.grant import Login
from credence.oauth.issue import TokenOptions
from credence.oauth.parameters.scopes import of_application
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.settings import Environment
from credence.sites.developers.operations import field_name, fields_of, operations_of, request_of
from credence.sites.developers.own import NEW, own_applications
from credence.sites.developers.sending import send, shown
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.sites.reference.contents import described_at
from credence.store.records import Application
from credence.web.routing.route import Route

TRY: Final = paths.DEVELOPERS_TRY

_ELSEWHERE: Final = "You can only send requests from here in the sandbox."


async def read_list(visit: Visit) -> Page:
    """Return every operation with a link to its form."""
    if visit.service.settings.environment is not Environment.SANDBOX:
        return Page("Try it", [Note(_ELSEWHERE)], "")
    operations = operations_of(visit.rows, visit.service.settings)
    scopes = list(dict.fromkeys(row.scope or "" for row in operations.values()))
    by_scope = sorted(operations.items(), key=lambda each: scopes.index(each[1].scope or ""))
    summaries = Counter(operation_of(row).summary for row in operations.values())
    rows = [
        [
            Cell(_name_of(row, summaries), address_of(name)),
            Cell(f"{row.methods[0]} {row.path}", code=True),
            Cell("Reference", described_at(row)),
        ]
        for name, row in by_scope
    ]
    groups = [f"Scope {row.scope}" for _, row in by_scope]
    table = Table("Operations", ("Operation", "Request", "Read more"), rows, "", groups=groups)
    return Page(
        "Try it", [table], "", lead="Each request is sent with a new token for your application and appears in its log."
    )


def _name_of(row: Route, summaries: Counter[str]) -> str:
    """Return the summary of an operation, with the version if several have the same: "Company search (v2)"."""
    summary = operation_of(row).summary
    version = next((each for each in paths.RISK_VERSIONS if f"/{each}/" in row.path), "")
    return f"{summary} ({version})" if summaries[summary] > 1 and version else summary


def address_of(operation: str, values: Mapping[str, str] | None = None) -> str:
    """Return the path of the form of an operation, with these parameters filled in."""
    query = {field_name(name): value for name, value in (values or {}).items()}
    return f"{TRY}/{operation}" + (f"?{urlencode(query)}" if query else "")


def machines_of(own: Sequence[Application]) -> list[Application]:
    """Return the enabled applications that may use the client credentials grant."""
    return [each for each in own if CLIENT_CREDENTIALS.name in each.grants and not each.disabled]


def application_field(machines: Sequence[Application], chosen: str = "") -> Field:
    """Return the field that selects the application whose token is sent."""
    return Field("client_id", "Application", chosen, options=[(each.client_id, each.name) for each in machines])


async def read(visit: Visit) -> Page:
    """Return the form of one operation, filled with the values of the query."""
    return await _page(visit, _operation(visit), visit.request.parameters)


async def _page(visit: Visit, row: Route, typed: Mapping[str, str], *answers: Block) -> Page:
    title, above = operation_of(row).summary, ("Try it", TRY)
    if visit.service.settings.environment is not Environment.SANDBOX:
        return Page(title, [Note(_ELSEWHERE)], "", above=above)
    machines = machines_of(await own_applications(visit))
    links = Links("See also", [("Reference", described_at(row)), ("Log", f"{paths.DEVELOPERS}/log")])
    if not machines:
        text = "You need a machine-to-machine application to send this request."
        return Page(title, [Note(text), Links("First", [("Create an application", NEW)]), links], "", above=above)
    fields = [application_field(machines, typed.get("client_id", "")), *fields_of(row, typed)]
    text = "The request is sent with a new token for your application. The token is not displayed."
    form = Form("send", f"{row.methods[0]} {row.path}", "Send it", text, fields=fields, wide=True)
    return Page(title, [*answers, form, links], "", above=above)


async def send_it(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Send the request with a new token that has the scope of the operation."""
    service, row = visit.service, _operation(visit)
    if service.settings.environment is not Environment.SANDBOX:
        raise InvalidForm(_ELSEWHERE)
    own = {each.client_id: each for each in machines_of(await own_applications(visit))}
    chosen = own.get(values.get("client_id", ""))
    if chosen is None:
        raise InvalidForm("Choose one of your applications that is enabled.", "client_id")
    if row.scope not in of_application(chosen):
        raise InvalidForm(f"The application does not have the scope {row.scope}: the operator gives it.", "client_id")
    wanted = request_of(row, values)
    await visit.record("try", application=chosen.client_id)
    issued = await CLIENT_CREDENTIALS.issue(
        service.authority,
        chosen,
        Login(account=None),
        TokenOptions(scope=row.scope),
        application_time(chosen, visit.request.now),
    )
    headers = {**wanted.headers, "authorization": f"Bearer {issued.access_token}"}
    answered = await send(visit, wanted.method, wanted.target, headers, wanted.body)
    page = await _page(visit, row, values, shown(answered))
    return ActResult(f"{wanted.method} {wanted.target}: {answered.status}", page=page)


def _operation(visit: Visit) -> Route:
    row = operations_of(visit.rows, visit.service.settings).get(visit.request.segment)
    if row is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return row


OPERATIONS = Screen(TRY, "Try it", "developer", read_list)
OPERATION = Screen(
    f"{TRY}/{{operation}}", "Operation", "developer", read, (Act("send", "developer", send_it),), listed=False
)
