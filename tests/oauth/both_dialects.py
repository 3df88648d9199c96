"""One request to the token or revocation endpoint, written in every dialect, and the answer and effects of each.

Each way to write a request has a deployment of its own, so that they do not influence each other.
"""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.sax.saxutils import escape

import msgspec

from credence.store.records import TokenFamily
from credence.store.transfer.tables import CHANGES, FAMILIES, TALLIES
from credence.telemetry.audit_files import REFUSALS, newest
from tests.deployment import REVOKE_PATH, TOKEN_PATH, Deployment, Header, Reply, claims, deployed
from tests.oauth.attempts import GRANT_OF, TOKENS, WORLDS, Attempt

LIMITS: dict[str, Any] = {
    "spike_per_minute": 600,
    "spike_account_per_minute": 60,
    "spike_account_burst": 5,
    "spike_address_per_minute": 600,
    "spike_address_burst": 20,
}
"""Low enough to be reached, high enough for what a test does before."""


@dataclass(frozen=True)
class Decision:
    """The outcome. Values that differ between deployments are left out or replaced by a name."""

    granted: bool
    said: Any
    """The refusal's row and message, or what the tokens say."""
    trail: list[dict[str, Any]]
    families: list[dict[str, Any]]
    revoked_tokens: int
    guesses: list[tuple[int, int]]
    arrivals: dict[str, list[int]]
    """Spike arrest: for each kind what its keys have counted."""
    still_opens: int
    """The status that the login's access token gets afterwards."""
    answered: tuple[int, str | None] = field(compare=False)
    """Status and `error`: what the dialects say in ways of their own (RFC 6749 §5.2, spec §7)."""


# Ways to write a request


def in_json(deployment: Deployment, attempt: Attempt, shown: str | None) -> tuple[list[Header], bytes]:
    body = json.dumps(_fields(attempt, shown)).encode()
    return [*_house(deployment, attempt), ("Content-Type", "application/json")], body


def in_xml(deployment: Deployment, attempt: Attempt, shown: str | None) -> tuple[list[Header], bytes]:
    elements = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in _fields(attempt, shown).items())
    headers = [*_house(deployment, attempt), ("Content-Type", "application/xml")]
    return headers, f"<TokenRequest>{elements}</TokenRequest>".encode()


def in_headers(deployment: Deployment, attempt: Attempt, shown: str | None) -> tuple[list[Header], bytes]:
    return [*_house(deployment, attempt), *_fields(attempt, shown).items()], b""


def in_form(deployment: Deployment, attempt: Attempt, shown: str | None) -> tuple[list[Header], bytes]:
    headers = [("Content-Type", "application/x-www-form-urlencoded")]
    client_id, secret = _credentials(deployment, attempt)
    fields = _fields(attempt, shown)
    if client_id is not None and secret is not None:
        headers.append(_basic(client_id, secret))
    elif client_id is not None:
        fields["client_id"] = client_id
    if attempt.also_named is not None:
        headers.append(("client_id", attempt.also_named))
    return headers, urlencode(fields).encode()


WriteRequest = Callable[[Deployment, Attempt, str | None], tuple[list[Header], bytes]]

HOUSE: dict[str, tuple[WriteRequest, ...]] = {
    "log in": (in_json, in_xml),
    "own": (in_json, in_xml),
    "refresh": (in_json, in_xml, in_headers),
    "revoke": (in_headers, in_json, in_xml),
}
"""Deed -> how the house dialect says it (D1, D11)."""


async def decisions(folder: Path, attempt: Attempt, *house: WriteRequest) -> dict[str, Decision]:
    """Return the decision for each way to write the request, by name: the standard one, and these or all house ways."""
    ways = [*(house or HOUSE[attempt.deed]), in_form]
    if attempt.grant_type != "own" and attempt.deed == "refresh" and in_headers in ways:
        ways.remove(in_headers)  # without a Content-Type only a refresh is a request (D1)
    return {way.__name__: await decided(folder / way.__name__, attempt, way) for way in ways}


