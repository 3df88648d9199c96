"""The console over two nodes on one PostgreSQL: what is of the deployment, and what is of a node (`docs/console.md`)."""

import csv
import io
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest

from credence.background.node_notes import NodeNotes
from credence.background.sharing import refusal_sharing
from credence.management.protected import OwnerNeeded, Protected, require_changeable
from credence.management.site_applications import CONSOLE, register_site
from credence.service import Service
from credence.settings import Settings
from credence.sites.console.table import SCREENS
from credence.store.nodes import NodeProcess
from tests.console.conftest import Console, console_of, text_of
from tests.deployment import NOW, REPORT_PATH, Reply, deploy, served


@pytest.fixture
async def alpha_and_beta(migrated_postgres: str, tmp_path: Path) -> AsyncIterator[tuple[Console, Console]]:
    """Two nodes with their consoles, each with a data folder of its own, and so a log and an audit trail."""
    async with AsyncExitStack() as running:
        first = await deploy(tmp_path / "alpha", store=migrated_postgres, manage_port=8444, node_name="alpha")
        await running.enter_async_context(served(first.asgi))
        other = first.another_node(data_dir=tmp_path / "beta", node_name="beta")
        second = await running.enter_async_context(other)
        await register_site(first.store, first.service.settings, CONSOLE, NOW)
        consoles = [await running.enter_async_context(console_of(node)) for node in (first, second)]
        yield consoles[0], consoles[1]


async def note(*services: Service) -> None:
    """Note that these processes run, as each does every two seconds."""
    for service in services:
        assert service.authority.store.nodes is not None
        await NodeNotes(service, service.authority.store.nodes).note()


def trail_of(export: Reply) -> list[tuple[str, str]]:
    """Act and operator of each line that the audit trail of a node exports."""
    rows = list(csv.DictReader(io.StringIO(export.body.decode())))
    return [(row["act"], row["operator"]) for row in rows]


async def share_refusals(service: Service) -> None:
    """Write the refusals of a process to the store, as it does every second."""
    queue, refusals = service.audit.shared, service.authority.store.refusals
    assert queue is not None
    assert refusals is not None
    await refusal_sharing(service, queue, refusals)()


async def test_each_node_keeps_its_own_address_of_the_console_until_an_owner_takes_it_away(
    alpha_and_beta: tuple[Console, Console],
) -> None:
    services = [each.main.service for each in alpha_and_beta]
    store = services[0].authority.store
    settings = services[0].settings
    hosts = ("alpha", "beta", "alpha")
    each_node = [
        Settings(**settings.model_dump() | {"manage_url": f"https://{host}.manage.example:8444"}) for host in hosts
    ]
    for node in each_node:
        await register_site(store, node, CONSOLE, NOW)
    found = await store.application(CONSOLE.client_id(settings))
    assert found is not None
    alpha, beta = (f"https://{host}.manage.example:8444/console/signed-in" for host in hosts[:2])
    assert found.redirect_uris[-2:] == (alpha, beta)
    without_beta = msgspec.structs.replace(found, redirect_uris=(alpha,))
    require_changeable(found, without_beta, each_node[0], by_owner=True)
    with pytest.raises(OwnerNeeded):
        require_changeable(found, without_beta, each_node[0], by_owner=False)
    foreign = msgspec.structs.replace(
        found, redirect_uris=(*found.redirect_uris, "https://x.example/console/signed-in")
    )
    with pytest.raises(Protected):
        require_changeable(found, foreign, each_node[0], by_owner=True)


async def test_a_process_that_was_killed_is_forgotten_when_its_node_runs_again(
    alpha_and_beta: tuple[Console, Console],
) -> None:
    """After 30 s of silence if another process of its node runs, after 10 min if none does (docs/keys.md)."""
    alpha, beta = (each.main for each in alpha_and_beta)
    nodes = alpha.service.authority.store.nodes
    assert nodes is not None
    killed = NodeProcess(b"k" * 16, "alpha", NOW, ("key",))
    await nodes.note(killed)
    await NodeNotes(beta.service, nodes).note()
    again = NodeNotes(alpha.service, nodes)
    for after_seconds, expected in ((29, ["alpha", "alpha", "beta"]), (62, ["alpha", "beta"]), (602, ["alpha"])):
        alpha.now = NOW + after_seconds * 1_000
        await again.note()
        assert [each.node for each in await nodes.noted()] == expected
        assert killed.id not in {each.id for each in await nodes.noted()} or after_seconds == 29

    alpha.now += 600_000  # a gap, as when the database was away
    await nodes.note(NodeProcess(b"l" * 16, "beta", NOW, ()))
    await NodeNotes(alpha.service, nodes).note()
    assert "beta" in {each.node for each in await nodes.noted()}


async def test_session_and_state_are_of_the_deployment_and_log_and_audit_trail_of_a_node(
    alpha_and_beta: tuple[Console, Console],
) -> None:
    alpha, beta = alpha_and_beta
    at_alpha = await alpha.operator("operator")
    at_beta = Console(beta.main, beta.apart, dict(at_alpha.cookies))
    for screen in SCREENS:
        if screen.listed:
            page = await at_beta.browser.get(screen.path)
            assert (page.status, "of-operator" in text_of(page)) == (200, True), screen.path

    await note(alpha.main.service, beta.main.service)
    for each in (at_alpha, at_beta):
        page = await each.browser.get("/console/health")
        shown = " ".join(text_of(page).split())
        assert re.findall(r"(alpha|beta) \d+ s ago runs", shown) == ["alpha", "beta"]

    token = (await alpha.main.tokens())["access_token"]
    assert (await alpha.main.report(token)).status == (await beta.main.report(token)).status == 200
    path = f"/console/applications/{alpha.main.application.client_id}"
    assert (await at_alpha.do(path, "app-disable")).status == 200
    assert "Nothing was changed" in text_of(await at_beta.do(path, "app-disable"))
    await beta.main.service.authority.revocation_cache.sync()
    assert (await beta.main.report(token)).status == 401
    exported = "/console/audit.csv?q=app+set"
    assert trail_of(await at_alpha.browser.get(exported)) == [("app set", "of-operator")]
    assert trail_of(await at_beta.browser.get(exported)) == []

    refused = await alpha.main.report(token)
    alpha.main.write_request_log()
    await share_refusals(alpha.main.service)
    request_id = refused.headers["x-request-id"]
    for each in (at_alpha, at_beta):
        listed = await each.browser.get("/console/log?q=node:alpha+status:401")
        assert f"/console/log/{request_id}" in listed.body.decode()
        assert "token.application_disabled" in text_of(await each.browser.get(f"/console/log/{request_id}"))
    answered = f"/console/log?q=node:alpha+status:200+path:{REPORT_PATH}*"
    assert "No request matches." not in text_of(await at_alpha.browser.get(answered))
    assert "No request matches." in text_of(await at_beta.browser.get(answered))

    form = re.search(r'name="token" value="([^"]+)"', page.body.decode())
    assert form is not None
    assert (await at_alpha.browser.post("/console/sign-out", [("token", form[1])])).status == 200
    assert (await at_beta.browser.get("/console")).status == 303
