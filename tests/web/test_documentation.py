"""The documentation as Markdown, and its list for language models (llmstxt.org)."""

import re

import pytest

from tests.architecture.imports import ROOT
from tests.deployment import Deployment

PAGES = sorted(page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md"))


async def test_every_page_of_the_repository_is_served_as_it_is(deployment: Deployment) -> None:
    for page in PAGES:
        reply = await deployment.send("GET", f"/docs/{page}")
        assert (reply.status, reply.headers["content-type"]) == (200, "text/markdown; charset=utf-8"), page
        assert reply.body == (ROOT / "docs" / page).read_bytes(), page


async def test_the_list_has_every_page_and_only_addresses_that_are_served(deployment: Deployment) -> None:
    reply = await deployment.send("GET", "/llms.txt")
    assert (reply.status, reply.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    text = reply.body.decode()
    assert text.startswith("# Credence\n\n> ")
    issuer = deployment.service.settings.issuer
    listed = re.findall(rf"^- \[[^\]]+\]\({re.escape(issuer)}/docs/([^)]+)\): .+", text, re.MULTILINE)
    assert sorted(listed) == PAGES


@pytest.mark.parametrize(
    "path", ["/docs/none.md", "/docs/agents", "/docs/adr/none.md", "/docs/..%2fREADME.md", "/docs/adr%2fagents.md"]
)
async def test_another_name_is_404(deployment: Deployment, path: str) -> None:
    assert (await deployment.send("GET", path)).status == 404
