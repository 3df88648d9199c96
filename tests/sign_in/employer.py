"""An employer's OpenID provider on this machine, which a test makes honest or not; joserfc signs and verifies for it."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from joserfc import jwt
from joserfc.jwk import ECKey

from credence.store.trusted_issuers import ISSUERS, TrustedIssuer
from tests.deployment import NOW, Deployment, OpenDeployment, Reply
from tests.outgoing.receivers import Receiver, Request, authority, receiver, server_tls
from tests.sign_in.browsing import Browser, address_of

KEY = ECKey.generate_key("P-256", parameters={"kid": "employer-1", "use": "sig", "alg": "ES256"})
STRANGER = ECKey.generate_key("P-256", parameters={"kid": "employer-1", "use": "sig", "alg": "ES256"})
CLIENT_ID = "credence"
COME_BACK = "/oauth2/v1/from-issuer/"
JANE = {"sub": "jane-1", "email": "jane@employer.example", "email_verified": True}


@dataclass
class Employer:
    """What the provider answers, which a test changes."""

    receiver: Receiver
    deployment: Deployment
    claims: dict[str, Any] = field(default_factory=lambda: dict(JANE))
    """The claims about the person at its browser."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """Members of its metadata that differ."""
    id_token: dict[str, Any] = field(default_factory=dict)
    """Claims of its ID tokens that differ; None leaves one out."""
    key: ECKey = field(default_factory=lambda: KEY)
    other_keys: list[ECKey] = field(default_factory=list)
    """Keys that it publishes before its own."""
    pushed: dict[str, dict[str, str]] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refresh_tokens: set[str] = field(default_factory=set)
    refreshes: int = 0
    refusal: tuple[int, str] | None = None
    """Status and error of its token endpoint, if it refuses every request."""
    refreshed: dict[str, Any] = field(default_factory=dict)
    """Members of its answers to a refresh token."""
    path: str = ""
    """What its issuer has after the host."""
    others: list["Employer"] = field(default_factory=list)
    """Other providers at the same host."""

    @property
    def issuer(self) -> str:
        return self.receiver.url(self.path, host="localhost")

    def another(self, path: str) -> "Employer":
        """Another provider."""
        self.others.append(Employer(self.receiver, self.deployment, path=path))
        return self.others[-1]

    @property
    def paths(self) -> list[str]:
        """What was requested of it, in order."""
        return [each.head.split()[1] for each in self.receiver.requests]

    def described(self) -> dict[str, Any]:
        found = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "pushed_authorization_request_endpoint": f"{self.issuer}/par",
            "end_session_endpoint": f"{self.issuer}/logout",
            "jwks_uri": f"{self.issuer}/keys",
            "authorization_response_iss_parameter_supported": True,
            **self.metadata,
        }
        return {name: value for name, value in found.items() if value is not None}

    def authorize(self, url: str, **more: str | None) -> str:
        """Sign the person in there, and return path and query to which the browser goes back."""
        asked = dict(parse_qsl(urlsplit(url).query, strict_parsing=True))
        request = self.pushed.pop(asked["request_uri"]) if "request_uri" in asked else asked
        assert asked["client_id"] == request["client_id"] == CLIENT_ID
        assert (request["response_type"], request["code_challenge_method"]) == ("code", "S256")
        assert request["redirect_uri"].startswith(f"{self.deployment.service.settings.issuer}{COME_BACK}")
        code = f"code-{len(self.codes)}"
        self.codes[code] = request
        said = {"code": code, "state": request["state"], "iss": self.issuer, **more}
        query = urlencode({name: value for name, value in said.items() if value is not None})
        return f"{urlsplit(request['redirect_uri']).path}?{query}"

    def token(self, fields: dict[str, str]) -> tuple[int, dict[str, Any]]:
        now = self.deployment.now // 1000
        if self.refusal is not None:
            return self.refusal[0], {"error": self.refusal[1]}
        if fields["grant_type"] == "refresh_token":
            self.refreshes += 1
            if fields["refresh_token"] not in self.refresh_tokens:
                return 400, {"error": "invalid_grant"}
            return 200, {"access_token": "a", "token_type": "Bearer", **self.refreshed}
        request = self.codes.pop(fields["code"])
        digest = sha256(fields["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == request["code_challenge"]
        assert fields["redirect_uri"] == request["redirect_uri"]
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "auth_time": now,
            "nonce": request["nonce"],
            "sid": "employer-session",
            **self.claims,
            **self.id_token,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        refresh = f"refresh-{len(self.refresh_tokens)}"
        self.refresh_tokens.add(refresh)
        header = {"alg": "ES256", "kid": "employer-1", "typ": "JWT"}
        return 200, {"id_token": jwt.encode(header, claims, self.key), "access_token": "a", "refresh_token": refresh}

    def signed(self, typ: str, claims: dict[str, Any]) -> str:
        """A token of another type that it sends."""
        return jwt.encode({"alg": "ES256", "kid": "employer-1", "typ": typ}, claims, self.key)

    def answer(self, request: Request) -> tuple[int, Any]:
        path, fields = request.head.split()[1], dict(parse_qsl(request.body.decode()))
        for each in self.others:
            if path.startswith(each.path):
                return each.answer(request)
        match path.removeprefix(self.path):
            case "/.well-known/openid-configuration":
                return 200, self.described()
            case "/keys":
                return 200, {"keys": [each.as_dict(private=False) for each in (*self.other_keys, KEY)]}
            case "/par":
                self.require_client(fields)
                reference = f"urn:example:{len(self.pushed)}"
                self.pushed[reference] = fields
                return 201, {"request_uri": reference, "expires_in": 60}
            case "/token":
                self.require_client(fields)
                return self.token(fields)
        return 404, {}

    def require_client(self, fields: dict[str, str]) -> None:
        """The service authenticates with a key that it publishes (RFC 7523 §2.2)."""
        ring = self.deployment.service.authority.ring
        kid = json.loads(base64.urlsafe_b64decode(fields["client_assertion"].split(".")[0] + "=="))["kid"]
        key = ECKey.import_key(dict(ring.verifying[kid].jwk))
        claims = jwt.decode(fields["client_assertion"], key, algorithms=["ES256"]).claims
        assert claims["iss"] == claims["sub"] == CLIENT_ID
        assert claims["aud"] == self.issuer


@asynccontextmanager
async def employing(
    folder: Path, open_deployment: OpenDeployment, store: str = "", **changes: Any
) -> AsyncIterator[tuple[Employer, Deployment]]:
    """An employer's provider, and a deployment that trusts it with these changes."""
    server_tls(folder)
    found: list[Employer] = []

    async def answering(request: Request, writer: asyncio.StreamWriter) -> None:
        status, members = found[0].answer(request)
        body = json.dumps(members).encode()
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()

    async with receiver(folder, answering) as listening:
        deployment = await open_deployment(
            folder,
            calls_out=True,
            store=store,
            outgoing_networks="127.0.0.0/8,::1/128",
            outgoing_ports=str(listening.port),
            outgoing_authorities=authority(folder),
        )
        employer = Employer(listening, deployment)
        found.append(employer)
        await trust(deployment, employer.issuer, **changes)
        yield employer, deployment


async def trust(deployment: Deployment, issuer: str, identity: str = "employer", **changes: Any) -> TrustedIssuer:
    """Have the deployment trust an issuer with sign-ins of the people of employer.example."""
    made = TrustedIssuer(
        identity,
        issuer,
        "Employer Ltd",
        NOW,
        uses=("sign_in",),
        client_id=CLIENT_ID,
        mail_domains=("employer.example",),
    )
    made = msgspec.structs.replace(made, **changes)
    await deployment.store.save(ISSUERS, made, NOW)
    await deployment.service.authority.follow(NOW)
    return made


async def leave(browser: Browser, page: Reply, identity: str = "employer", **typed: str) -> str:
    """Press the button of the issuer on a sign-in page, and return where it leads."""
    return address_of(await browser.submit(page, **(typed or {"act": f"issuer:{identity}"})))


async def sign_in_there(employer: Employer, browser: Browser, page: Reply, **more: str | None) -> Reply:
    """Sign in at the provider from a sign-in page, and return the page on which the browser arrives."""
    identity = employer.path.removeprefix("/") or "employer"
    return await browser.get(employer.authorize(await leave(browser, page, identity), **more))
