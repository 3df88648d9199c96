"""An application with the profile `fapi2` that signs people in: it pushes, proves a key, and redeems."""

from typing import Any
from urllib.parse import urlencode

from credence.store.records import Application
from tests.conformance.fapi2 import Fapi2Client, fapi2_client
from tests.deployment import TOKEN_PATH, Deployment, Header, Reply
from tests.oauth import assertions
from tests.oauth.standard import FORM, ask
from tests.sign_in.browsing import CALLBACK, VERIFIER, Browser, answer_of
from tests.sign_in.pushing import PAR, by_reference, parameters_of

PREFIX = "urn:ietf:params:oauth:request_uri:crd_sbx_par_"
GRANTS = ("authorization_code", "refresh_token", "client_credentials")


class CodeClient:
    """Sends what a module changes, and for the rest good requests."""

    def __init__(self, client: Fapi2Client, application: Application) -> None:
        self.deployment = client.deployment
        self.client = client
        self.application = application
        self.browser = Browser(self.deployment)

    def assertion(self, **changes: Any) -> dict[str, str]:
        """A client assertion of this instant, as fields of a form."""
        now = self.deployment.now // 1000
        made = self.client.assertions.assertion(**{"iat": now, "exp": now + 60, **changes})
        return {"client_assertion_type": assertions.TYPE, "client_assertion": made}

    def proof(self, path: str, **changes: Any) -> Header:
        return ("DPoP", self.client.prover.proof("POST", path, **changes))

    async def push(self, proof: bool = False, assertion: dict[str, str] | None = None, **changes: str | None) -> Reply:
        """Push a request; a change of None leaves a parameter out."""
        fields = parameters_of(self.application, **changes)
        return await self.push_fields(fields, proof=proof, assertion=assertion)

    async def push_fields(
        self, fields: dict[str, str], *, proof: bool = False, assertion: dict[str, str] | None = None
    ) -> Reply:
        headers = [FORM, *([self.proof(PAR)] if proof else [])]
        form = fields | (self.assertion() if assertion is None else assertion)
        return self._noted(await self.deployment.send("POST", PAR, headers, urlencode(form).encode()))

    async def pushed(self, **changes: Any) -> str:
        """Return what the browser is sent with after a push."""
        reply = await self.push(**changes)
        assert reply.status == 201, reply
        assert 5 <= reply.json["expires_in"] < 600  # FAPI 2.0 §5.3.2.2
        assert len(reply.json["request_uri"].removeprefix(PREFIX)) * 6 >= 128  # RFC 9126 §7.1
        return by_reference(self.application, reply.json["request_uri"])

    async def through_pages(self, target: str) -> dict[str, str]:
        """Sign in and allow, as often as the service asks for it, and return the answer."""
        page = await self.browser.get(target)
        while b'name="username"' in page.body or b'name="decision"' in page.body:
            if b'name="username"' in page.body:
                page = await self.browser.sign_in(page)
            else:
                page = await self.browser.submit(page, decision="allow")
        return answer_of(page)

    async def code(self, **changes: Any) -> str:
        answer = await self.through_pages(await self.pushed(**changes))
        assert answer["iss"] == "https://localhost:8443"  # RequireIssInAuthorizationResponse
        return answer["code"]

    async def redeem(
        self, code: str, *, bound: bool = True, assertion: dict[str, str] | None = None, **changes: str | None
    ) -> Reply:
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER,
            **(self.assertion() if assertion is None else assertion),
            **changes,
        }
        headers = [self.proof(TOKEN_PATH)] if bound else []
        form = {name: value for name, value in fields.items() if value is not None}
        return self._noted(await ask(self.deployment, form, headers))

    async def refresh(self, refresh_token: str) -> Reply:
        fields = {"grant_type": "refresh_token", "refresh_token": refresh_token, **self.assertion()}
        return self._noted(await ask(self.deployment, fields, [self.proof(TOKEN_PATH)]))

    def _noted(self, reply: Reply) -> Reply:
        prover = self.client.prover
        prover.nonce = reply.headers.get("dpop-nonce", prover.nonce)
        return reply


async def code_client(deployment: Deployment, algorithm: str = "ES256", **changes: Any) -> CodeClient:
    """Give the deployment's application the profile and the code flow."""
    client = await fapi2_client(deployment, algorithm)
    await deployment.change_application(**{"grants": GRANTS, "redirect_uris": (CALLBACK,), **changes})
    return CodeClient(client, deployment.application)


async def flow(party: CodeClient, **changes: Any) -> dict[str, Any]:
    """Return the tokens of a whole flow."""
    reply = await party.redeem(await party.code(**changes))
    assert reply.status == 200, reply
    tokens: dict[str, Any] = reply.json
    return tokens
