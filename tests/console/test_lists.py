"""Searches of the lists, which end early and go on with the next page."""

import html
import re

import msgspec
import pytest

from credence.identity import accounts
from credence.sites.kit import lists
from tests.console.conftest import Console, text_of
from tests.deployment import NOW, ada


async def test_a_search_that_ended_early_says_so_and_goes_on(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the link, an account behind those that were read would count as absent."""
    support = await console.operator("support")
    for name in ("bea", "cem", "zoe"):
        registered = accounts.register(name, "user", ada().password_hash, NOW)
        await console.main.store.save_account(msgspec.structs.replace(registered, first_name="Zed"), NOW)
    monkeypatch.setattr(lists, "FETCHED_ROWS", 1)
    monkeypatch.setattr(lists, "MAX_FETCHES", 2)
    address, pages = "/console/accounts?q=ZOE", 0
    while "zoe" not in (said := text_of(page := await support.browser.get(address)).partition("Invite a person")[0]):
        pages += 1
        assert "No matches so far" in said
        assert "No account matches" not in said
        found = re.search(r'class="pager"><a href="([^"]+)">Continue searching<', page.body.decode())
        assert found is not None
        address = html.unescape(found[1])
    assert pages == 2  # of ada, bea, cem, of-support, zoe two are read at a time
    monkeypatch.undo()
    said = text_of(await support.browser.get("/console/accounts?q=nobody-at-all"))
    assert "No account matches" in said
    assert "None is among" not in said


async def test_each_cell_of_a_list_has_its_heading_for_a_card_and_the_log_stays_a_table(console: Console) -> None:
    support = await console.operator("support")
    found = (await support.browser.get("/console/accounts")).body.decode()
    assert '<table class="cards">' in found
    assert '<td data-name="State">' in found
    console.main.write_request_log()
    log = (await support.browser.get("/console/log")).body.decode()
    assert '<tr class="group">' in log
    assert "<td data-name" not in log
