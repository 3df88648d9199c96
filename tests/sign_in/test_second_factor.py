"""The second factor: one-time codes and recovery codes, and attacks on them (RFC 6238, RFC 8176, threats A4)."""

from pathlib import Path
from typing import Any

import pytest

from credence.identity import accounts
from tests.deployment import NOW, Deployment, claims, deployed
from tests.sign_in.browsing import ACCOUNT, Browser, answer_of, form_of, redeem, request_of, with_browser_application
from tests.sign_in.factors import (
    ASKS,
    COOKIE,
    FACTORS,
    SECOND_FACTOR,
    STEP,
    act,
    app_of,
    code_of,
    enrolled,
    recovery_codes,
)


async def test_the_code_of_another_implementation_opens_the_account_with_both_factors_in_the_id_token(
    deployment: Deployment,
) -> None:
    """RFC 8176 §2: pwd, otp, mfa."""
    application = await with_browser_application(deployment)
    app, _ = await enrolled(Browser(deployment))
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)))
    assert ASKS in page.body
    assert COOKIE not in browser.cookies
    page = await browser.submit(page, code=code_of(app, deployment))
    page = await browser.submit(page, decision="allow")
    said = claims((await redeem(deployment, answer_of(page)["code"])).json["id_token"])
    assert said["amr"] == ["pwd", "otp", "mfa"]
    assert said["acr"] == "2"
    assert said["auth_time"] == deployment.now // 1000


@pytest.mark.parametrize(("steps", "accepted"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
async def test_a_code_counts_in_its_step_and_the_ones_next_to_it(
    deployment: Deployment, steps: int, accepted: bool
) -> None:
    """RFC 6238 §5.2."""
    app, _ = await enrolled(Browser(deployment))
    deployment.now += 10 * STEP
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(ACCOUNT))
    await browser.submit(page, code=code_of(app, deployment, steps))
    assert (COOKIE in browser.cookies) is accepted


async def test_a_code_that_was_used_is_worth_nothing(deployment: Deployment) -> None:
    """RFC 6238 §5.2, threats A4: not even in another browser, and not an older one after it."""
    app, _ = await enrolled(Browser(deployment))
    first = Browser(deployment)
    await first.submit(await first.sign_in(await first.get(ACCOUNT)), code=code_of(app, deployment))
    assert COOKIE in first.cookies
    for steps in (0, -1):
        other = Browser(deployment)
        page = await other.sign_in(await other.get(ACCOUNT))
        page = await other.submit(page, code=code_of(app, deployment, steps))
        assert b"That code is incorrect or has already been used" in page.body
        assert COOKIE not in other.cookies


async def test_a_recovery_code_opens_the_account_once(deployment: Deployment) -> None:
    _, codes = await enrolled(Browser(deployment))
    for code, accepted in ((codes[0], True), (codes[0], False), (codes[1].upper().replace("-", " "), True)):
        browser = Browser(deployment)
        await browser.submit(await browser.sign_in(await browser.get(ACCOUNT)), code=code)
        assert (COOKIE in browser.cookies) is accepted
    assert b"8 left" in (await browser.get(ACCOUNT)).body


async def test_new_recovery_codes_replace_the_old_ones(deployment: Deployment) -> None:
    browser = Browser(deployment)
    _, old = await enrolled(browser)
    new = recovery_codes(await act(browser, "renew"))
    assert len(set(new) - set(old)) == 10
    other = Browser(deployment)
    page = await other.sign_in(await other.get(ACCOUNT))
    page = await other.submit(page, code=old[0])
    assert COOKIE not in other.cookies
    await other.submit(page, code=new[0])
    assert COOKIE in other.cookies


async def test_neither_the_key_nor_a_recovery_code_is_stored_in_clear(deployment: Deployment) -> None:
    app, codes = await enrolled(Browser(deployment))
    stored = repr(await deployment.store.factors_of("ada")).encode()
    for secret in (app.byte_secret(), app.secret.encode(), *(code.encode() for code in codes)):
        assert secret not in stored
        assert repr(secret)[2:-1].encode() not in stored


async def test_a_wrong_first_code_stores_nothing_and_keeps_the_key(deployment: Deployment) -> None:
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    page = await act(browser, "set-up")
    again = await browser.submit(page, act="confirm", code="000000")
    assert b"That code does not match this key" in again.body
    assert app_of(again).secret == app_of(page).secret
    assert await deployment.store.factors_of("ada") == []


async def test_setting_up_needs_a_sign_in_of_the_last_ten_minutes(deployment: Deployment) -> None:
    """ASVS 7.5.1."""
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    deployment.now += 600_000
    page = await act(browser, "set-up")
    assert b'name="username"' in page.body
    assert b"Sign in again" in page.body


async def test_the_app_is_removed_on_the_account_page(deployment: Deployment) -> None:
    browser = Browser(deployment)
    await enrolled(browser)
    assert b"You sign in with your password only" in (await act(browser, "remove")).body
    assert await deployment.store.factors_of("ada") == []
    other = Browser(deployment)
    await other.sign_in(await other.get(ACCOUNT))
    assert COOKIE in other.cookies


async def test_a_session_from_before_the_app_cannot_change_it_without_a_code(deployment: Deployment) -> None:
    """An attacker who knows the password and was signed in first neither removes the app nor replaces it."""
    attacker, owner = Browser(deployment), Browser(deployment)
    await attacker.sign_in(await attacker.get(ACCOUNT))
    waiting = await act(attacker, "set-up")
    await enrolled(owner)
    kept = await deployment.store.factors_of("ada")
    for name in ("remove", "set-up", "renew"):
        assert ASKS in (await act(attacker, name)).body
    reply = await attacker.submit(waiting, act="confirm", code=code_of(app_of(waiting), deployment))
    assert ASKS in reply.body
    assert await deployment.store.factors_of("ada") == kept


async def test_the_right_password_does_not_buy_further_guesses(deployment: Deployment) -> None:
    """threats A4: an attacker who knows the password signs in with it between the guesses."""
    app, _ = await enrolled(Browser(deployment))
    for _ in range(5):
        browser = Browser(deployment)
        page = await browser.sign_in(await browser.get(ACCOUNT))
        page = await browser.submit(page, code="000000")
        assert b"That code is incorrect or has already been used" in page.body
    page = await browser.submit(page, code=code_of(app, deployment))
    assert COOKIE not in browser.cookies
    assert (page.status, page.headers["retry-after"]) == (429, "180")
    assert b"Too many attempts. Try again in 3 minutes." in page.body
    assert deployment.service.counts.refusals["factor.throttled_origin"] == 1


async def test_guesses_from_many_addresses_are_slowed_for_the_account(deployment: Deployment) -> None:
    """threats A4, A5: the owner's own origin, from which a code was right, is not locked out by them."""
    app, _ = await enrolled(Browser(deployment))
    owner = Browser(deployment)
    await owner.submit(await owner.sign_in(await owner.get(ACCOUNT)), code=code_of(app, deployment))
    check, account = deployment.service.authority.factors, await deployment.store.account("ada")
    assert account is not None
    reasons = []
    for number in range(12):
        try:
            await check.verify(account, "000000", f"203.0.113.{number}", deployment.now)
        except Exception as refused:  # noqa: BLE001
            reasons.append(str(refused))
    assert reasons == ["factor.mismatch"] * 10 + ["factor.throttled"] * 2
    deployment.now += STEP
    back = Browser(deployment)
    await back.submit(await back.sign_in(await back.get(ACCOUNT)), code=code_of(app, deployment))
    assert COOKIE in back.cookies


async def test_the_form_with_the_right_password_is_worth_ten_minutes_and_one_browser(deployment: Deployment) -> None:
    app, _ = await enrolled(Browser(deployment))
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(ACCOUNT))
    stolen = await Browser(deployment).submit(page, code=code_of(app, deployment))
    assert stolen.status == 400
    deployment.now += 600_001
    late = await browser.submit(page, code=code_of(app, deployment))
    assert b'name="username"' in late.body
    assert COOKIE not in browser.cookies


