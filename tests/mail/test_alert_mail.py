"""The alerts of the morning by mail: who gets them, what they say, and one click that stops them (RFC 8058)."""

import re
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from credence.monitoring.mailing import people_with_mail, queue_alert_mails, set_mail
from credence.report.outline import Outline
from credence.settings import Settings
from credence.sign_in.alert_mail import sender_of
from credence.store.portfolios import WatchedCompany
from credence.telemetry.audit_files import DEEDS, newest, read_file
from tests.conftest import copy_of_register
from tests.deployment import Deployment
from tests.relay import mailed, running_relay
from tests.sign_in.browsing import FORM
from tests.workbench.conftest import HOSTILE, OTHER, PLAIN, Desk, desk, loaded_names, open_desk, text_of
from tests.workbench.test_alerts import FELL, SCORED, with_events
from tests.workbench.test_book import observation

__all__ = ["desk", "loaded_names"]

DAY_MS = 86_400_000


async def reader_with_mail(desk: Desk, *, proven: bool = True) -> Desk:
    reader = await desk.reader()
    account = await desk.store.account("grace")
    assert account is not None
    changed = msgspec.structs.replace(
        account, version=account.version + 1, email="grace@example.com", email_verified=proven
    )
    await desk.store.save_account(changed, desk.deployment.now)
    return reader


async def queue(deployment: Deployment) -> int:
    authority = deployment.service.authority
    return await queue_alert_mails(authority.store, sender_of(authority), deployment.now)


async def test_people_who_asked_get_one_message_a_morning_until_one_click_stops_it(
    tmp_path: Path, loaded_names: Path
) -> None:
    copy_of_register(loaded_names, Settings(data_dir=tmp_path).credit_folder)
    async with running_relay() as relay, AsyncExitStack() as running:
        desk = await open_desk(running, tmp_path, mail_relay=relay.url, mail_from="alerts@credence.example")
        reader = await reader_with_mail(desk)
        portfolio = await with_events(desk, (PLAIN, FELL), (OTHER, SCORED))
        await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN, exposure=9_000), WatchedCompany(OTHER)], 10)
        gone = Outline(HOSTILE, "Liquidation", insolvency="proceedings", event="liquidation")
        await desk.store.record(1, [(PLAIN, observation(gone))], [])
        assert await queue(desk.deployment) == 0
        for act in ("start-mail", "stop-mail", "start-mail", "start-mail"):
            assert (await reader.do("/workbench/digest", act)).status < 400
        wishes = [
            each
            for each in read_file(newest(desk.deployment.service.settings.audit_folder, DEEDS))
            if str(each.get("act")).startswith("alert mail")
        ]
        assert [(each["act"], each["account"], each["changes"]["wanted"]) for each in wishes] == [
            ("alert mail start", "grace", {"before": False, "after": True}),
            ("alert mail stop", "grace", {"before": True, "after": False}),
            ("alert mail start", "grace", {"before": False, "after": True}),
        ]
        desk.deployment.now += DAY_MS
        assert await queue(desk.deployment) == 1
        assert await queue(desk.deployment) == 0
        ((to, text),) = await mailed(desk.deployment, relay)
        assert to == "grace@example.com"
        assert text.index(PLAIN) < text.index(OTHER)
        assert "£9,000 at risk, exposure £9,000" in text
        assert "about 2 companies, at least £9,000 at risk" in relay.subjects[0]
        (message,) = relay.received
        html_part = message.get_body(("html",))
        assert html_part is not None
        html = html_part.get_content()
        assert "<script" not in html
        assert "<img" not in html
        assert "\u202e" not in text + html
        assert re.findall(r'(?:src|href)="([^"]+)"', html) == [
            f"{desk.deployment.service.settings.issuer}/workbench",
            re.findall(r"<(.+)>", message["list-unsubscribe"])[0],
        ]
        assert message["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
        address = urlsplit(message["list-unsubscribe"].strip("<>"))
        assert address.scheme == "https"
        path = f"{address.path}?{address.query}"
        opened = await desk.deployment.send("GET", path)
        assert "Stop these emails" in opened.body.decode()
        assert await people_with_mail(desk.store) == ("grace",)
        stopped = await desk.deployment.send("POST", path, [FORM], b"List-Unsubscribe=One-Click")
        assert stopped.status == 200
        assert await people_with_mail(desk.store) == ()
        desk.deployment.now += DAY_MS
        assert await queue(desk.deployment) == 0


async def test_a_link_that_was_not_sent_stops_nothing(desk: Desk) -> None:
    await set_mail(desk.store, "grace", wanted=True)
    for link in ("", "x", "crd_sbx_alm_AAAA", "%00"):
        for method in ("GET", "POST"):
            reply = await desk.deployment.send(method, f"/alert-mail?link={link}", [FORM] if method == "POST" else [])
            assert reply.status in (400, 401, 404), (method, link)
    assert await people_with_mail(desk.store) == ("grace",)


@pytest.mark.parametrize("lacks", ["proof", "alerts", "application", "scope"])
async def test_no_message_goes_out_without(desk: Desk, lacks: str) -> None:
    await reader_with_mail(desk, proven=lacks != "proof")
    await set_mail(desk.store, "grace", wanted=True)
    if lacks != "alerts":
        portfolio = await with_events(desk, (PLAIN, FELL))
        await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN)], 10)
    if lacks == "application":
        await desk.deployment.change_application(disabled=True)
    if lacks == "scope":
        await desk.deployment.change_application(scopes=("credit:search",))
    assert await queue(desk.deployment) == 0


async def test_a_person_without_a_proven_address_cannot_start_it(tmp_path: Path, loaded_names: Path) -> None:
    copy_of_register(loaded_names, Settings(data_dir=tmp_path).credit_folder)
    async with AsyncExitStack() as running:
        desk = await open_desk(running, tmp_path, mail_relay="smtp://127.0.0.1:9", support_email="help@example.com")
        reader = await reader_with_mail(desk, proven=False)
        assert "confirm your email address" in text_of(await reader.get("/workbench/digest"))
        assert (await reader.do("/workbench/digest", "start-mail")).status == 422
        assert await people_with_mail(desk.store) == ()


@pytest.mark.parametrize("is_closed", [True, False])
async def test_only_the_names_of_closed_accounts_are_forgotten(desk: Desk, is_closed: bool) -> None:
    await reader_with_mail(desk)
    account = await desk.store.account("grace")
    assert account is not None
    status = "closed" if is_closed else "suspended"
    changed = msgspec.structs.replace(account, version=account.version + 1, status=status)
    await desk.store.save_account(changed, desk.deployment.now)
    await set_mail(desk.store, "grace", wanted=True)
    await queue(desk.deployment)
    assert await people_with_mail(desk.store) == (() if is_closed else ("grace",))
