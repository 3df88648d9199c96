"""The screen of the service's health: the readiness check, and the findings of `credence doctor` at the public address."""

from collections.abc import Mapping

import msgspec

import credence
from credence.api.public.health import ready
from credence.blocks.forms import Form
from credence.blocks.text import ago
from credence.blocks.values import Block, Cell, Facts, Note, Table, Tone, moment, state_mark
from credence.clock import Milliseconds
from credence.doctor.finding import CheckOutcome
from credence.management.examination import examined
from credence.sites.kit.screen import Act, ActResult, Page, Screen, Visit
from credence.store.nodes import SILENT_AFTER_MS

PATH = "/console/health"


async def read(visit: Visit) -> Page:
    """Return the answer of `/readyz` with the state of each part."""
    service, now = visit.service, visit.request.now
    answer = await ready(service, visit.request)
    body = msgspec.json.decode(answer.body)
    pool = service.authority.store.pool_use
    until = service.certificate_until
    settings = service.settings
    facts = [
        ("Readiness", state_mark(str(body["status"]), good=answer.status == 200)),
        ("Credit data", state_mark(str(body.get("credit_data", "current")), good="credit_data" not in body)),
        ("Audit trail", state_mark(service.audit.fault or "writable", good=service.audit.fault is None)),
        ("Lines of the trail lost since the start", Cell(str(service.audit.lost))),
        ("Certificate until", moment(until) if until else Cell("plain HTTP, or a proxy's")),
        ("Version", Cell(credence.__version__)),
        ("Node", Cell(settings.node)),
        ("Clock of the store ahead by", Cell(f"{service.authority.store.clock_offset()} ms")),
    ]
    if pool is not None:
        facts.append(("Connections used, idle, waiting", Cell(f"{pool.used}, {pool.idle}, {pool.waiting}")))
    backup = settings.backup_time_file
    if backup.exists():
        facts.append(("Last backup", Cell(ago(int(backup.stat().st_mtime * 1000), now))))
    blocks: list[Block] = [Facts("This node", facts)]
    nodes = service.authority.store.nodes
    if nodes is None:
        blocks.append(Note("The store is a file of this machine: there is one node.", "soft"))
    else:
        rows = [
            [Cell(each.node), Cell(ago(each.seen_at, now)), _heard(now - each.seen_at)] for each in await nodes.noted()
        ]
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
    return Page("Health", blocks, f"credence doctor --url {settings.issuer}")


def _heard(silent_ms: Milliseconds) -> Cell:
    return state_mark("runs" if silent_ms <= SILENT_AFTER_MS else "silent", good=silent_ms <= SILENT_AFTER_MS)


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

HEALTH = Screen(PATH, "Health", "reader", read, (Act("doctor", "operator", doctor),))
