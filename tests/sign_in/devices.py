"""A device without a browser (RFC 8628), as a client library drives it."""

from urllib.parse import urlencode

from credence.store.records import Application
from tests.deployment import TOKEN_PATH, Deployment, Header, Reply
from tests.sign_in.browsing import FORM, Browser, with_browser_application

ASK = "/oauth2/v1/device-authorization"
DEVICE = "/device"
GRANT = "urn:ietf:params:oauth:grant-type:device_code"

SECOND = 1_000


async def with_device_application(deployment: Deployment, **changes: object) -> Application:
    """Let the application of the deployment connect devices, and return it."""
    return await with_browser_application(
        deployment, **{"grants": ("refresh_token", GRANT), "redirect_uris": (), **changes}
    )


async def ask(deployment: Deployment, peer: str = "192.0.2.7", /, **more: str) -> Reply:
    """Ask for the two codes; the application proves itself by HTTP Basic."""
    body = urlencode({"scope": "openid profile credit:report", **more}).encode()
    return await deployment.send("POST", ASK, [FORM, deployment.basic], body, peer)


async def poll(deployment: Deployment, device_code: str, headers: list[Header] | None = None, /, **more: str) -> Reply:
    """Ask for the tokens once."""
    chosen = [deployment.basic] if headers is None else headers
    body = urlencode({"grant_type": GRANT, "device_code": device_code, **more}).encode()
    return await deployment.send("POST", TOKEN_PATH, [FORM, *chosen], body)


async def refusal_of(deployment: Deployment, device_code: str) -> str:
    """Ask once and return the error code of the refusal."""
    reply = await poll(deployment, device_code)
    assert reply.status == 400, reply
    code: str = reply.json["error"]
    return code


async def enter(browser: Browser, user_code: str) -> Reply:
    """Sign in if needed and send the code; return the page that asks, or the page with the fault."""
    page = await browser.get(DEVICE)
    if b'name="username"' in page.body:
        page = await browser.sign_in(page)
    return await browser.submit(page, user_code=user_code)


async def decide(browser: Browser, user_code: str, decision: str = "allow") -> Reply:
    """Send the code and decide."""
    return await browser.submit(await enter(browser, user_code), decision=decision)


async def connected(deployment: Deployment) -> Reply:
    """Connect a device and return the answer with its first tokens."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    await decide(Browser(deployment), codes["user_code"])
    return await poll(deployment, codes["device_code"])
