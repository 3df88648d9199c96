"""A browser without a screen: it keeps cookies, reads our forms, and sends them, to a deployment in this process."""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import msgspec

from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.store.records import Application
from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Header, Reply

AUTHORIZE = "/oauth2/v1/authorize"
SIGN_IN = "/oauth2/v1/sign-in"
CONSENT = "/oauth2/v1/consent"
SIGN_OUT = "/oauth2/v1/sign-out"
ACCOUNT = "/account"
CHANGE_PASSWORD = "/account/change-password"
MAIL_ADDRESS = "/account/mail-address"
DEVICE = "/device"

CALLBACK = "https://app.example.com/callback"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
"""The verifier of RFC 7636 appendix B."""
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
"""Its challenge there."""

FORM = ("Content-Type", "application/x-www-form-urlencoded")


def challenge_of(verifier: str) -> str:
    return base64url.encode(sha256(verifier.encode()))


@dataclass
class Browser:
    """One browser with its cookies.

    It follows the redirect from a form to one of our own pages, and no other, so that a test sees each.
    """

    deployment: Deployment
    cookies: dict[str, str] = field(default_factory=dict)
    agent: str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    peer: str = "192.0.2.7"

    async def get(self, target: str) -> Reply:
        return self._keep(await self.deployment.send("GET", target, self._headers(), peer=self.peer))

    async def post(self, target: str, fields: Iterable[tuple[str, str]], *more: Header, follow: bool = True) -> Reply:
        """Send a form, and follow a redirect to the same page or to one of the person's own pages."""
        body = urlencode(list(fields)).encode()
        reply = self._keep(await self.deployment.send("POST", target, [*self._headers(), FORM, *more], body, self.peer))
        to = reply.headers.get("location", "")
        own = (ACCOUNT, CHANGE_PASSWORD, MAIL_ADDRESS, DEVICE, urlsplit(target).path)
        return await self.get(to) if follow and urlsplit(to).path in own else reply

    async def submit(self, page: Reply, **typed: str) -> Reply:
        """Send the page's form, with its hidden fields and what a person entered or pressed."""
        action, hidden = form_of(page)
        return await self.post(action, {**hidden, **typed}.items())

    async def sign_in(self, page: Reply, username: str = "ada", password: str = PASSWORD) -> Reply:
        return await self.submit(page, username=username, password=password)

    async def come(self, path: str, username: str) -> Reply:
        """Follow the way from a screen through the sign-in back to it, and return the screen."""
        page = await self.get(path)
        for _ in range(8):
            if page.status == 303 or "refresh" in page.headers:
                parts = urlsplit(address_of(page))
                page = await self.get(f"{parts.path}?{parts.query}" if parts.query else parts.path)
            elif b'name="username"' in page.body:
                page = await self.sign_in(page, username)
            else:
                return page
        raise AssertionError(page)

    def _headers(self) -> list[Header]:
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return [("User-Agent", self.agent), *([("Cookie", pairs)] if pairs else [])]

    def _keep(self, reply: Reply) -> Reply:
        for line in reply.cookies:
            name, _, rest = line.partition("=")
            value = rest.partition(";")[0]
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        return reply


async def landed(deployment: Deployment, cookies: str, reply: Reply) -> Reply:
    """Return the page to which a form has led, with what the answer keeps for it; the answer itself if it is a page."""
    if reply.status != 303:
        return reply
    kept = [line.partition(";")[0] for line in reply.cookies]
    assert all("-kept=" in each for each in kept), kept
    return await deployment.send("GET", reply.headers["location"], [("Cookie", "; ".join([cookies, *kept]))])


def form_of(page: Reply, action: str | None = None) -> tuple[str, dict[str, str]]:
    """Return the address and the hidden fields of the page's form, the first one or that with an action."""
    return form_of_text(page.body.decode(), action)


def form_of_text(text: str, action: str | None = None) -> tuple[str, dict[str, str]]:
    """The same of a page's text."""
    for found, inside in re.findall(r'<form method="post" action="([^"]+)"[^>]*>(.*?)</form>', text, re.DOTALL):
        if action is None or html.unescape(found) == action:
            hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', inside)
            return html.unescape(found), {name: html.unescape(value) for name, value in hidden}
    raise AssertionError(text)


def request_of(application: Application, **more: str | None) -> str:
    """Return an authorization request; a value of None leaves a parameter out."""
    parameters = {
        "response_type": "code",
        "client_id": application.client_id,
        "redirect_uri": CALLBACK,
        "scope": "openid profile credit:report",
        "state": "xyz",
        "nonce": "n-0S6_WzA2Mj",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **more,
    }
    return f"{AUTHORIZE}?{urlencode({name: value for name, value in parameters.items() if value is not None})}"


def address_of(reply: Reply) -> str:
    """Return where an answer leads: by redirect, or by the page that goes on by itself."""
    if "location" in reply.headers:
        return reply.headers["location"]
    return reply.headers["refresh"].removeprefix("0; url=")


def answer_of(reply: Reply) -> dict[str, str]:
    """Return the parameters of an answer at the redirect URI."""
    return dict(parse_qsl(urlsplit(address_of(reply)).query, strict_parsing=True))


async def with_browser_application(deployment: Deployment, **changes: object) -> Application:
    """Let the application of the deployment send people here, and return it."""
    changed = msgspec.structs.replace(
        deployment.application,
        **{
            "grants": ("password", "refresh_token", "authorization_code"),
            "redirect_uris": (CALLBACK,),
            "version": deployment.application.version + 1,
            **changes,
        },
    )
    await deployment.store.save_application(changed, deployment.now)
    deployment.application = changed
    return changed


async def authorized(browser: Browser, application: Application, **more: str | None) -> Reply:
    """Sign in and allow the request; return the last page."""
    page = await browser.sign_in(await browser.get(request_of(application, **more)))
    return page if "refresh" in page.headers else await browser.submit(page, decision="allow")


async def redeem(deployment: Deployment, code: str, /, **more: str | None) -> Reply:
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER,
        **more,
    }
    body = urlencode({name: value for name, value in fields.items() if value is not None}).encode()
    return await deployment.send("POST", TOKEN_PATH, [deployment.basic, FORM], body)


def parameters(url: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(url).query)
