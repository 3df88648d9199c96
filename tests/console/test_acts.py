"""What operators do in the console: the effect is that of the command, and the line in the audit trail comes first (D30)."""

import re

import msgspec
import pytest

from credence.store.families import SignIn
from credence.store.records import TokenFamily
from credence.telemetry.audit_files import DEEDS, files_in_order, newest, read_file
from tests.console.conftest import Console, text_of
from tests.deployment import NOW


def deeds(console: Console) -> list[tuple[str, str, str]]:
    """Act, operator and what it was done through, of each line that an operator caused."""
    folder = console.main.service.settings.audit_folder
    lines = [line for file in files_in_order(folder, DEEDS) for line in read_file(file)]
    return [(line["act"], line["operator"], line["through"]) for line in lines if line["event"] == "operator"]


async def test_a_new_secret_is_shown_once_and_works_next_to_the_old_one(console: Console) -> None:
    operator = await console.operator("operator")
    path = f"/console/applications/{console.main.application.client_id}"
    page = await operator.do(path, "app-rotate-secret", keep_old_seconds="86400")
    (secret,) = re.findall(r"crd_sbx_sec_\w+", page.body.decode())
    old = console.main.secret
    for each in (old, secret):
        console.main.secret = each
        assert (await console.main.login()).status == 200
    assert secret.encode() not in (await operator.browser.get(path)).body
    assert deeds(console) == [("app rotate-secret", "of-operator", "console")]


async def test_an_application_is_disabled_with_its_tokens_and_enabled_again(console: Console) -> None:
    operator = await console.operator("operator")
    path = f"/console/applications/{console.main.application.client_id}"
    token = (await console.main.tokens())["access_token"]
    assert (await console.main.report(token)).status == 200
    assert (await operator.do(path, "app-disable")).status == 200
    assert (await console.main.report(token)).status == 401
    assert "Nothing was changed" in text_of(await operator.do(path, "app-disable"))
    assert (await operator.do(path, "app-enable")).status == 200
    assert (await console.main.login()).status == 200


async def test_a_person_is_invited_and_chooses_a_password(console: Console) -> None:
    support = await console.operator("support")
    page = await support.do("/console/accounts", "account-invite", username="Grace", email="grace@example.com")
    (link,) = re.findall(r"/account/password\?link=[\w.-]+", page.body.decode())
    assert (await console.people.get(link)).status == 200
    kept = await console.main.store.account("grace")
    assert kept is not None
    assert kept.email == "grace@example.com"
    again = await support.do("/console/accounts", "account-invite", username="grace", email="other@example.com")
    assert again.status == 422
    assert 'href="#account-invite-username"' in again.body.decode()
    assert 'value="other@example.com"' in again.body.decode()  # nothing typed is lost


async def test_an_account_is_suspended_with_its_tokens_and_activated(console: Console) -> None:
    support = await console.operator("support")
    token = (await console.main.tokens())["access_token"]
    assert (await support.do("/console/accounts/ada", "account-status", status="suspended")).status == 200
    assert (await console.main.report(token)).status == 401
    assert (await support.do("/console/accounts/ada", "account-status", status="closed")).status == 422
    assert (await support.do("/console/accounts/ada", "account-status", status="active")).status == 200
    assert (await console.main.login()).status == 200


async def test_everything_of_an_account_ends(console: Console) -> None:
    support = await console.operator("support")
    tokens = await console.main.tokens()
    assert (await support.do("/console/accounts/ada", "account-end-all")).status == 200
    assert (await console.main.report(tokens["access_token"])).status == 401
    assert (await console.main.refresh(tokens["refresh_token"])).status == 401


async def test_a_token_is_revoked_in_the_console(console: Console) -> None:
    support = await console.operator("support")
    tokens = await console.main.tokens()
    done = await support.do("/console/tokens", "token-revoke", token_value=tokens["access_token"])
    assert "is revoked" in text_of(done), done
    assert (await console.main.report(tokens["access_token"])).status == 401
    refused = await support.do("/console/tokens", "token-revoke", token_value="nonsense")
    assert (refused.status, "not a token of this deployment" in text_of(refused)) == (422, True)


