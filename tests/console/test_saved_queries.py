"""Queries of the log that an operator saves under names, for themselves alone (issue 17, D30)."""

import html
import re

import pytest

from credence.store.saved_queries import SavedQuery
from credence.telemetry.audit_files import DEEDS, files_in_order, read_file
from tests.console.conftest import Console, text_of
from tests.deployment import Reply

LOG = "/console/log"


def saved_on(page: Reply) -> list[tuple[str, str]]:
    """Text and address of the links to saved queries."""
    line = re.search(r"<span>Saved</span>(.*?)</p>", page.body.decode())
    links = re.findall(r'<a href="([^"]+)">(.*?)</a>', line[1]) if line else []
    return [(html.unescape(text), html.unescape(address)) for address, text in links]


async def kept_by(console: Console, username: str) -> tuple[SavedQuery, ...]:
    account = await console.main.store.account(username)
    assert account is not None
    return account.saved_queries


async def test_a_query_is_saved_opened_replaced_and_deleted(console: Console) -> None:
    support, other = await console.operator("support"), await console.operator("operator")
    page = await support.browser.get(f"{LOG}?q=status:401")
    assert 'id="save-query-query" name="query" value="status:401"' in page.body.decode()
    assert "Delete a saved query" not in text_of(page)
    page = await support.do(LOG, "save-query", name=" Refused log-ins ", query="status:401 account:ada")
    assert saved_on(page) == [("Refused log-ins", f"{LOG}?q=status%3A401+account%3Aada")]
    assert saved_on(await other.browser.get(LOG)) == []
    await console.main.set_status("suspended")
    await console.main.login()
    console.main.write_request_log()
    assert "account.suspended" in text_of(await support.browser.get(saved_on(page)[0][1]))

    await support.do(LOG, "save-query", name="Faults", query="status:5xx")
    page = await support.do(LOG, "save-query", name="Refused log-ins", query="status:403")
    assert saved_on(page) == [("Refused log-ins", f"{LOG}?q=status%3A403"), ("Faults", f"{LOG}?q=status%3A5xx")]
    labels = re.findall(r"<label for[^>]*>([^<]+)</label>", page.body.decode())
    assert sorted(labels) == ["Name", "Query", "Query line", "Saved query"]  # no two fields read alike
    page = await support.do(LOG, "delete-query", saved="Refused log-ins")
    assert (page.status, saved_on(page)) == (200, [("Faults", f"{LOG}?q=status%3A5xx")])
    folder = console.main.service.settings.audit_folder
    lines = [line for file in files_in_order(folder, DEEDS) for line in read_file(file) if line["event"] == "operator"]
    assert [(each["act"], each["operator"], each["saved_query"]) for each in lines] == [
        ("log save-query", "of-support", "Refused log-ins"),
        ("log save-query", "of-support", "Faults"),
        ("log save-query", "of-support", "Refused log-ins"),
        ("log delete-query", "of-support", "Refused log-ins"),
    ]


@pytest.mark.parametrize(
    ("name", "query", "field"),
    [
        ("", "status:401", "name"),
        ("x" * 61, "status:401", "name"),
        ("\u202eevil", "status:401", "name"),
        ("two\nlines", "status:401", "name"),
        ("Many", "status:many", "query"),
        ("Empty", " ", "query"),
        ("Long", "x" * 201, "query"),
        ("Long", "\N{POUND SIGN}" * 101, "query"),
        ("Turned", "account:\u202eada", "query"),
    ],
)
async def test_what_cannot_be_saved_is_explained_at_its_field(
    console: Console, name: str, query: str, field: str
) -> None:
    support = await console.operator("support")
    page = await support.do(LOG, "save-query", name=name, query=query)
    assert (page.status, f'href="#save-query-{field}"' in page.body.decode()) == (422, True)
    assert await kept_by(console, "of-support") == ()


async def test_twenty_are_kept_and_a_further_one_takes_the_place_of_its_name_alone(console: Console) -> None:
    support = await console.operator("support")
    twenty = tuple(SavedQuery(f"Number {number}", "since:1h") for number in range(20))
    await console.main.change_account("of-support", saved_queries=twenty[:19])
    assert (await support.do(LOG, "save-query", name="Number 19", query="since:1h")).status == 200
    refused = await support.do(LOG, "save-query", name="One more", query="since:1h")
    assert (refused.status, await kept_by(console, "of-support")) == (422, twenty)
    assert (await support.do(LOG, "save-query", name="Number 7", query="since:2h")).status == 200
    assert (await kept_by(console, "of-support"))[7] == SavedQuery("Number 7", "since:2h")
    gone = await support.do(LOG, "delete-query", saved="One more")
    assert (gone.status, 'href="#delete-query-saved"' in gone.body.decode()) == (422, True)
