"""The official Python client of the Model Context Protocol, unchanged: discovery, token, tools, over HTTPS and locally."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.strangers.provider import Provider

if TYPE_CHECKING:  # a second of imports, which only the process that runs these tests needs
    from mcp import Client

SPECIMEN = {"number": "99999999"}
REVISIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
"""The ways of the client to agree on a revision, and what it agrees on."""


class InMemory:
    """Where the client keeps its tokens."""

    def __init__(self) -> None:
        self.tokens: Any = None
        self.client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


@dataclass(frozen=True)
class Agent:
    """An agent that knows an address and its credentials, and finds everything else."""

    provider: Provider
    client_id: str
    secret: str

    @asynccontextmanager
    async def over_https(self, mode: str, storage: InMemory) -> AsyncIterator["Client"]:
        from mcp import Client
        from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
        from mcp.client.streamable_http import streamable_http_client

        issuer = self.provider.issuer
        address = f"{issuer}/mcp"
        authentication = ClientCredentialsOAuthProvider(address, storage, self.client_id, self.secret, issuer=issuer)
        async with (
            httpx2.AsyncClient(auth=authentication, verify=self.provider.trust, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http), mode=mode) as client,
        ):
            yield client


@pytest.fixture
def agent(provider: Provider) -> Agent:
    return Agent(provider, *provider.credentials("Agent", "--grant", "client_credentials"))


@pytest.mark.parametrize("mode", REVISIONS)
async def test_from_an_address_and_credentials_to_an_explained_score(agent: Agent, mode: str) -> None:
    storage = InMemory()
    async with agent.over_https(mode, storage) as client:
        assert client.protocol_version == REVISIONS[mode]
        listed = {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search_companies", {"name": "specimen trading"})
        explained = (await client.call_tool("explain_score", SPECIMEN)).structured_content
    assert {"search_companies", "company_summary", "company_report", "explain_score", "decide"} <= listed
    assert found.structured_content["Companies"][0]["RegNumber"] == SPECIMEN["number"]
    assert sum(line["Points"] for line in explained["Lines"]) == explained["Score"]
    assert storage.tokens.scope == "credit:report credit:search credit:directors"


async def test_every_answer_is_in_the_schema_that_the_tool_declares(agent: Agent) -> None:
    """The client checks each structured answer by the output schema and raises for another one."""
    calls: dict[str, dict[str, Any]] = {
        "search_companies": {"name": "limited"},
        "company_summary": SPECIMEN,
        "company_report": SPECIMEN | {"sections": ["Financials", "LegalNotices"]},
        "explain_score": SPECIMEN,
        "compare_companies": {"numbers": ["99999999", "99999901", "99999902"]},
        "director_search": {"surname": "smith"},
    }
    async with agent.over_https("auto", InMemory()) as client:
        await client.list_tools()
        for tool, arguments in calls.items():
            assert not (await client.call_tool(tool, arguments)).is_error, tool


async def test_an_agent_on_the_same_machine_needs_one_line(provider: Provider) -> None:
    folder = Path(provider.server.data_dir)
    from mcp import Client, StdioServerParameters

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "credence", "mcp", "--data-dir", str(folder)], cwd=str(folder)
    )
    async with Client(command) as client:
        summary = (await client.call_tool("company_summary", SPECIMEN)).structured_content
        card = await client.read_resource("credence://model-card")
        prompt = await client.get_prompt("assess_a_supplier", SPECIMEN)
    assert summary["Name"] == "TEST SPECIMEN TRADING LIMITED"
    assert card.contents[0].mime_type == "text/markdown"
    assert "company_summary" in str(prompt.messages[0].content)
