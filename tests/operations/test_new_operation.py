"""The recipe of docs/architecture.md: one declaration, and every face has the operation (D41)."""

import json
import re
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
import typer
from msgspec import Meta, Struct
from typer.testing import CliRunner

from credence.api.reference import openapi
from credence.api.resources.operations import route_of
from credence.cli.operation_commands import add_to
from credence.meanings import Input, meaning
from credence.operations.acting import Acting
from credence.operations.applications import APPLICATION, OPERATOR
from credence.operations.operation import Change, Operation, operation
from credence.sites.console.applications import APPLICATION as SCREEN
from credence.sites.console.table import CONSOLE
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.routing import routes_of
from credence.sites.kit.screen import Page, Visit
from credence.store.records import Application
from credence.web import route_lookup
from credence.web.route_lookup import RouteTable
from credence.web.routes_for_management import MANAGEMENT
from tests.cli.deployment import Deployment
from tests.console.conftest import Console, console, text_of
from tests.management.conftest import Managed, managed
from tests.operations.test_audit_changes import lines

__all__ = ["console", "managed"]

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"


@pytest.fixture
def rename() -> Operation:
    """The operation that the page declares."""
    (block,) = re.findall(r"```python\n(.*?)```", ARCHITECTURE.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {
        "__name__": __name__,
        "Acting": Acting,
        "Annotated": Annotated,
        "APPLICATION": APPLICATION,
        "Application": Application,
        "Change": Change,
        "Input": Input,
        "meaning": meaning,
        "Meta": Meta,
        "OPERATOR": OPERATOR,
        "operation": operation,
        "replace": msgspec.structs.replace,
        "Struct": Struct,
    }
    exec(compile(textwrap.dedent(block), str(ARCHITECTURE), "exec"), names)  # noqa: S102 - a page of ours
    declared = names["rename"]
    assert isinstance(declared, Operation)
    return declared


@pytest.fixture
def served(rename: Operation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operation in the table of operations, and in the acts of the screen of an application."""

    async def read(visit: Visit) -> Page:
        page = await SCREEN.read(visit)
        assert isinstance(page, Page)
        return replace(page, blocks=[*page.blocks, form_of(rename, visit.request.segment)])

    screen = replace(SCREEN, read=read, acts=(*SCREEN.acts, *acts_of(SCREEN.path, rename)))
    site = replace(CONSOLE, screens=tuple(screen if each is SCREEN else each for each in CONSOLE.screens))
    every = (*MANAGEMENT, route_of(rename), *routes_of(site, ()))
    monkeypatch.setattr(route_lookup, "_find_management", RouteTable(every).find)
    monkeypatch.setattr(route_lookup, "EVERY_ROUTE", every)


def test_it_is_a_command_that_writes_a_line(rename: Operation, tmp_path: Path) -> None:
    deployment = Deployment(tmp_path / "data")
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    group = typer.Typer()
    add_to(group, rename)
    group.command("other")(lambda: None)
    shown = CliRunner().invoke(
        group, ["rename", client_id, "Store", "--preview", "--data-dir", str(deployment.data_dir)]
    )
    assert "This is a preview; nothing has changed yet. The result would be: Shop is Store now." in shown.stdout
    assert deployment.json("app", "show", client_id)["name"] == "Shop"
    done = CliRunner().invoke(group, ["rename", client_id, "Store", "--json", "--data-dir", str(deployment.data_dir)])
    assert (done.exit_code, json.loads(done.stdout)["name"]) == (0, "Store"), done
    line = lines(deployment.data_dir / "audit")[-1]
    assert (line["act"], line["application"]) == ("app rename", client_id)
    assert line["changes"] == {"name": {"before": "Shop", "after": "Store"}}
    assert deployment.json("app", "show", client_id)["name"] == "Store"


@pytest.mark.usefixtures("served")
async def test_it_is_a_described_route_with_scope_preview_and_limits(rename: Operation, managed: Managed) -> None:
    path = f"/applications/{managed.main.application.client_id}"
    assert (await managed.call("POST", f"{path}/name", {"name": ""})).status == 422
    assert (await managed.call("POST", f"{path}/name?preview=true", {"name": "Store"})).json["name"] == "Store"
    assert (await managed.call("GET", path)).json["name"] == "Ledger"
    reader = await managed.token_for("manage:read")
    assert (await managed.call("POST", f"{path}/name", {"name": "Store"}, token=reader)).status == 403
    assert (await managed.call("POST", f"{path}/name", {"name": "Store"})).json["name"] == "Store"
    document = openapi.document((*MANAGEMENT, route_of(rename)), managed.main.service.settings)
    described = document["paths"]["/manage/v1/applications/{client_id}/name"]["post"]
    assert described["operationId"] == "rename"
    assert described["description"].startswith("Give an application another name for people.")
    assert "NewName" in document["components"]["schemas"]


@pytest.mark.usefixtures("served")
async def test_it_is_a_form_with_its_fields_for_the_role_that_it_needs(console: Console) -> None:
    operator, support = await console.operator("operator"), await console.operator("support")
    path = f"/console/applications/{console.main.application.client_id}"
    assert "Rename it" not in text_of(await support.browser.get(path))
    assert (await support.do(path, "app-rename", name="Store")).status == 403
    page = await operator.browser.get(path)
    assert f"credence app rename {console.main.application.client_id} NAME" in text_of(page)
    beside = await operator.do(path, "app-rename", name="")
    assert (beside.status, 'href="#app-rename-name"' in beside.body.decode()) == (422, True)
    assert "Ledger is Store now." in text_of(await operator.do(path, "app-rename", name="Store"))
    kept = await console.main.store.application(console.main.application.client_id)
    assert kept is not None
    assert kept.name == "Store"
