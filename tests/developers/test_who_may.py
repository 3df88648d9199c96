"""Who reaches what in the portal: the product of its screens and of people, another developer among them (threats E13)."""

from credence.identity.sessions import SiteName, new_session
from credence.management.site_applications import WORKBENCH, register_site
from credence.sites.developers.site import SCREENS
from credence.sites.kit.screen import Screen
from tests.deployment import NOW
from tests.developers.conftest import Portal, text_of

COOKIE = "__Host-credence-developers"


def path_of(screen: Screen, client_id: str, webhook: str = "wh_none") -> str:
    return screen.path.format(client_id=client_id, request_id="none", operation="company_report", webhook=webhook)


def is_of_one(screen: Screen) -> bool:
    """Whether the path of a screen names what belongs to one developer."""
    return "{" in screen.path and "{operation}" not in screen.path


async def test_no_developer_reaches_what_belongs_to_another_developer(portal: Portal) -> None:
    """What is another person's is answered as what does not exist."""
    ada, eve = await portal.developer("ada"), await portal.developer("eve")
    client_id, _ = await ada.create(name="Of Ada alone")
    before = await portal.main.store.application(client_id)
    foreign = [client_id, portal.main.application.client_id, "crd_sbx_app_developers", "nothing"]
    for screen in SCREENS:
        for each in foreign if "{client_id}" in screen.path else [client_id]:
            path = path_of(screen, each)
            page = await eve.browser.get(path)
            assert page.status == (404 if is_of_one(screen) else 200), path
            assert "Of Ada alone" not in text_of(page)
            for act in screen.acts:
                answer = await eve.do(path, act.name, keep="0")
                assert answer.status in ((404, 422) if is_of_one(screen) else (422,)), (path, act.name)
                assert "Of Ada alone" not in text_of(answer)
    assert await portal.main.store.application(client_id) == before


async def test_without_a_session_every_screen_leads_to_the_sign_in_and_every_act_does_nothing(portal: Portal) -> None:
    applications = await portal.main.store.applications()
    for screen in SCREENS:
        path = path_of(screen, portal.main.application.client_id)
        replies = [await portal.browser.get(path), await portal.browser.post(path, [("act", "create")])]
        assert [reply.status for reply in replies] == [303, 303 if screen.acts else 405]
        assert replies[0].headers["location"].startswith("/developers/sign-in?to=")
    assert await portal.main.store.applications() == applications


async def test_no_cookie_of_another_place_opens_the_portal(portal: Portal) -> None:
    """D28: each place has sessions of its own, so the live session of one is none in the cookie of another."""
    lin = await portal.developer("lin", console_role="owner", workbench_for=portal.main.application.client_id)
    await register_site(portal.main.store, portal.main.service.settings, WORKBENCH, NOW)
    account = await portal.main.store.account("lin")
    assert account is not None
    live = {"session": lin.cookies["__Host-credence-session"], "developers": lin.cookies[COOKIE]}
    sites: tuple[SiteName, ...] = ("console", "workbench")
    for site in sites:
        secret = portal.main.service.authority.secrets.refresh
        session, live[site] = new_session(secret, account, "pwd", "Firefox", portal.main.now, 3_600_000, site)
        await portal.main.store.open_session(session, account)
    assert len(set(live.values())) == 4
    for place, cookie in live.items():
        reached = await Portal(portal.main, {COOKIE: cookie}).browser.get("/developers")
        assert reached.status == (200 if place == "developers" else 303), place
        elsewhere = await Portal(portal.main, {"__Host-credence-workbench": cookie}).browser.get("/workbench")
        assert elsewhere.status == (200 if place == "workbench" else 303), place
    others = {f"__Host-credence-{place}": cookie for place, cookie in live.items() if place != "developers"}
    assert (await Portal(portal.main, others).browser.get("/developers")).status == 303


async def test_a_form_of_another_site_or_another_session_does_nothing(portal: Portal) -> None:
    """threats E5."""
    ada, eve = await portal.developer("ada"), await portal.developer("eve")
    foreign = (await eve.browser.get("/developers/new")).body.decode().split('name="token" value="')[1].split('"')[0]
    fields = [("act", "create"), ("name", "Ledger"), ("kind", "machine")]
    assert (await ada.browser.post("/developers/new", fields)).status == 400
    assert (await ada.browser.post("/developers/new", [*fields, ("token", foreign)])).status == 400
    site = ("Sec-Fetch-Site", "cross-site")
    assert (await ada.do("/developers/new", "app-create", site, name="Ledger", kind="machine")).status == 400
    assert not [each for each in await portal.main.store.applications() if each.owner]


async def test_an_account_that_is_suspended_is_out_at_once(portal: Portal) -> None:
    ada = await portal.developer("ada")
    await portal.main.change_account("ada", status="suspended", not_before=NOW + 1)
    assert (await ada.browser.get("/developers")).status == 303
