"""Health: whether the service works, part by part."""

import msgspec

import credence
from credence.web.endpoints.health import ready
from credence.web.screens.blocks import Block, Cell, Facts, Note, Page, ago, moment, state_mark
from credence.web.screens.screen import Screen, Visit


async def read(visit: Visit) -> Page:
    """Return what `/readyz` answers, with what it is made of."""
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
    blocks.append(
        Note("The doctor examines the service from outside, through its proxy. Run it where callers are.", "soft")
    )
    return Page("Health", blocks, f"credence doctor {settings.issuer}")


HEALTH = Screen("/console/health", "Health", "reader", read)
