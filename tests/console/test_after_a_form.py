"""What follows a form: an address that can be loaded again, and nothing that was typed is lost with the session."""

import re

import msgspec

from tests.console.conftest import Console, text_of
from tests.sign_in.browsing import FORM

LIMITS = "/console/limits"


async def test_the_words_of_an_act_come_with_an_address_that_can_be_loaded_again(console: Console) -> None:
    boss = await console.operator("operator")
    path = "/console/accounts/ada"
    token = re.search(r'name="token" value="([^"]+)"', (await boss.browser.get(path)).body.decode())
    assert token is not None
    fields = f"token={token[1]}&act=account-unlock".encode()
    headers = [*boss.browser._headers(), FORM]
    reply = boss.browser._keep(await boss.apart.send("POST", path, headers, fields))
    assert (reply.status, reply.headers["location"], reply.body) == (303, path, b"")
    page = await boss.browser.get(path)
    assert 'role="status"' in page.body.decode()
    again = await boss.browser.get(path)
    assert again.status == 200
    assert 'role="status"' not in again.body.decode()


async def test_what_was_typed_is_there_again_after_a_new_sign_in(console: Console) -> None:
    boss = await console.operator("operator")
    token = re.search(r'name="token" value="([^"]+)"', (await boss.browser.get(LIMITS)).body.decode())
    assert token is not None
    console.move(console.main.now + 13 * 3_600_000)
    boss.move(console.main.now)
    sent = {"token": token[1], "act": "app-rate", "client_id": console.main.application.client_id, "per_minute": "4711"}
    reply = await boss.browser.post(LIMITS, sent.items())
    assert (reply.status, "/console/sign-in" in reply.headers["location"]) == (303, True)
    assert "4711" not in "".join(boss.cookies.values())
    page = await boss.come(LIMITS, "of-operator")
    assert 'value="4711"' in page.body.decode()
    assert "submit them again" in text_of(page)
    assert await console.main.store.application(console.main.application.client_id) == console.main.application
    assert "4711" not in (await boss.browser.get(LIMITS)).body.decode()


async def test_what_one_person_typed_is_not_shown_to_the_next_at_the_same_browser(console: Console) -> None:
    boss = await console.operator("operator")
    await console.operator("owner")
    console.move(console.main.now + 13 * 3_600_000)
    boss.move(console.main.now)
    reply = await boss.browser.post(LIMITS, {"act": "app-rate", "per_minute": "4711"}.items())
    assert "__Host-credence-console-kept" in boss.cookies, reply
    page = await boss.come(LIMITS, "of-owner")
    assert "of-owner" in text_of(page)
    assert "4711" not in page.body.decode()
    assert "submit them again" not in text_of(page)


async def test_a_box_is_as_the_person_left_it_before_a_new_sign_in(console: Console) -> None:
    ada = await console.main.store.account("ada")
    assert ada is not None
    invited = msgspec.structs.replace(ada, developer=True, version=ada.version + 1)
    await console.main.store.save_account(invited, console.main.now)
    boss, path = await console.operator("operator"), "/console/accounts/ada"
    box = re.compile(r'id="account-developer-invited" name="invited" value="1"( checked)?')
    assert box.findall((await boss.browser.get(path)).body.decode()) == [" checked"]
    console.move(console.main.now + 13 * 3_600_000)
    boss.move(console.main.now)
    await boss.browser.post(path, {"act": "account-developer"}.items())
    page = await boss.come(path, "of-operator")
    assert "nothing was changed" in text_of(page)
    assert box.findall(page.body.decode()) == [""]


async def test_a_form_from_another_site_is_not_kept(console: Console) -> None:
    boss = await console.operator("operator")
    boss.cookies.clear()
    reply = await boss.browser.post(LIMITS, {"per_minute": "4711"}.items(), ("sec-fetch-site", "cross-site"))
    assert reply.status == 400
    assert "__Host-credence-console-kept" not in boss.cookies