async def decided(folder: Path, attempt: Attempt, way: WriteRequest) -> Decision:
    """Return the decision on the attempt, written this way, in a deployment of its own."""
    async with deployed(folder, **LIMITS) as deployment:
        await deployment.change_application(grants=tuple(GRANT_OF.values()))
        tokens = await deployment.tokens()
        shown = await TOKENS[attempt.token](deployment, tokens)
        for what in sorted(attempt.world):
            await WORLDS[what](deployment, attempt)
        headers, body = way(deployment, attempt, shown)
        path = REVOKE_PATH if attempt.deed == "revoke" else TOKEN_PATH
        deployment.service.audit.tick(deployment.now + 1_000)  # so that the refusal has a line of its own
        reply = await deployment.send("POST", path, [*headers, ("Accept", "application/json")], body)
        return await _decision(deployment, reply, tokens)


# How it is said and seen


def _credentials(deployment: Deployment, attempt: Attempt) -> tuple[str | None, str | None]:
    client_id = deployment.application.client_id if attempt.client_id == "own" else attempt.client_id
    return client_id, deployment.secret if attempt.secret == "own" else attempt.secret


def _house(deployment: Deployment, attempt: Attempt) -> list[Header]:
    """The credentials in headers; in Basic next to another name, because a header may occur only once."""
    client_id, secret = _credentials(deployment, attempt)
    if attempt.also_named is not None and client_id is not None and secret is not None:
        return [_basic(client_id, secret), ("client_id", attempt.also_named)]
    said = (("client_id", client_id), ("client_secret", secret), ("client_id", attempt.also_named))
    return [(name, value) for name, value in said if value is not None]


def _basic(client_id: str, secret: str) -> Header:
    return ("Authorization", "Basic " + base64.b64encode(f"{client_id}:{secret}".encode()).decode())


def _fields(attempt: Attempt, shown: str | None) -> dict[str, str]:
    """The parameters other than the client's credentials."""
    grant_type = GRANT_OF.get(attempt.deed) if attempt.grant_type == "own" else attempt.grant_type
    said: dict[str, str | None] = {"grant_type": grant_type}
    match attempt.deed:
        case "log in":
            said |= {"username": attempt.username, "password": attempt.password}
        case "refresh":
            said |= {"refresh_token": shown}
        case "revoke":
            said = {"token": shown}
    return {name: value for name, value in said.items() if value is not None}


async def _decision(deployment: Deployment, reply: Reply, tokens: dict[str, str]) -> Decision:
    trail = _trail(deployment, reply)
    families = [_family(deployment, TokenFamily(*row)) for row in deployment.memory.rows(FAMILIES)]
    arrivals = deployment.service.rate_limiter._local._arrivals
    return Decision(
        granted=reply.status == 200,
        said=_worth(deployment, reply.json) if reply.status == 200 else (trail[0]["refusal"], reply.said[1:]),
        trail=trail,
        families=sorted(families, key=repr),
        revoked_tokens=sum(kind == "token" for _, kind, *_ in deployment.memory.rows(CHANGES)),
        guesses=sorted((drains, trusted) for _, drains, trusted in deployment.memory.rows(TALLIES)),
        arrivals={kind: sorted(keys.values()) for kind, keys in arrivals.items()},
        still_opens=(await deployment.report(tokens["access_token"])).status,
        answered=(reply.status, reply.json.get("error")),
    )


def _trail(deployment: Deployment, reply: Reply) -> list[dict[str, Any]]:
    """The lines of this request in the audit trail, without members that differ by request or dialect."""
    deployment.service.audit.flush()
    file = newest(deployment.service.settings.audit_folder, REFUSALS)
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    own = [line for line in lines if line.get("request_id") == reply.headers["x-request-id"]]
    return [
        {name: _named(deployment, value) for name, value in line.items() if name not in ("request_id", "status")}
        for line in own
    ]


def _family(deployment: Deployment, family: Any) -> dict[str, Any]:
    told = msgspec.structs.asdict(family)
    return {name: _named(deployment, value) for name, value in told.items() if name != "id"}


def _named(deployment: Deployment, value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith("crd_sbx_app_"):
        return value
    return "own" if value == deployment.application.client_id else "another"


def _worth(deployment: Deployment, answer: dict[str, Any]) -> Any:
    """The tokens of an answer without their ids; a revocation has none."""
    if "access_token" not in answer:
        return answer
    told = claims(answer["access_token"]).items()
    said = {name: _named(deployment, value) for name, value in told if name not in ("jti", "sid")}
    return said, answer["token_type"], int(answer["expires_in"]), "refresh_token" in answer
