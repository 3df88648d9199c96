"""What is sent, made from a deployment and its running server; and what ours answers, for the bare server to repeat."""

import json
from pathlib import Path
from urllib.parse import urlencode

import httpx

from bench.deployment import Client, Deployment
from bench.load import Load
from bench.process import Server
from credence import paths

REPORTS = paths.report("v1") + "/"

FAMILIES = 256
"""Families under rotation, four for each connection; opened anew for each run, whose end cuts some answers off."""

TOKENS = 50
"""Access tokens that ask for reports in turn."""


def rotation(deployment: Deployment, client: Client, server: Server) -> Load:
    """Return the load that rotates fresh families: each refresh token once, each answer's token next."""
    families = deployment.tokens(server, client, FAMILIES)
    file = deployment.lines("refresh-tokens", [tokens["refresh_token"] for tokens in families])
    return Load(paths.TOKEN, client.headers, "refresh", [file])


def rotation_by_form(deployment: Deployment, client: Client, server: Server) -> Load:
    """Return the same in forms (RFC 6749 §6)."""
    families = deployment.tokens(server, client, FAMILIES)
    file = deployment.lines("refresh-tokens", [each["refresh_token"] for each in families])
    return Load(paths.TOKEN, client.of_a_form, "refresh_form", [file])


def login(deployment: Deployment, client: Client, server: Server, connections: int = 64) -> Load:
    """Return the load that asks for tokens with one user's password, which has been verified once."""
    deployment.tokens(server, client, 1)
    file = deployment.lines("login", [json.dumps(deployment.login)])
    return Load(paths.TOKEN, {**client.headers, "Content-Type": "application/json"}, "post", [file], connections)


def alone(deployment: Deployment, client: Client, _server: Server) -> Load:
    """Return the load with which an application asks for tokens for itself."""
    file = deployment.lines("client-credentials", [urlencode({"grant_type": "client_credentials"})])
    return Load(paths.TOKEN, client.of_a_form, "posts", [file])


def introspections(deployment: Deployment, client: Client, server: Server) -> Load:
    """Return the load with which an application asks about tokens of its own, in turn."""
    obtained = deployment.tokens(server, client, TOKENS)
    bodies = deployment.lines("introspections", [urlencode({"token": each["access_token"]}) for each in obtained])
    return Load(paths.INTROSPECTION, client.of_a_form, "posts", [bodies])


def agents(deployment: Deployment, client: Client, server: Server) -> Load:
    """Return the load with which an agent reads the summary of one company."""
    described = httpx.get(f"{server.address}{paths.PROTECTED_RESOURCE}{paths.MCP}", trust_env=False).json()
    form = {"grant_type": "client_credentials", "resource": described["resource"]}
    reply = httpx.post(server.address + paths.TOKEN, headers=client.of_a_form, data=form, trust_env=False)
    token = reply.raise_for_status().json()["access_token"]
    arguments = {"name": "company_summary", "arguments": {"number": deployment.company_number}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}
    fields = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2025-11-25",
    }
    return Load(paths.MCP, fields, "posts", [deployment.lines("agents", [json.dumps(message)])])


def agent_answer(deployment: Deployment, client: Client, server: Server) -> bytes:
    """Return the summary of one company."""
    load = agents(deployment, client, server)
    return _posted(server, load, Path(load.arguments[0]).read_text().strip())


def one_report(deployment: Deployment, client: Client, server: Server) -> Load:
    """Return the load that reads one company's report with one token."""
    token = deployment.tokens(server, client, 1)[0]["access_token"]
    return Load(REPORTS + deployment.company_number, {"Authorization": f"Bearer {token}"})


def many_reports(deployment: Deployment, client: Client, server: Server) -> Load:
    """Return the load that reads the reports of the whole register sample, in random order, with many tokens."""
    obtained = deployment.tokens(server, client, TOKENS)
    tokens = deployment.lines("access-tokens", [each["access_token"] for each in obtained])
    numbers = deployment.lines("company-numbers", deployment.company_numbers())
    return Load(REPORTS, script="reports", arguments=[tokens, numbers])


def document(path: str, _server: Server) -> Load:
    """Return the load that reads something public."""
    return Load(path)


def token_answer(deployment: Deployment, client: Client, server: Server) -> bytes:
    """Return a token response."""
    return json.dumps(deployment.tokens(server, client, 1)[0], separators=(",", ":")).encode()


def alone_answer(deployment: Deployment, client: Client, server: Server) -> bytes:
    """Return a token response in the standard dialect."""
    return _posted(server, alone(deployment, client, server), urlencode({"grant_type": "client_credentials"}))


def introspection_answer(deployment: Deployment, client: Client, server: Server) -> bytes:
    """Return what is told of a good access token."""
    token = deployment.tokens(server, client, 1)[0]["access_token"]
    return _posted(server, introspections(deployment, client, server), urlencode({"token": token}))


def report_answer(deployment: Deployment, client: Client, server: Server) -> bytes:
    """Return one company's report."""
    return _answer(server, one_report(deployment, client, server))


def document_answer(path: str, server: Server) -> bytes:
    """Return something public."""
    return _answer(server, Load(path))


def _posted(server: Server, load: Load, body: str) -> bytes:
    reply = httpx.post(server.address + load.path, headers=dict(load.headers), content=body, trust_env=False)
    return reply.raise_for_status().content


def _answer(server: Server, load: Load) -> bytes:
    reply = httpx.get(server.address + load.path, headers=dict(load.headers), trust_env=False)
    return reply.raise_for_status().content
