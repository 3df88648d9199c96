"""Many concurrent logins, callers that disconnect, and other requests meanwhile (threats A7, §8)."""

import asyncio
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from credence.crypto.passwords import PasswordHashing, hash_password, needs_rehash
from credence.identity import accounts, hashing_queue, password_check
from credence.identity.hashing_queue import MAX_WAITING
from credence.paths import KEYS
from credence.store.tallies import Tally
from credence.store.transfer.tables import TALLIES
from tests.deployment import NOW, PASSWORD, Deployment, OpenDeployment, ada
from tests.identity.attacks import ELSEWHERE, WRONG_PASSWORD, present
from tests.sign_in.browsing import ACCOUNT, Browser, request_of, with_browser_application
from tests.sign_in.factors import COOKIE

CORES = password_check._cores()
VERIFY = PasswordHashing.verify
SPIKE_ARREST = (401, "Unauthorized", "Access to the requested resource is not allowed.")


class Held:
    """Holds every hash that begins until it is let go, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = 0
        self._gate = threading.Event()
        self._all_busy = threading.Event()

        def held(hashing: PasswordHashing, password_hash: str, password: str) -> bool:
            self.begun += 1
            if self.begun >= CORES:
                self._all_busy.set()
            self._gate.wait(30)
            return VERIFY(hashing, password_hash, password)

        monkeypatch.setattr(PasswordHashing, "verify", held)
        monkeypatch.setattr(hashing_queue, "MAX_WAIT_SECONDS", 60)  # a busy machine is not what is tested

    async def all_busy(self) -> None:
        """Return when every thread hashes."""
        assert await asyncio.to_thread(self._all_busy.wait, 30)

    @contextmanager
    def until(self) -> Iterator[None]:
        """Release the threads at the end: a blocked thread would delay the end of the test."""
        try:
            yield
        finally:
            self._gate.set()

    def let_go(self) -> None:
        self._gate.set()


async def test_a_thousand_logins_at_once_are_bounded_and_the_rest_is_a_spike(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats A7: cores plus queue are served; the others get Retry-After and cost no hash."""
    held = Held(monkeypatch)

    deployment = await open_deployment(password_cache_seconds=0)
    with held.until():
        logins = [asyncio.create_task(present(deployment)) for _ in range(1_000)]
        await held.all_busy()
        for answered in itertools.islice(asyncio.as_completed(logins), 1_000 - CORES - MAX_WAITING):
            await answered
        held.let_go()
        replies = await asyncio.gather(*logins)
    refused = [reply for reply in replies if reply.status != 200]
    assert len(refused) == 1_000 - CORES - MAX_WAITING
    assert {reply.said for reply in refused} == {SPIKE_ARREST}
    assert {reply.headers["retry-after"] for reply in refused} == {"2"}
    assert held.begun == CORES + MAX_WAITING


