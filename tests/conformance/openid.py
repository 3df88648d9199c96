"""A client as the modules of the Basic OP plan use it: no PKCE, a secret, state and nonce, and a person's browser."""

from dataclasses import dataclass, field
from typing import Any

from joserfc import jwt
from joserfc.jwk import KeySet

from credence.store.records import Application
from tests.deployment import Deployment, Reply
from tests.oauth.standard import ask
from tests.sign_in.browsing import CALLBACK, Browser, answer_of, form_of, request_of, with_browser_application

ISSUER = "https://localhost:8443"
USER_INFO = "/oauth2/v1/userinfo"
GRANTS = ("authorization_code", "refresh_token")
STANDARD = {
    **dict.fromkeys(("sub", "name", "given_name", "family_name", "preferred_username", "email"), str),
    "updated_at": int,
    "email_verified": bool,
}
"""Type of each claim that the service has (Core §5.1)."""


@dataclass
class Relying:
    """The relying party of a module. `mode` is the response mode: `query`, or `form_post` for the Form Post plan."""

    deployment: Deployment
    application: Application
    mode: str
    browser: Browser = field(init=False)

    def __post_init__(self) -> None:
        self.browser = Browser(self.deployment)

    def request(self, **more: str | None) -> str:
        parameters: dict[str, str | None] = {"code_challenge": None, "code_challenge_method": None, "scope": "openid"}
        if self.mode == "form_post":
            parameters["response_mode"] = self.mode
        return request_of(self.application, **parameters | more)

    async def through_pages(self, page: Reply) -> Reply:
        """Sign in and allow, as often as the service asks for it."""
        while b'name="username"' in page.body or b'name="decision"' in page.body:
            if b'name="username"' in page.body:
                page = await self.browser.sign_in(page)
            else:
                page = await self.browser.submit(page, decision="allow")
        return page

    async def authorize(self, **more: str | None) -> dict[str, str]:
        """Return the parameters of the answer to a request."""
        return self.answered(await self.through_pages(await self.browser.get(self.request(**more))))

    def answered(self, reply: Reply, *, by_default_mode: bool = False) -> dict[str, str]:
        """Return the parameters of an answer, however it is sent; each has the issuer (RFC 9207), and an error no code.

        The fault of a request object is sent by the default mode: nothing outside it counts (RFC 9101 §6.3).
        """
        if self.mode == "form_post" and not by_default_mode:
            action, answer = form_of(reply)
            assert action == CALLBACK
        else:
            answer = answer_of(reply)
        assert answer["iss"] == ISSUER
        assert answer.keys() <= {
            "iss",
            "state",
            *(("error", "error_description", "error_uri") if "error" in answer else ("code",)),
        }
        assert not set(answer.get("error_description", "")) & set("\r\n\t")
        return answer

    async def redeem(self, answer: dict[str, str], **more: str) -> Reply:
        fields = {"grant_type": "authorization_code", "code": answer["code"], "redirect_uri": CALLBACK, **more}
        return await ask(self.deployment, fields)

    async def tokens(self, **more: str | None) -> dict[str, Any]:
        """Return the tokens of a whole flow, checked as the suite does."""
        answer = await self.authorize(**more)
        assert answer["state"] == more.get("state", "xyz")
        reply = await self.redeem(answer)
        assert reply.status == 200, reply
        assert "no-store" in reply.headers["cache-control"]
        tokens: dict[str, Any] = reply.json
        assert tokens["token_type"] == "Bearer"
        assert tokens["expires_in"] > 0
        return tokens

    async def claims(self, id_token: str) -> dict[str, Any]:
        """Return the claims of an ID token by joserfc, from the keys that the service publishes."""
        keys = KeySet.import_key_set((await self.deployment.send("GET", "/oauth2/v1/keys")).json)
        verified = jwt.decode(id_token, keys, algorithms=["RS256"])
        assert verified.header["kid"]
        said: dict[str, Any] = verified.claims
        assert said["iss"] == ISSUER
        assert said["aud"] == self.application.client_id
        assert 0 < len(said["sub"]) <= 255
        assert said["sub"].isascii()
        assert said["iat"] <= self.deployment.now // 1000 < said["exp"]
        return said

    async def flow(self, **more: str | None) -> dict[str, Any]:
        """Return the claims of the ID token of a whole flow."""
        return await self.claims((await self.tokens(**more))["id_token"])

    async def user_info(self, access_token: str, method: str = "GET", body: bytes = b"") -> dict[str, Any]:
        headers = [("Authorization", f"Bearer {access_token}")] if not body else []
        if body:
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        reply = await self.deployment.send(method, USER_INFO, headers, body)
        assert reply.status == 200, reply
        assert reply.headers["content-type"] == "application/json"
        found: dict[str, Any] = reply.json
        for name, value in found.items():  # `ValidateUserInfoStandardClaims`, and no name beyond (Core §5.1)
            assert type(value) is STANDARD[name]
            assert value != ""
        return found


async def relying(deployment: Deployment, mode: str = "query", **changes: object) -> Relying:
    """Return a client that may leave out PKCE and nonce, as the suite's static clients are registered here."""
    application = await with_browser_application(deployment, **{"grants": GRANTS, "pkce": "off", **changes})
    return Relying(deployment, application, mode)
