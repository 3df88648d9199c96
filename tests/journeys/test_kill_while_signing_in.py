"""`kill -9` in the middle of each step of a person leaves all of it or nothing, and the way on is open (threats F1)."""

import asyncio
import json
import os
import signal
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pyotp
import pytest

from credence.app import open_store
from credence.settings import Settings
from credence.store.contract import Store
from tests.conftest import StartServer
from tests.deployment import PASSWORD
from tests.nodes import shared
from tests.running import RunningServer
from tests.sign_in.authenticator import FACTORS, PASSKEY, Passkey, options_of
from tests.sign_in.browsing import CALLBACK, CHALLENGE, VERIFIER, form_of_text

pytestmark = pytest.mark.long

CHOSEN = "four unrelated words here"
MOMENTS = (0.3, 0.6, 0.8, 0.9, 1.0)
"""When the process is killed, as parts of the time that the step takes."""

UNTHROTTLED = dict.fromkeys(
    ("CREDENCE_SPIKE_PER_MINUTE", "CREDENCE_SPIKE_ACCOUNT_PER_MINUTE", "CREDENCE_SPIKE_ADDRESS_PER_MINUTE"), "0"
)
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass
class World:
    """A deployment whose process is killed and started again, with two applications."""

    start: Callable[[], RunningServer]
    settings: Settings
    server: RunningServer = field(init=False)
    web: dict[str, str] = field(init=False)
    television: str = field(init=False)
    browsers: list[httpx.Client] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server = self.start()
        code = ("--grant", "authorization_code", "--grant", "password", "--grant", "refresh_token")
        self.web = self._made("Ledger", *code, "--redirect-uri", CALLBACK)
        self.television = self._made("Television", "--authentication", "none", "--grant", DEVICE_GRANT)["client_id"]

    def _made(self, name: str, *options: str) -> dict[str, str]:
        made: dict[str, str] = json.loads(self.server.command("app", "create", name, *options, "--json").stdout)
        return made

    def account(self, name: str) -> None:
        done = self.server.command("account", "create", name, "--type", "user", "--password-stdin", stdin=PASSWORD)
        assert done.returncode == 0, done.stderr

    def browser(self, cookies: httpx.Cookies | None = None) -> httpx.Client:
        trusted = ssl.create_default_context(cafile=self.server.ca_file)
        base = self.server.base_url
        made = httpx.Client(base_url=base, verify=trusted, trust_env=False, cookies=cookies, timeout=120)
        self.browsers.append(made)
        return made

    def kill(self) -> None:
        """Kill the process; the connections of the browsers are of no more use."""
        os.killpg(self.server.process.pid, signal.SIGKILL)
        self.server.process.wait()

    def close(self) -> None:
        """Close the connections of every browser."""
        for each in self.browsers:
            each.close()

    def stored(self, read: Callable[[Store], Any]) -> Any:
        """Return what a look into the store finds while no process serves it."""

        async def look() -> Any:
            store = await open_store(self.settings)
            try:
                return await read(store)
            finally:
                await store.close()

        return asyncio.run(look())

    def redeem(self, browser: httpx.Client, code: str) -> httpx.Response:
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}
        secret = (self.web["client_id"], self.web["client_secret"])
        return browser.post("/oauth2/v1/token", data=fields, auth=secret)