@pytest.mark.parametrize("change", [{"password_version": 2}, {"status": "suspended"}, {"not_before": NOW + 10 * STEP}])
async def test_the_right_password_counts_no_more_after_the_account_changed(
    deployment: Deployment, change: dict[str, Any]
) -> None:
    """threats L3."""
    app, _ = await enrolled(Browser(deployment))
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(ACCOUNT))
    await deployment.change_account(**change)
    await browser.submit(page, code=code_of(app, deployment))
    assert COOKIE not in browser.cookies


async def test_the_code_of_another_account_is_worth_nothing(deployment: Deployment) -> None:
    account = await deployment.store.account("ada")
    assert account is not None
    await deployment.store.save_account(accounts.register("grace", "user", account.password_hash, NOW), NOW)
    hers, browser = Browser(deployment), Browser(deployment)
    await enrolled(browser)
    await hers.sign_in(await hers.get(ACCOUNT), "grace")
    page = await act(hers, "set-up")
    app = app_of(page)
    codes = recovery_codes(await hers.submit(page, act="confirm", code=code_of(app, deployment)))
    deployment.now += STEP
    other = Browser(deployment)
    page = await other.sign_in(await other.get(ACCOUNT))
    for code in (code_of(app, deployment), codes[0]):
        page = await other.submit(page, code=code)
        assert COOKIE not in other.cookies


async def test_a_forged_form_of_another_site_changes_nothing(deployment: Deployment) -> None:
    """threats E5: neither without the step nor with the word of the browser that another site sent it."""
    browser = Browser(deployment)
    await enrolled(browser)
    _, hidden = form_of(await browser.get(ACCOUNT), FACTORS)
    kept = await deployment.store.factors_of("ada")
    assert (await browser.post(FACTORS, {"act": "remove"}.items())).status == 400
    cross = await browser.post(FACTORS, {**hidden, "act": "remove"}.items(), ("Sec-Fetch-Site", "cross-site"))
    assert cross.status == 400
    assert (await browser.post(SECOND_FACTOR, {"code": "000000"}.items())).status == 400
    assert await deployment.store.factors_of("ada") == kept


async def test_an_unknown_act_is_refused(deployment: Deployment) -> None:
    browser = Browser(deployment)
    await enrolled(browser)
    for name in ("confirm", "", "else"):
        assert (await act(browser, name)).status == 400


async def test_a_session_and_its_factors_work_on_another_node(migrated_postgres: str, tmp_path: Path) -> None:
    async with deployed(tmp_path, store=migrated_postgres) as one, one.another_node() as two:
        app, _ = await enrolled(Browser(one))
        two.now = one.now
        first, second = Browser(one), Browser(two)
        pages = [await each.sign_in(await each.get(ACCOUNT)) for each in (first, second)]
        for each, page in zip((first, second), pages, strict=True):
            await each.submit(page, code=code_of(app, one))
        assert [COOKIE in each.cookies for each in (first, second)] == [True, False]