async def test_pages_of_eighty_clients_take_no_turn_of_a_back_end(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats A7: client_ids are free, and people on the pages of 80 of them are one group among the applications."""
    held = Held(monkeypatch)
    deployment = await open_deployment(password_cache_seconds=0)
    application = await with_browser_application(deployment)
    pages = []
    for number in range(80):
        free = replace(application, client_id=f"crd_sbx_app_free{number}", authentication="none", secrets=(), version=1)
        await deployment.store.save_application(free, NOW)
        browser = Browser(deployment, peer=f"203.0.113.{number}")
        pages.append((browser, await browser.get(request_of(free))))
    with held.until():
        guesses = [asyncio.create_task(browser.sign_in(page, "nobody", "wrong")) for browser, page in pages]
        await held.all_busy()
        logins = [asyncio.create_task(present(deployment, peer=ELSEWHERE)) for _ in range(24)]
        await asyncio.wait(guesses, return_when=asyncio.FIRST_COMPLETED)  # those whom the queue refuses
        held.let_go()
        assert [reply.status for reply in await asyncio.gather(*logins)] == [200] * 24
        await asyncio.gather(*guesses)
    assert deployment.service.counts.refusals["password.queue_full"] == 80 - CORES - MAX_WAITING


async def test_one_account_at_many_addresses_takes_no_turn_of_other_accounts(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats A5: its owner has signed in at each of them, so all are trusted origins, in one line."""
    deployment = await open_deployment(password_cache_seconds=0)
    await deployment.store.save_account(replace(ada(), username="bob"), NOW)
    addresses = [f"203.0.113.{number}" for number in range(CORES + MAX_WAITING + 5)]
    for username, peer in (("ada", ELSEWHERE), *(("bob", each) for each in addresses)):
        browser = Browser(deployment, peer=peer)
        await browser.sign_in(await browser.get(ACCOUNT), username)
    held = Held(monkeypatch)
    greedy, person = [Browser(deployment, peer=each) for each in addresses], Browser(deployment, peer=ELSEWHERE)
    pages, page = [await browser.get(ACCOUNT) for browser in greedy], await person.get(ACCOUNT)
    with held.until():
        sent = zip(greedy, pages, strict=True)
        guesses = [asyncio.create_task(browser.sign_in(form, "bob", "wrong")) for browser, form in sent]
        await held.all_busy()
        signing_in = asyncio.create_task(person.sign_in(page))
        await asyncio.wait(guesses, return_when=asyncio.FIRST_COMPLETED)  # those whom the queue refuses
        held.let_go()
        await asyncio.gather(signing_in, *guesses)
    assert COOKIE in person.cookies
    assert deployment.service.counts.refusals["password.queue_full"] == 6


@pytest.mark.usefixtures("register")
async def test_keys_reports_and_refreshes_do_not_wait_behind_hashes(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats §8: every thread is busy and the queue is full, and they are answered all the same."""
    held = Held(monkeypatch)
    with monkeypatch.context() as unheld:
        unheld.setattr(PasswordHashing, "verify", VERIFY)
        tokens = await deployment.tokens()
    with held.until():
        logins = [asyncio.create_task(present(deployment, peer=ELSEWHERE)) for _ in range(CORES + MAX_WAITING)]
        await held.all_busy()
        assert (await deployment.send("GET", KEYS)).status == 200
        assert (await deployment.report(tokens["access_token"])).status == 200
        assert (await deployment.refresh(tokens["refresh_token"])).status == 200
        assert (await deployment.tokens())["token_type"] == "Bearer"  # remembered: no hash
        assert not any(login.done() for login in logins)
        held.let_go()
        await asyncio.gather(*logins)


async def test_an_attempt_is_counted_although_the_caller_has_disconnected(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats §8, A4: a running hash is finished, and a cancelled request is counted."""
    held = Held(monkeypatch)

    deployment = await open_deployment()
    with held.until():
        guesses = [asyncio.create_task(present(deployment, "wrong")) for _ in range(CORES)]
        await held.all_busy()
        for attempt in guesses:
            attempt.cancel()
        await asyncio.wait(guesses)
        held.let_go()
        await deployment.service.authority.passwords.at_rest()
    places = {Tally(*times) for key, *times in deployment.memory.rows(TALLIES) if len(key) == 32}
    assert places == {Tally(NOW + min(CORES, 5) * 180_000), Tally(NOW + CORES * 60_000)}  # origin, account


async def test_a_login_that_waits_is_dropped_when_its_caller_hangs_up(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats §8: the server reports it by `http.disconnect`."""
    held = Held(monkeypatch)

    deployment = await open_deployment(password_cache_seconds=0)
    with held.until():
        logins = [asyncio.create_task(present(deployment)) for _ in range(CORES)]
        await held.all_busy()
        gone = asyncio.Event()
        body = b'{"username":"ada","password":"wrong horse battery"}'
        headers = [*deployment.client, ("Content-Type", "application/json")]
        leaving = asyncio.create_task(
            deployment.send("POST", "/oauth2/v1/token", headers, body, peer=ELSEWHERE, gone=gone)
        )
        gone.set()
        assert (await leaving).said == SPIKE_ARREST
        held.let_go()
        assert [reply.status for reply in await asyncio.gather(*logins)] == [200] * CORES
    assert held.begun == CORES
    assert not any(drains_at for _, drains_at, _ in deployment.memory.rows(TALLIES))


async def test_parallel_attempts_do_not_exceed_the_limit_together(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats A4: the limits are checked again before the hash; only attempts that ran at the same time exceed five."""
    held = Held(monkeypatch)

    deployment = await open_deployment()
    held.let_go()
    replies = await asyncio.gather(*(present(deployment, f"wrong {number}") for number in range(MAX_WAITING)))
    assert {reply.said for reply in replies} == {WRONG_PASSWORD}
    assert held.begun <= 5 + CORES - 1


async def test_a_rehash_does_not_undo_a_password_that_was_changed_meanwhile(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats §8: conditional on the account as it was verified."""
    costly = hash_password("standard", PASSWORD)
    changed = hash_password("testing", "another horse battery")

    old = replace(ada(), username="old", password_hash=costly)
    await deployment.store.save_account(old, NOW)

    def changing(hashing: PasswordHashing, password: str) -> str:
        asyncio.run_coroutine_threadsafe(
            deployment.store.save_account(accounts.with_password(old, changed, NOW), NOW), loop
        ).result(30)
        return hash_password(hashing.profile, password)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(PasswordHashing, "hash", changing)
    assert (await present(deployment, username="old")).status == 200
    await deployment.service.authority.passwords.at_rest()
    kept = await deployment.store.account("old")
    assert kept is not None
    assert kept.password_hash == changed
    assert not needs_rehash("testing", kept.password_hash)


async def test_stored_tallies_reveal_no_name(deployment: Deployment) -> None:
    """threats A11, A12: keyed digests of fixed length for each name that was sent."""
    for name in ("ada", "canary-name", "x" * 1_000):
        await present(deployment, "wrong", name)
    keys = [key for key, *_ in deployment.memory.rows(TALLIES)]
    assert {len(key) for key in keys} == {16, 32}
    assert not any(text in b"".join(keys) for text in (b"ada", b"canary", b"xxx", b"192.0.2.7", b"crd_"))
