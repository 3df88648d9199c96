"""A login is valid everywhere or nowhere, to the millisecond (D14, threats L5, L6).

The API, introspection of both tokens, the refresh grant, the status lists and the browser session answer alike. A login is
valid if it was opened after the last change of its account and of its application: what counts is the order of the two, even
within one millisecond.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from credence.crypto.passwords import hash_password
from credence.identity import accounts, applications
from credence.store.records import Account
from tests.deployment import Deployment, claims, deployed
from tests.oauth.exchanging import exchanged, service
from tests.oauth.test_introspection import about
from tests.oauth.verifier_elsewhere import LIFE, is_invalid
from tests.sign_in.browsing import (
    ACCOUNT,
    CHANGE_PASSWORD,
    Browser,
    answer_of,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.factors import ASKS, code_of, enrolled
from tests.sweeps import sweep

PASSWORDS = ("correct horse battery", "four unrelated words here")
HASHES = tuple(hash_password("testing", password) for password in PASSWORDS)
SCOPE = "openid offline_access credit:report"


@dataclass
class Login:
    """What a client or a browser has of one login."""

    valid: bool | None = True
    """Whether nothing has ended it since; None if either answer is right, but the same everywhere."""
    session: Browser | None = None
    access: str = ""
    refresh: str = ""
    exchanged: str = ""


@dataclass
class History:
    """A person who signs in, a client that gets tokens, and changes of the account and of the application."""

    deployment: Deployment
    gateway: Deployment
    browser: Browser
    password: int = 0
    logins: list[Login] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    async def sign_in(self) -> None:
        """Sign in with a browser that has no session."""
        self.browser = Browser(self.deployment)
        page = await self.browser.sign_in(await self.browser.get(ACCOUNT), password=PASSWORDS[self.password])
        assert b"Your account" in page.body
        self._session_opened()

    async def authorize(self) -> None:
        """Let the client get tokens by a code, after a sign-in if the browser has no session."""
        request = request_of(self.deployment.application, scope=SCOPE)
        page = await self.browser.get(request)
        if b'name="username"' in page.body:
            self.browser = Browser(self.deployment)
            page = await self.browser.sign_in(await self.browser.get(request), password=PASSWORDS[self.password])
            self._session_opened()
        if not {"location", "refresh"} & page.headers.keys():
            page = await self.browser.submit(page, decision="allow")
        await self._got((await redeem(self.deployment, answer_of(page)["code"])).json)

    async def log_in(self) -> None:
        """Let the client get tokens by the password grant."""
        await self._got((await self.deployment.login(password=PASSWORDS[self.password])).json)

    async def refresh(self) -> None:
        """Refresh the newest tokens."""
        newest = next((login for login in reversed(self.logins) if login.refresh), None)
        if newest is not None:
            reply = await self.deployment.refresh(newest.refresh)
            assert (reply.status == 200) is newest.valid, self.steps
            if newest.valid:
                newest.access, newest.refresh = reply.json["access_token"], reply.json["refresh_token"]

    async def change_password(self) -> None:
        """Change the password on the account page. This browser stays signed in, with a new session."""
        form = await self.browser.get(CHANGE_PASSWORD)
        if b"Current password" not in form.body:
            return
        current, self.password = PASSWORDS[self.password], 1 - self.password
        chosen = PASSWORDS[self.password]
        done = await self.browser.submit(form, current=current, password=chosen, again=chosen)
        assert b"Your password has been changed" in done.body
        self._account_changed()
        self._session_opened()

    async def set_password(self) -> None:
        """Let the operator set another password."""
        self.password = 1 - self.password
        await self._change_account(
            lambda kept: accounts.with_password(kept, HASHES[self.password], self.deployment.now)
        )

    async def suspend_for_a_moment(self) -> None:
        await self._change_account(lambda kept: accounts.with_status(kept, "suspended", self.deployment.now))
        await self._change_account(lambda kept: accounts.with_status(kept, "active", self.deployment.now))

    async def disable_for_a_moment(self) -> None:
        """Let the operator disable the application and enable it.

        A login that a change of the account dated ahead of this second may outlive that: who opened it could log in again.
        """
        store, now = self.deployment.store, self.deployment.now
        for disabled in (True, False):
            kept = await store.application(self.deployment.application.client_id)
            assert kept is not None
            await store.save_application(applications.with_disabled(kept, now, disabled=disabled), now)
        for login in self.logins:
            if login.valid and login.session is None:
                login.valid = None if claims(login.access)["iat"] * 1000 > now else False

    async def compare(self) -> None:
        """Ask everywhere about every login."""
        for login in self.logins:
            found = await self._answers(login)
            assert set(found.values()) == {found["API"] if login.valid is None else login.valid}, (found, self.steps)
            login.valid = found["API"]

    async def close(self) -> None:
        """Ask everywhere when the status lists of the last change are out, and refresh at last."""
        self.deployment.now += LIFE
        self.gateway.now = self.deployment.now
        await self.compare()
        for login in self.logins:
            if login.session is None:
                for token in (login.access, login.exchanged):
                    assert await is_invalid(self.deployment, token) is not login.valid, self.steps
                assert ((await self.deployment.refresh(login.refresh)).status == 200) is login.valid, self.steps

    def _session_opened(self) -> None:
        self.logins.append(Login(session=Browser(self.deployment, dict(self.browser.cookies))))

    async def _got(self, tokens: dict[str, str]) -> None:
        exchange = await exchanged(self.gateway, tokens["access_token"])
        self.logins.append(Login(True, None, tokens["access_token"], tokens["refresh_token"], exchange))

    async def _change_account(self, change: Callable[[Account], Account]) -> None:
        kept = await self.deployment.store.account("ada")
        assert kept is not None
        await self.deployment.store.save_account(change(kept), self.deployment.now)
        self._account_changed()

    def _account_changed(self) -> None:
        for login in self.logins:
            login.valid = False

    async def _answers(self, login: Login) -> dict[str, bool]:
        if login.session is not None:
            return {"API": b"Your account" in (await login.session.get(ACCOUNT)).body}
        return {
            "API": (await self.deployment.report(login.access)).status == 200,
            "introspection": (await about(self.deployment, login.access))["active"],
            "introspection of the refresh token": (await about(self.deployment, login.refresh))["active"],
            "introspection of the exchanged token": (await about(self.gateway, login.exchanged))["active"],
        }


Step = Callable[[History], Awaitable[None]]

STEPS: list[Step] = [
    History.sign_in,
    History.authorize,
    History.log_in,
    History.refresh,
    History.change_password,
    History.set_password,
    History.suspend_for_a_moment,
    History.disable_for_a_moment,
]
PAUSES = st.sampled_from([0, 1, 100, 499, 500, 999, 1000])
histories = st.lists(st.tuples(PAUSES, st.sampled_from(STEPS)), min_size=2, max_size=8)


@sweep(40, long=1_000)
@given(passed=histories)
@example(passed=[(100, History.change_password), (0, History.authorize)])
@example(passed=[(100, History.set_password), (200, History.authorize)])
@example(passed=[(0, History.disable_for_a_moment), (0, History.authorize), (0, History.change_password)])
@example(passed=[(0, History.disable_for_a_moment), (0, History.log_in), (0, History.set_password)])
def test_a_login_is_valid_everywhere_or_nowhere(
    tmp_path_factory: pytest.TempPathFactory, passed: list[tuple[int, Step]]
) -> None:
    async def run() -> None:
        async with deployed(tmp_path_factory.mktemp("history"), status_list=True) as deployment:
            await with_browser_application(deployment)
            history = History(deployment, await service(deployment), Browser(deployment))
            await history.sign_in()
            await history.log_in()
            for milliseconds, step in passed:
                deployment.now += milliseconds
                history.gateway.now = deployment.now
                history.steps.append(f"{milliseconds} ms later: {step.__name__}")
                await step(history)
                await history.compare()
            await history.close()

    asyncio.run(run())


async def test_a_code_is_accepted_in_the_second_of_a_change_that_came_before_the_password(
    deployment: Deployment,
) -> None:
    """The password was checked after the change, so the proof of it is one of after the change."""
    app, _ = await enrolled(Browser(deployment))
    deployment.now += 30_000
    await deployment.set_status("suspended")
    await deployment.set_status("active")
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(ACCOUNT))
    assert ASKS in page.body
    assert b"Your account" in (await browser.submit(page, code=code_of(app, deployment))).body
