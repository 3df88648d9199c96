"""Who reaches which screen of the workbench: the product of screens and scopes (threats E1), and for whom a reader acts."""

import pytest

from credence.access.rules import AccessRules
from credence.sites.workbench.site import SCREENS
from credence.store.portfolios import Portfolio
from credence.store.records import ApplicationClock, ClockMove
from tests.deployment import NOW, REPORT_PATH
from tests.workbench.conftest import PLAIN, Desk, text_of

SCOPES = ("credit:report", "credit:search", "credit:monitor")


def path_of(path: str, portfolio: str = "pf_none") -> str:
    return path.format(
        company_number=PLAIN,
        tab="score",
        portfolio=portfolio,
        number="1",
        webhook="wh_none",
        company=PLAIN,
        upload="up_none",
    )


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_reader_reaches_the_screens_of_the_scopes_of_the_application_and_no_others(
    desk: Desk, scope: str
) -> None:
    reader = await desk.reader("grace", scope)
    reached: dict[str, bool] = {}
    for screen in SCREENS:
        page = await reader.get(path_of(screen.path))
        assert page.status in (200, 403, 404), (screen.path, page)
        reached[screen.path] = page.status != 403
        for act in screen.acts:
            sent = await reader.do(path_of(screen.path), act.name)
            assert sent.status in (200, 303, 403, 404, 409, 422), (screen.path, act.name, sent)
            reached[f"{screen.path} {act.name}"] = sent.status != 403
    expected = {screen.path: screen.needs == scope for screen in SCREENS}
    expected |= {
        f"{each.path} {act.name}": each.needs == scope and act.needs == scope for each in SCREENS for act in each.acts
    }
    assert reached == expected


async def test_without_a_session_every_screen_leads_to_the_sign_in(desk: Desk) -> None:
    for screen in SCREENS:
        page = await desk.get(path_of(screen.path))
        assert page.status == 303
        assert page.headers["location"].startswith("/workbench/sign-in?to=%2Fworkbench")
        sent = await desk.browser.post(path_of(screen.path), [("act", "x")])
        assert sent.status == (303 if screen.acts else 405)


async def test_a_person_without_an_application_is_told_what_gives_one(desk: Desk) -> None:
    reader = await desk.reader("grace", application="")
    page = await reader.get("/workbench")
    assert page.status == 403
    assert "credence account workbench grace CLIENT_ID" in text_of(page)
    assert "Compare" not in text_of(page)


async def test_an_application_that_is_disabled_closes_the_workbench_to_its_people_at_once(desk: Desk) -> None:
    reader = await desk.reader()
    assert (await reader.get("/workbench")).status == 200
    await desk.deployment.change_application(disabled=True)
    assert (await reader.get("/workbench")).status == 403


async def test_networks_and_hours_of_the_application_hold_for_its_people(desk: Desk) -> None:
    """D15."""
    reader = await desk.reader()
    await desk.deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    assert (await reader.get("/workbench")).status == 403


async def test_a_sign_in_that_is_too_old_for_the_rules_is_refused_and_a_new_one_is_enough(desk: Desk) -> None:
    """RFC 9470."""
    reader = await desk.reader()
    await desk.deployment.change_application(rules=AccessRules(max_age=60))
    desk.deployment.now += 61_000
    page = await reader.get("/workbench")
    assert "Sign in again" in text_of(page)
    again = await reader.browser.come("/workbench/sign-in?to=/workbench&again=1", "grace")
    assert "Find a company" in again.body.decode()


async def test_people_of_an_application_with_a_test_clock_work_on_after_its_logins_were_ended(desk: Desk) -> None:
    """D18: the times of the session are real, those of the application are ahead."""
    deployment = desk.deployment
    await deployment.change_application(clock=ApplicationClock((ClockMove(deployment.now, 7 * 86_400_000),)))
    deployment.now += 10_000
    await deployment.change_application(not_before=deployment.now)
    deployment.now += 10_000
    reader = await desk.reader()
    assert (await reader.get("/workbench")).status == 200


async def test_requests_count_against_the_application_as_those_of_its_programs_do(desk: Desk) -> None:
    """D16: the limit is shared, and the page says how long to wait."""
    reader = await desk.reader()
    await desk.deployment.change_application(spike_per_minute=60)
    statuses = [(await reader.get("/workbench")).status for _ in range(8)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    token = (await desk.deployment.login()).status
    assert token == 401


async def test_a_report_read_in_the_workbench_is_a_report_read_by_the_application(desk: Desk) -> None:
    """D43."""
    reader = await desk.reader()
    await reader.get(f"/workbench/companies/{PLAIN}")
    await desk.deployment.service.unsaved_reads.store(desk.store, NOW)
    assert set(await desk.store.report_reads(desk.deployment.application.client_id, [PLAIN])) == {PLAIN}


async def test_the_lists_of_another_application_do_not_exist_for_a_reader(desk: Desk) -> None:
    reader = await desk.reader()
    await desk.store.save_portfolio(Portfolio("pf_other", "crd_sbx_app_other", "Secret list", NOW))
    await desk.store.save_portfolio(Portfolio("pf_own", desk.deployment.application.client_id, "Own list", NOW))
    for screen in SCREENS:
        page = await reader.get(path_of(screen.path, "pf_other"))
        assert "Secret list" not in text_of(page)
        if "{portfolio}" in screen.path:
            assert page.status == 404
            for act in screen.acts:
                assert (await reader.do(path_of(screen.path, "pf_other"), act.name)).status == 404


async def test_the_report_path_of_the_api_stays_closed_to_a_cookie(desk: Desk) -> None:
    reader = await desk.reader()
    assert (await reader.get(f"{REPORT_PATH}/{PLAIN}")).status == 401