async def test_a_login_is_found_and_ended_with_all_its_tokens(console: Console) -> None:
    support = await console.operator("support")
    tokens = await console.main.tokens()
    await (await console.main.another_application()).tokens()
    shown = (await support.browser.get(f"/console/tokens?q={console.main.application.client_id}")).body.decode()
    (family,) = re.findall(r'name="family" value="([^"]+)"', shown)
    assert (await support.do("/console/tokens", "account-end-login", username="ada", family=family)).status == 200
    assert (await console.main.report(tokens["access_token"])).status == 401
    assert (await console.main.refresh(tokens["refresh_token"])).status == 401
    for unknown in ("", "AAAA", "?"):
        assert (await support.do("/console/tokens", "account-end-login", username="ada", family=unknown)).status == 422
    assert deeds(console) == [("account end-login", "of-support", "console")]
    assert (await support.browser.get("/console/tokens?after=%3F")).status == 200


@pytest.mark.parametrize(("act", "listed"), [("", 1), ("app-disable", 0), ("app-end-logins", 0)])
async def test_an_account_lists_the_logins_whose_tokens_can_be_valid(console: Console, act: str, listed: int) -> None:
    """As the management API and the screen of tokens: what an operator does to the application ends its logins (D14)."""
    main, operator = console.main, await console.operator("operator")
    client_id, account = main.application.client_id, await main.store.account("ada")
    assert account is not None
    family = TokenFamily(b"f" * 22, client_id, "ada", "", NOW, NOW + 3_600_000, NOW, 60, "k1")
    await main.store.open_family(family, account, SignIn(family.id, b"", client_id, "ada", NOW, "pwd", offline=True))
    main.now = console.apart.now = NOW + 2_000
    if act:
        screen = "/console/tokens" if act == "app-end-logins" else f"/console/applications/{client_id}"
        assert (await operator.do(screen, act, client_id=client_id)).status == 200
    for path in ("/console/accounts/ada", f"/console/tokens?q={client_id}"):
        shown = (await operator.browser.get(path)).body.decode()
        assert len(re.findall(r'name="family" value="([^"]+)"', shown)) == listed, path


async def test_the_test_clock_of_an_application_is_moved_and_reset(console: Console) -> None:
    """Spec §3.2: an access token lives three hours."""
    operator = await console.operator("operator")
    path = f"/console/applications/{console.main.application.client_id}"
    token = (await console.main.tokens())["access_token"]
    assert "Reset its test clock" not in text_of(await operator.browser.get(path))
    assert "it is 2023-11-15T01:13:20Z now" in text_of(await operator.do(path, "clock-advance", to="3h"))
    assert (await console.main.report(token)).status == 401
    refused = await operator.do(path, "clock-advance", to="2020-01-01")
    assert (refused.status, 'href="#clock-advance-to"' in refused.body.decode()) == (422, True)
    assert (await operator.do(path, "clock-reset")).status == 200
    assert "real time already" in text_of(await operator.do(path, "clock-reset"))
    assert [act for act, _, _ in deeds(console)] == ["clock advance", "clock reset"]


async def test_the_doctor_says_what_is_wrong_and_what_helps(console: Console) -> None:
    """Nothing listens at the public address of this deployment, and an application needs no PKCE (D35)."""
    operator = await console.operator("operator")
    await console.main.change_application(pkce="off")
    page = text_of(await operator.do("/console/health", "doctor"))
    assert "1 of 2 checks failed" in page
    assert "Is the address right, the proxy up, and its certificate trusted here?" in page
    assert f"off for {console.main.application.name} ({console.main.application.client_id})" in page


