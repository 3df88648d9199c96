"""The screen of the service's health: the readiness check, and the findings of `credence doctor` at the public address."""

from collections.abc import Mapping

from credence.blocks.forms import Form
from credence.blocks.text import ago
from credence.blocks.values import Block, Cell, Facts, Note, Table, Tone, moment, state_mark
from credence.doctor.finding import CheckOutcome
from credence.management.examination import examined
from credence.management.instants import milliseconds_of
from credence.management.service_schema import NodeState, ServiceHealth
from credence.operations import perform
from credence.operations.deployment import service_health
from credence.sites.kit.operation_forms import acting_on_site
from credence.sites.kit.screen import Act, ActResult, Page, Screen, Visit

PATH = "/console/health"


async def read(visit: Visit) -> Page:
    """Return the answer of `/readyz` with the state of each part."""
    found: ServiceHealth = await perform.read(service_health, acting_on_site(visit))
    settings, until, pool = visit.service.settings, found.certificate_until, found.connections
    facts = [
        ("Readiness", state_mark(found.status, good=found.status == "ready")),
        ("Credit data", state_mark(found.credit_data, good=found.credit_data == "current")),
        ("Audit trail", state_mark(found.audit_fault or "writable", good=found.audit_fault is None)),
        ("Lines of the trail lost since the start", Cell(str(found.audit_lines_lost))),
        ("Certificate until", _moment(until) if until else Cell("plain HTTP, or a proxy's")),
        ("Version", Cell(found.version)),
        ("Node", Cell(found.node)),
        ("Clock of the store ahead by", Cell(f"{found.clock_ahead_ms} ms")),
    ]
    if pool is not None:
        facts.append(("Connections used, idle, waiting", Cell(f"{pool.used}, {pool.idle}, {pool.waiting}")))
    if found.last_backup:
        facts.append(("Last backup", Cell(_ago(found.last_backup, visit))))
    blocks: list[Block] = [Facts("This node", facts)]
    if found.nodes is None:
        blocks.append(Note("The store is a file on this machine, so there is only one node.", "soft"))
    else:
        rows = [[Cell(each.node), Cell(_ago(each.seen_at, visit)), _state(each)] for each in found.nodes]
        blocks.append(Table("Processes of all nodes", ("Node", "Last noted", "State"), rows, "No process runs."))
    blocks.append(
        Form(
            "doctor",
            "Check the public address",
            "Check the public address",
            "This node calls the public address through the proxy, as any client would. It takes a few seconds.",
            f"credence doctor --url {settings.issuer}",
        )
    )
    return Page("Health", blocks, "credence health")


def _state(process: NodeState) -> Cell:
    return state_mark("runs" if process.runs else "silent", good=process.runs)


def _moment(instant: str) -> Cell:
    return moment(milliseconds_of(instant))


def _ago(instant: str, visit: Visit) -> str:
    return ago(milliseconds_of(instant), visit.request.now)


async def doctor(visit: Visit, _values: Mapping[str, str]) -> ActResult:
    """Check the public address of the service, and show the findings."""
    settings = visit.service.settings
    found = await examined(settings, visit.service.authority.store, visit.request.now)
    rows = [[Cell(each.check), Cell(each.outcome.value, tone=_TONES[each.outcome]), Cell(each.seen)] for each in found]
    blocks: list[Block] = [Table(settings.issuer, ("Check", "Outcome", "Seen"), rows, "")]
    helps = [[Cell(each.check), Cell(line, code=True)] for each in found for line in each.to_do]
    if helps:
        blocks.append(Table("What helps", ("Check", "Do this"), helps, ""))
    failures = sum(each.outcome is CheckOutcome.FAILURE for each in found)
    page = Page("Findings", blocks, f"credence doctor --url {settings.issuer}", above=("Health", PATH))
    return ActResult(f"{failures} of {len(found)} checks failed." if failures else "All checks passed.", page=page)


_TONES: Mapping[CheckOutcome, Tone] = {
    CheckOutcome.OK: "good",
    CheckOutcome.WARNING: "warn",
    CheckOutcome.FAILURE: "bad",
}

HEALTH = Screen(PATH, "Health", service_health.access.role, read, (Act("doctor", "operator", doctor),))
