"""The saved views of the book: a person keeps filters under a name, opens them by a link and deletes them."""

import html
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from credence.store.portfolios import Portfolio
from credence.store.saved_views import SavedView, SavedViews, save_views, saved_views
from credence.telemetry.audit_files import DEEDS, newest, read_file
from tests.console.test_hostile_pages import elements_of
from tests.deployment import Reply
from tests.workbench.conftest import HOSTILE, Desk, text_of
from tests.workbench.test_book import BOOK, BOOK_LINES, with_book

MARKUP = HOSTILE.replace("\u202e", "").replace("\u200f", "")
HELD = f"{BOOK}?view=held&band=D&order=exposure"


async def save(reader: Desk, path: str, name: str) -> Reply:
    return await reader.do(path, "save-view", name=name)


async def links_of(reader: Desk, path: str = BOOK) -> dict[str, str]:
    """Return name -> address of the saved views that the page lists."""
    page = (await reader.get(path)).body.decode()
    found = re.search(r"<span>Your views</span>(.*?)</p>", page, re.DOTALL)
    pairs = re.findall(r'<a href="([^"]+)">(.*?)</a>', found[1]) if found else []
    return {html.unescape(name): html.unescape(address) for address, name in pairs}


def filters_of(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


def views_in_the_trail(desk: Desk) -> list[Mapping[str, Any]]:
    lines = read_file(newest(desk.deployment.service.settings.audit_folder, DEEDS))
    return [each for each in lines if str(each.get("act")).startswith("book view")]


async def test_filters_are_saved_under_a_name_opened_by_a_link_and_deleted(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    assert await links_of(reader) == {}
    saved = await save(reader, f"{HELD}&page=3&q=%20weak%20&other=1", " Losses in the north ")
    assert saved.status == 200
    links = await links_of(reader)
    wanted = {"q": ["weak"], "view": ["held"], "band": ["D"], "order": ["exposure"]}
    assert {name: filters_of(address) for name, address in links.items()} == {"Losses in the north": wanted}
    opened = text_of(await reader.get(links["Losses in the north"]))
    assert "1 customer " in opened
    assert "Your view Losses in the north Delete view" in opened
    assert "Save these filters" not in opened
    deleted = await reader.do(links["Losses in the north"], "delete-view")
    assert deleted.status == 200
    assert await links_of(reader) == {}
    deeds = [(each["act"], each["view"], each["changes"]) for each in views_in_the_trail(desk)]
    assert deeds == [
        ("book view save", "Losses in the north", {"views": {"before": [], "after": ["Losses in the north"]}}),
        ("book view delete", "Losses in the north", {"views": {"before": ["Losses in the north"], "after": []}}),
    ]


async def test_the_same_name_replaces_a_view_and_the_same_view_again_changes_nothing(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    for path in (f"{BOOK}?band=D", f"{BOOK}?band=E", f"{BOOK}?view=due"):
        assert (await save(reader, path, "Mine")).status == 200
    assert await links_of(reader) == {"Mine": f"{BOOK}?view=due"}
    views = await saved_views(desk.store, "grace", desk.deployment.application.client_id)
    page = (await reader.get(f"{BOOK}?band=D")).body.decode()
    token = re.findall(r'name="token" value="([^"]+)"', page)[0]
    fields = {"token": token, "act": "save-view", "name": "Mine"}
    assert (await reader.browser.post(f"{BOOK}?view=due", fields.items())).status == 200
    fields = {"token": token, "act": "delete-view", "name": "no such view"}
    assert (await reader.browser.post(BOOK, fields.items())).status == 200
    assert await saved_views(desk.store, "grace", desk.deployment.application.client_id) == views
    assert len(views_in_the_trail(desk)) == 3


async def test_a_view_is_seen_by_the_person_who_saved_it_and_for_that_application_alone(desk: Desk) -> None:
    grace, hedy = await desk.reader(), await desk.reader("hedy")
    await with_book(desk, *BOOK_LINES)
    await save(grace, HELD, "Mine")
    assert list(await links_of(grace)) == ["Mine"]
    assert await links_of(hedy) == {}
    other = await desk.deployment.another_application()
    await other.change_application(scopes=("credit:monitor",))
    first, second = desk.deployment.application.client_id, other.application.client_id
    await desk.store.save_portfolio(msgspec.structs.replace(await portfolio(desk), id="pf_two", owner=second), 10)
    await desk.store.watch("pf_two", [BOOK_LINES[0][0]], 10)
    await desk.deployment.change_account("grace", workbench_for=second)
    assert await links_of(grace) == {}
    await save(grace, f"{BOOK}?band=A", "Theirs")
    assert list(await links_of(grace)) == ["Theirs"]
    await desk.deployment.change_account("grace", workbench_for=first)
    assert list(await links_of(grace)) == ["Mine"]


async def portfolio(desk: Desk) -> Portfolio:
    found = await desk.store.portfolio("pf_book")
    assert found is not None
    return found


async def test_filters_that_no_longer_exist_are_left_out(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    await save(reader, f"{BOOK}?list=pf_book&band=D", "North")
    assert filters_of((await links_of(reader))["North"]) == {"band": ["D"], "list": ["pf_book"]}
    client_id = desk.deployment.application.client_id
    old = SavedView("Old", {"view": "gone", "order": "gone", "band": "Z", "section": "9", "list": "pf_gone", "x": "1"})
    kept = await saved_views(desk.store, "grace", client_id)
    await save_views(desk.store, msgspec.structs.replace(kept.having(old), version=kept.version + 1))
    assert (await links_of(reader))["Old"] == BOOK


async def test_a_name_with_markup_is_text_and_nothing_else(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    await save(reader, HELD, "Plain")
    clean = elements_of(await reader.get(HELD))
    assert "not allowed" in text_of(await save(reader, f"{BOOK}?band=D", MARKUP[:60]))
    client_id = desk.deployment.application.client_id
    kept = await saved_views(desk.store, "grace", client_id)
    hostile = kept.without("Plain").having(SavedView(MARKUP, {"view": "held", "band": "D", "order": "exposure"}))
    await save_views(desk.store, msgspec.structs.replace(hostile, version=kept.version + 1))
    page = await reader.get(HELD)
    assert elements_of(page) <= clean
    assert text_of(page).count("<script>alert(1)</script>") == 2
    await reader.do(HELD, "delete-view")
    assert await links_of(reader) == {}


async def test_what_is_no_name_or_no_filter_is_refused_with_what_to_do(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    for path, name, said in (
        (HELD, " ", "A name has 1 to 60 characters."),
        (HELD, "x" * 61, "A name has 1 to 60 characters."),
        (HELD, "a\x07b", "Enter a single line of text."),
        (HELD, HOSTILE, "Enter a single line of text."),
    ):
        page = await save(reader, path, name)
        assert (page.status, said in text_of(page)) == (422, True), name
    form = (await reader.get(HELD)).body.decode()
    token = re.findall(r'name="token" value="([^"]+)"', form)[0]
    fields = {"token": token, "act": "save-view", "name": "All"}
    for query in ("", "?view=all&order=risk", "?band=Z&list=pf_other"):
        refused = await reader.browser.post(f"{BOOK}{query}", fields.items())
        assert "Choose a filter or an order first." in text_of(refused), query
    assert await links_of(reader) == {}
    assert (await save(reader, HELD, "x" * 60)).status == 200


async def test_a_31st_view_is_refused_until_one_is_deleted(desk: Desk) -> None:
    reader = await desk.reader()
    await with_book(desk, *BOOK_LINES)
    client_id = desk.deployment.application.client_id
    views = tuple(SavedView(f"V{place:02}", {"q": str(place)}) for place in range(30))
    await save_views(desk.store, SavedViews("grace", client_id, 1, {client_id: views}))
    refused = await save(reader, HELD, "One more")
    assert refused.status == 422
    assert "You have 30 saved views. Delete one before you save another." in text_of(refused)
    assert (await save(reader, HELD, "V07")).status == 200
    assert (await reader.do(f"{BOOK}?q=3", "delete-view")).status == 200
    assert (await save(reader, HELD, "One more")).status == 200
    assert len(await links_of(reader)) == 30