class Person:
    """Somebody at a browser, one step before the step that is cut off."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        world.account(name)
        self.browser = world.browser()

    def signed_in(self) -> str:
        page = self.browser.get("/account").text
        return self.send(page, username=self.name, password=PASSWORD)

    def send(self, page: str, action: str | None = None, /, **typed: str) -> str:
        to, hidden = form_of_text(page, action)
        return self.browser.post(to, data={**hidden, **typed}, follow_redirects=True).text

    def back(self) -> None:
        """The same browser after the restart."""
        self.browser = self.world.browser(self.browser.cookies)


class Step:
    """One step: `ready` goes up to it, `act` takes it, `check` looks at what is stored and how it goes on."""

    def __init__(self, person: Person) -> None:
        self.person, self.world, self.name = person, person.world, person.name
        self.page = ""

    def ready(self) -> None:
        raise NotImplementedError

    def act(self) -> Any:
        raise NotImplementedError

    def found(self) -> bool:
        """Return whether the step was taken, by the rows alone; an assertion fails if half of it was."""
        raise NotImplementedError

    def goes_on(self, *, taken: bool) -> None:
        raise NotImplementedError


class SignsIn(Step):
    def ready(self) -> None:
        self.page = self.person.browser.get("/account").text

    def act(self) -> Any:
        return self.person.send(self.page, username=self.name, password=PASSWORD)

    def found(self) -> bool:
        sessions = self.world.stored(lambda store: store.sessions_of(self.name))
        assert len(sessions) in (0, 1)
        return bool(sessions)

    def goes_on(self, *, taken: bool) -> None:
        assert "Your account" in self.act(), taken


class SetsUpAnApp(Step):
    def ready(self) -> None:
        account = self.person.signed_in()
        self.page = self.person.send(account, FACTORS, act="set-up")
        self.key = self.page.partition("<small>Key</small><code>")[2].partition("</code>")[0].replace(" ", "")

    def act(self) -> Any:
        return self.person.send(self.page, act="confirm", code=pyotp.TOTP(self.key).now())

    def found(self) -> bool:
        factors = Counter(each.kind for each in self.world.stored(lambda store: store.factors_of(self.name)))
        assert factors in ({}, {"totp": 1, "recovery": 10})
        return bool(factors)

    def goes_on(self, *, taken: bool) -> None:
        """The password alone signs in as long as there is no app."""
        self.person.browser = self.world.browser()
        assert ("Enter your code" if taken else "Your account") in self.person.signed_in()


class Consents(Step):
    def ready(self) -> None:
        asked = {
            "response_type": "code",
            "client_id": self.world.web["client_id"],
            "redirect_uri": CALLBACK,
            "scope": "openid",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        }
        page = self.person.browser.get(f"/oauth2/v1/authorize?{urlencode(asked)}").text
        self.page = self.person.send(page, username=self.name, password=PASSWORD)

    def act(self) -> Any:
        to, hidden = form_of_text(self.page)
        return self.person.browser.post(to, data={**hidden, "decision": "allow"})

    def code(self) -> str:
        (code,) = parse_qs(urlsplit(self.act().headers["refresh"].removeprefix("0; url=")).query)["code"]
        return str(code)

    def found(self) -> bool:
        consents = self.world.stored(lambda store: store.consents_of(self.name))
        assert len(consents) in (0, 1)
        assert self.world.stored(lambda store: store.sign_ins_of(self.name)) == []
        return bool(consents)

    def goes_on(self, *, taken: bool) -> None:
        assert self.world.redeem(self.person.browser, self.code()).status_code == 200, taken


class Redeems(Consents):
    def ready(self) -> None:
        super().ready()
        self.granted = self.code()

    def act(self) -> Any:
        if not hasattr(self, "granted"):
            return super().act()
        return self.world.redeem(self.person.browser, self.granted)

    def found(self) -> bool:
        opened = self.world.stored(lambda store: store.sign_ins_of(self.name))
        assert len(opened) in (0, 1)
        families = self.world.stored(lambda store: asyncio.gather(*(store.family(each.family_id) for each in opened)))
        assert None not in families
        return bool(opened)

    def goes_on(self, *, taken: bool) -> None:
        """A second redemption is refused, and ends what the first one opened (RFC 6749 §4.1.2)."""
        assert self.act().status_code == (400 if taken else 200)


class AllowsADevice(Step):
    def ready(self) -> None:
        asked = {"client_id": self.world.television, "scope": "openid credit:report"}
        self.codes = self.person.browser.post("/oauth2/v1/device-authorization", data=asked).json()
        self.person.signed_in()
        page = self.person.browser.get("/device").text
        self.page = self.person.send(page, user_code=self.codes["user_code"])

    def act(self) -> Any:
        return self.person.send(self.page, decision="allow")

    def found(self) -> bool:
        return bool(self.world.stored(lambda store: store.consents_of(self.name)))

    def goes_on(self, *, taken: bool) -> None:
        """The device gets tokens only with the consent; else it waits, and the person decides again."""
        fields = {
            "grant_type": DEVICE_GRANT,
            "device_code": self.codes["device_code"],
            "client_id": self.world.television,
        }
        reply = self.person.browser.post("/oauth2/v1/token", data=fields)
        if reply.status_code == 200:
            assert taken
        else:
            assert reply.json()["error"] == "authorization_pending"
            assert "Device connected" in self.act()


class ChangesThePassword(Step):
    def ready(self) -> None:
        self.person.signed_in()
        self.page = self.person.browser.get("/account/change-password").text
        self.cookies = httpx.Cookies(self.person.browser.cookies)

    def act(self) -> Any:
        return self.person.send(self.page, current=PASSWORD, password=CHOSEN, again=CHOSEN)

    def found(self) -> bool:
        account = self.world.stored(lambda store: store.account(self.name))
        assert account.password_version in (1, 2)
        return bool(account.password_version == 2)

    def goes_on(self, *, taken: bool) -> None:
        """One of the two passwords counts; the session of the old one has ended with it."""
        secret = (self.world.web["client_id"], self.world.web["client_secret"])
        fields = {"grant_type": "password", "username": self.name}
        works = [
            self.person.browser.post("/oauth2/v1/token", data={**fields, "password": each}, auth=secret).status_code
            for each in (PASSWORD, CHOSEN)
        ]
        assert works == ([400, 200] if taken else [200, 400])
        with self.world.browser(self.cookies) as browser:
            assert ("Your account" in browser.get("/account").text) is not taken


class AddsAPasskey(Step):
    def ready(self) -> None:
        self.passkey = Passkey()
        self.page = self.person.send(self.person.signed_in(), FACTORS, act="add-passkey")
        # `options_of` reads nothing but the body of an answer.
        self.response = self.passkey.created(options_of(SimpleNamespace(body=self.page.encode())))  # type: ignore[arg-type]

    def act(self) -> Any:
        return self.person.send(self.page, response=self.response, name="Telephone")

    def found(self) -> bool:
        factors = self.world.stored(lambda store: store.factors_of(self.name))
        assert [each.kind for each in factors] in ([], ["passkey"])
        return bool(factors)

    def goes_on(self, *, taken: bool) -> None:
        """The passkey signs in if it is stored; otherwise nothing is left of it."""
        with self.world.browser() as browser:
            page = browser.get("/account").text
            to, hidden = form_of_text(page, PASSKEY)
            signed = self.passkey.signed(options_of(SimpleNamespace(body=page.encode())))  # type: ignore[arg-type]
            reply = browser.post(to, data={**hidden, "response": signed}, follow_redirects=True)
            assert ("Your account" in reply.text) is taken


STEPS = (SignsIn, SetsUpAnApp, Consents, Redeems, AllowsADevice, ChangesThePassword, AddsAPasskey)


@pytest.fixture(params=["sqlite", "postgresql"])
def world(request: pytest.FixtureRequest, start_server: StartServer, tmp_path: Path) -> Iterator[World]:
    store = request.getfixturevalue("postgres") if request.param == "postgresql" else ""
    variables = {"CREDENCE_BASE_URL": "https://localhost:8443", **UNTHROTTLED}
    if store:
        variables |= shared(store)
    data = tmp_path / "data"
    made = World(lambda: start_server(data_dir=data, **variables), Settings(data_dir=data, store=store))
    yield made
    made.close()


@pytest.mark.parametrize("kind", STEPS, ids=lambda kind: kind.__name__)
def test_a_killed_step_was_taken_or_not(world: World, kind: type[Step]) -> None:
    whole = kind(Person(world, "whole"))
    whole.ready()
    began = time.monotonic()
    whole.act()
    length = time.monotonic() - began
    for number, part in enumerate(MOMENTS):
        step = kind(Person(world, f"person-{number}"))
        step.ready()
        with ThreadPoolExecutor(1) as threads:
            answer = threads.submit(step.act)
            time.sleep(length * part)
            world.kill()
            answer.exception()
        taken = step.found()
        world.server = world.start()
        step.person.back()
        step.goes_on(taken=taken)