async def test_an_application_without_pkce_is_marked(console: Console) -> None:
    """D35: in the list and on its own screen."""
    operator = await console.operator("reader")
    client_id = console.main.application.client_id
    for rule, marked in (("or_nonce", False), ("off", True)):
        await console.main.change_application(pkce=rule)
        for path in ("/console/applications", f"/console/applications/{client_id}"):
            assert ("enabled, PKCE off" in text_of(await operator.browser.get(path))) is marked


async def test_one_session_is_ended(console: Console) -> None:
    support = await console.operator("support")
    page = await console.people.get("/account")
    await console.people.sign_in(page)
    shown = (await support.browser.get("/console/accounts/ada")).body.decode()
    (session,) = re.findall(r'name="session" value="([^"]+)"', shown)
    assert (await support.do("/console/accounts/ada", "account-end-session", session=session)).status == 200
    assert await console.main.store.sessions_of("ada") == []
    assert (await support.do("/console/accounts/ada", "account-end-session", session=session)).status == 422


async def test_an_account_is_closed_after_its_name_was_typed(console: Console) -> None:
    operator = await console.operator("operator")
    assert (await operator.do("/console/accounts/ada", "account-close", confirm="bob")).status == 422
    assert (await operator.do("/console/accounts/ada", "account-close", confirm="Ada")).status == 200
    assert "Change the state" not in text_of(await operator.browser.get("/console/accounts/ada"))


async def test_without_the_line_in_the_audit_trail_nothing_is_done(console: Console) -> None:
    """threats F2."""
    operator = await console.operator("operator")
    console.main.service.audit.flush()  # nothing waits to be written
    file = newest(console.main.service.settings.audit_folder, DEEDS)
    file.unlink(missing_ok=True)
    file.mkdir()  # a folder in its place: no line can be written
    path = f"/console/applications/{console.main.application.client_id}"
    answer = await operator.do(path, "app-disable")
    assert answer.status == 500
    assert (await console.main.login()).status == 200


async def test_a_change_meanwhile_is_not_lost(console: Console) -> None:
    """threats E10: each act writes the version that it has read, so the later one is refused or reads again."""
    operator = await console.operator("operator")
    path = f"/console/applications/{console.main.application.client_id}"
    await console.main.change_application(name="Ledger 2")
    assert (await operator.do(path, "app-disable")).status == 200
    found = await console.main.store.application(console.main.application.client_id)
    assert found is not None
    assert (found.name, found.disabled) == ("Ledger 2", True)


async def test_keys_are_shown_in_their_states_and_roll_when_that_is_safe(console: Console) -> None:
    operator = await console.operator("operator")
    page = await operator.browser.get("/console/keys")
    assert "do not know the next key yet" in text_of(page)
    assert (await operator.do("/console/keys", "keys-roll", algorithm="ES256")).status == 422
    console.move(NOW + 2 * 3_600_000)
    operator = await console.operator("operator")
    assert "You can rotate now" in text_of(await operator.browser.get("/console/keys"))
    page = await operator.do("/console/keys", "keys-roll", algorithm="ES256")
    assert (page.status, "signs from now on" in text_of(page)) == (200, True)


async def test_lists_are_searched_and_cut_into_pages(console: Console) -> None:
    support = await console.operator("support")
    ada = await console.main.store.account("ada")
    assert ada is not None
    for number in range(60):
        await console.main.store.save_account(msgspec.structs.replace(ada, username=f"p{number:03}", version=1), NOW)
    first = (await support.browser.get("/console/accounts")).body.decode()
    assert first.count("<tr>") == 51
    following = re.findall(r'<p class="pager"><a href="([^"]+)"', first)[0]
    second = (await support.browser.get(following.replace("&amp;", "&"))).body.decode()
    assert "p059" in second
    assert "p000" not in second
    found = (await support.browser.get("/console/accounts?q=P04")).body.decode()
    assert found.count("<tr>") == 11
