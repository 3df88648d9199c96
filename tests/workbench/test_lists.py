"""Lists in the workbench: made, filled, sorted, changed by two people at once, taken in and out as CSV (D31, threats F2)."""

import asyncio
import csv
import dataclasses
import io
import shutil
from typing import Any, cast

from credence import paths
from credence.sandbox.provision import POLICY
from credence.sites.workbench import one_list
from credence.sites.workbench.list_export import PIECE
from credence.store.portfolios import RuleSetting, WatchedCompany
from credence.web.asgi import AsgiApplication
from tests.console.test_hostile_pages import elements_of
from tests.deployment import Reply
from tests.monitoring_calls import call
from tests.workbench.conftest import HOSTILE, HOSTILE_COMPANY, OTHER, PAGE_BYTES, PLAIN, Desk, text_of

LISTS = "/workbench/lists"


async def with_list(reader: Desk, name: str = "North") -> str:
    """Create a list and return its address."""
    made = await reader.do(LISTS, "make", name=name, reference="R-1")
    assert made.status == 303, text_of(made)
    return made.headers["location"]


async def filled(reader: Desk) -> str:
    address = await with_list(reader)
    rows = f"{PLAIN},C-1,9000,GBP,late\n{OTHER},C-2,,,\n{HOSTILE_COMPANY},C-3,5,EUR,"
    assert (await reader.do(address, "import", rows=rows)).status == 200
    return address


async def test_a_list_of_the_workbench_is_a_portfolio_of_the_application(desk: Desk) -> None:
    """What a person makes, a program of the same application reads, and the other way round."""
    reader = await desk.reader()
    address = await with_list(reader)
    of_api = (await call(desk.deployment, "GET", paths.PORTFOLIOS)).json["portfolios"]
    assert [(each["name"], each["reference"]) for each in of_api] == [("North", "R-1")]
    await call(desk.deployment, "POST", paths.PORTFOLIOS, {"name": "By a program"})
    assert "By a program" in text_of(await reader.get(LISTS))
    assert (await reader.get(address)).status == 200


async def test_companies_are_added_one_by_one_with_what_is_said_of_them(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    said = {"number": "1234567", "exposure": "£9,000", "currency": "", "reference": "C-1", "note": "late"}
    page = await reader.do(address, "add", **said)
    assert page.status == 200
    (kept,) = await desk.store.watched(address.rpartition("/")[2], "", 9)
    assert (kept.company, kept.exposure, kept.currency, kept.reference, kept.note) == (
        PLAIN,
        9000,
        "GBP",
        "C-1",
        "late",
    )


async def test_what_cannot_be_taken_is_said_beside_its_field_and_nothing_typed_is_lost(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    good = {"number": PLAIN, "exposure": "5", "currency": "GBP", "reference": "mine", "note": "kept"}
    for field, bad in (
        ("number", "xyz"),
        ("exposure", "-5"),
        ("exposure", "1e3"),
        ("currency", "pounds"),
        ("reference", "x" * 101),
        ("note", "a\u202eb"),
        ("note", "<script>alert(1)</script>"),
    ):
        page = await reader.do(address, "add", **(good | {field: bad}))
        assert page.status == 422, (field, bad)
        text = page.body.decode()
        assert 'aria-invalid="true"' in text.partition(f'id="add-{field}"')[2].partition(">")[0], (field, bad)
        assert 'value="mine"' in text or field == "reference"
    assert await desk.store.count_watched(address.rpartition("/")[2]) == 0


async def test_many_lines_get_a_result_each_and_the_download_can_be_pasted_back(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    rows = f"company_number,exposure,note\n{PLAIN},9000,=1+1\n{OTHER},,\nxyz,1,\n{PLAIN},9000,=1+1\n{OTHER},-1,"
    page = await reader.do(address, "import", rows=rows)
    assert page.status == 200
    said = text_of(page)
    assert "2 added, 2 refused, 1 unchanged" in said
    assert "This is not a company number." in said
    exported = await reader.get(f"{address}/companies.csv")
    assert exported.headers["content-type"] == "text/csv; charset=utf-8"
    table = list(csv.DictReader(io.StringIO(exported.body.decode())))
    assert [(each["company_number"], each["exposure"], each["note"]) for each in table] == [
        (PLAIN, "9000", "'=1+1"),
        (OTHER, "", ""),
    ]
    again = await reader.do(address, "import", rows=exported.body.decode())
    assert "2 unchanged" in text_of(again)


async def test_a_long_list_is_read_while_it_is_downloaded(desk: Desk) -> None:
    """threats P1: the download has a company that is added while its first part is sent."""
    reader = await desk.reader()
    address = await with_list(reader)
    identity, companies = address.rpartition("/")[2], [WatchedCompany(f"{number:08}") for number in range(1, 3_101)]
    await desk.store.watch(identity, companies[:-1], len(companies))

    async def adding(scope: Any, receive: Any, send: Any) -> None:
        async def add(message: Any) -> None:
            if message.get("body"):
                await desk.store.watch(identity, companies[-1:], len(companies))
            await send(message)

        await desk.deployment.asgi(scope, receive, add)

    at_the_wire = Desk(dataclasses.replace(desk.deployment, asgi=cast("AsgiApplication", adding)), reader.cookies)
    exported = await at_the_wire.get(f"{address}/companies.csv")
    table = list(csv.DictReader(io.StringIO(exported.body.decode())))
    assert [each["company_number"] for each in table] == [each.company for each in companies]


async def test_the_download_of_a_long_list_has_the_scores_that_its_page_has(desk: Desk) -> None:
    reader = await desk.reader()
    columns = ("name", "band", "score", "limit")

    async def downloaded(address: str, *companies: str) -> list[tuple[str, ...]]:
        identity = address.rpartition("/")[2]
        await desk.store.watch(identity, [WatchedCompany(each) for each in companies], len(companies))
        exported = await reader.get(f"{address}/companies.csv")
        table = {each["company_number"]: each for each in csv.DictReader(io.StringIO(exported.body.decode()))}
        assert len(table) == len(companies)
        return [tuple(table[each][name] for name in columns) for each in (PLAIN, OTHER)]

    short = await downloaded(await with_list(reader), PLAIN, OTHER)
    assert all(score.isdigit() for _, _, score, _ in short)
    unknown = [f"{number:08}" for number in range(1, 2 * PIECE + 1)]
    assert await downloaded(await with_list(reader), PLAIN, OTHER, *unknown) == short


async def test_no_cell_of_the_download_is_a_formula(desk: Desk) -> None:
    """OWASP, CSV injection."""
    reader = await desk.reader()
    address = await with_list(reader)
    assert (await reader.do(address, "add", number=PLAIN)).status == 200
    signs = "=+-@\uff1d\uff0b\uff0d\uff20"
    for sign in signs:
        said = await reader.do(f"{address}/{PLAIN}", "change", reference=f"{sign}1", note=f"{sign}A1")
        assert said.status == 200
        table = list(csv.reader(io.StringIO((await reader.get(f"{address}/companies.csv")).body.decode())))
        assert not any(cell[:1] in set(signs) for row in table for cell in row)


async def test_a_list_is_sorted_and_filtered_by_what_is_known(desk: Desk) -> None:
    reader = await desk.reader()
    address = await filled(reader)

    async def order(query: str) -> list[str]:
        text = (await reader.get(f"{address}?{query}")).body.decode()
        return sorted((number for number in (PLAIN, OTHER, HOSTILE_COMPANY) if f'/{number}">' in text), key=text.find)

    assert await order("") == [PLAIN, HOSTILE_COMPANY, OTHER]
    assert await order("order=exposure") == [PLAIN, HOSTILE_COMPANY, OTHER]
    assert await order("order=name") == [HOSTILE_COMPANY, OTHER, PLAIN]
    assert await order("q=c-2") == [OTHER]
    assert await order("q=late") == [PLAIN]
    assert await order("order=unknown&band=unknown") == []


async def test_a_long_list_is_shown_page_by_page(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    rows = "\n".join(f"{number:08}" for number in range(1, 62))
    await reader.do(address, "import", rows=rows)
    first = await reader.get(address)
    assert len(first.body) <= PAGE_BYTES
    second = await reader.get(f"{address}?page=1")
    assert "companies/00000050" in first.body.decode()
    assert "companies/00000051" in second.body.decode()
    assert "companies/00000050" not in second.body.decode()


async def test_the_second_of_two_tabs_does_not_replace_what_the_first_saved(desk: Desk) -> None:
    """The form carries the entity tag: the page shows the stored values, and keeps the values that were entered."""
    reader = await desk.reader()
    address = await filled(reader)
    tag = tag_in(await reader.get(f"{address}/{PLAIN}"))
    assert (await reader.do(f"{address}/{PLAIN}", "change", exposure="7000", currency="GBP")).status == 200
    late = await reader.do(f"{address}/{PLAIN}", "change", exposure="1", currency="GBP", note="mine", tag=tag)
    assert late.status == 409
    assert "£7,000" in text_of(late)
    assert 'value="mine"' in late.body.decode()
    tag = tag_in(await reader.get(f"{address}/rules"))
    assert (await reader.do(f"{address}/rules", "change", name="South", **{"rule-status": "1"})).status == 200
    late = await reader.do(f"{address}/rules", "change", name="West", tag=tag)
    assert late.status == 409
    assert "called South, with the rules status" in text_of(late)
    assert 'value="West"' in late.body.decode()
    assert (await reader.do(f"{address}/rules", "delete", sure="1", tag=tag)).status == 409


async def test_two_tabs_at_once_do_not_lose_what_one_of_them_saved(desk: Desk) -> None:
    """Both forms were opened before either was sent, and are sent at the same time."""
    reader = await desk.reader()
    address = await filled(reader)
    ways: dict[str, list[tuple[str, dict[str, str]]]] = {
        f"{address}/{PLAIN}": [("change", {"exposure": "7000"}), ("change", {"exposure": "1"})],
        f"{address}/{OTHER}": [("remove", {"sure": "1"}), ("change", {"exposure": "1"})],
        address: [("add", {"number": "09999991", "note": note}) for note in ("one", "two")],
        f"/workbench/companies/{OTHER}": [
            ("watch", {"list": address.rpartition("/")[2], "note": note}) for note in ("one", "two")
        ],
    }
    for path, forms in ways.items():
        pages = await asyncio.gather(*(reader.do(path, act, **fields) for act, fields in forms))
        assert sorted(page.status for page in pages) in ([200, 409], [303, 409], [303, 404]), path
    again = await reader.do(address, "add", number="09999991", note="three")
    assert (again.status, "Change it on its own page" in text_of(again)) == (409, True)
    assert 'value="three"' in again.body.decode()


def tag_in(page: Reply) -> str:
    return page.body.decode().partition('name="tag" value="')[2].partition('"')[0].replace("&#34;", '"')


async def test_rules_are_chosen_with_their_parameters_and_those_of_programs_stay(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    identity = address.rpartition("/")[2]
    rules = [{"rule": "score", "by": 5}, {"rule": "score", "below": 30}, {"rule": "name"}]
    etag = (await call(desk.deployment, "GET", f"{paths.PORTFOLIOS}/{identity}")).headers["etag"]
    await call(desk.deployment, "PATCH", f"{paths.PORTFOLIOS}/{identity}", {"rules": rules}, if_match=etag)
    typed = {"name": "North", "rule-score": "1", "by-score": "7", "rule-charge": "1", "kinds-charge": "satisfied"}
    assert (await reader.do(f"{address}/rules", "change", **typed)).status == 200
    kept = await desk.store.portfolio(identity)
    assert kept is not None
    assert set(kept.rules) == {
        RuleSetting("score", by=7),
        RuleSetting("score", below=30),
        RuleSetting("charge", kinds=("satisfied",)),
    }
    folder = desk.deployment.service.settings.policy_folder
    folder.mkdir()
    shutil.copy(POLICY, folder)
    decides = typed | {"rule-decision": "1", "policy-decision": "trade-credit", "kinds-decision": "refer decline"}
    assert (await reader.do(f"{address}/rules", "change", **decides)).status == 200
    kept = await desk.store.portfolio(identity)
    assert kept is not None
    assert RuleSetting("decision", policy="trade-credit", kinds=("refer", "decline")) in kept.rules
    wrong = (("by-score", "many"), ("by-score", "-1"), ("kinds-charge", "eaten"), ("policy-decision", "none"))
    too_much = (("by-score", "9" * 15), ("kinds-charge", "x" * 101), ("policy-decision", "x" * 101))
    typed = decides
    for field, value in (*wrong, *too_much):
        page = await reader.do(f"{address}/rules", "change", **(typed | {field: value}))
        assert page.status == 422, (field, value)
        assert 'aria-invalid="true"' in page.body.decode().partition(f'id="change-{field}"')[2].partition(">")[0]


async def test_a_preview_counts_and_stores_nothing(desk: Desk) -> None:
    reader = await desk.reader()
    address = await filled(reader)
    before = await desk.store.portfolio(address.rpartition("/")[2])
    page = await reader.do(f"{address}/rules", "preview", name="Other name", **{"rule-name": "1"})
    assert page.status == 200
    assert "The name changed. 0 0 0" in text_of(page)
    assert 'value="Other name"' in page.body.decode()
    assert await desk.store.portfolio(address.rpartition("/")[2]) == before
    wrong = await reader.do(f"{address}/rules", "preview", name="North", **{"rule-score": "1", "by-score": "many"})
    assert wrong.status == 422
    assert 'href="#change-by-score"' in wrong.body.decode()


async def test_a_company_and_a_list_end_only_after_the_box_is_ticked(desk: Desk) -> None:
    reader = await desk.reader()
    address = await filled(reader)
    for path, act in ((f"{address}/{OTHER}", "remove"), (f"{address}/rules", "delete")):
        assert (await reader.do(path, act)).status == 422
        assert (await reader.do(path, act, sure="1")).status == 303
        assert (await reader.get(path)).status == 404


async def test_a_company_is_watched_from_its_page(desk: Desk) -> None:
    reader = await desk.reader()
    address = await with_list(reader)
    path = f"/workbench/companies/{PLAIN}"
    done = await reader.do(path, "watch", list=address.rpartition("/")[2], exposure="5")
    assert (done.status, done.headers["location"]) == (303, address)
    assert (await reader.do(path, "watch", list="pf_other")).status == 422


async def test_names_are_text_on_every_screen_of_a_list(desk: Desk) -> None:
    reader = await desk.reader()
    address = await filled(reader)
    pages = [address, f"{address}/rules", f"{address}/{HOSTILE_COMPANY}", LISTS]
    clean = set().union(*[elements_of(await reader.get(each)) for each in (*pages, f"{address}/{PLAIN}")])
    kept = await desk.store.portfolio(address.rpartition("/")[2])
    assert kept is not None
    await desk.store.save_portfolio(
        type(kept)(kept.id, kept.owner, HOSTILE * 100, kept.created_at, 2, HOSTILE, kept.rules)
    )
    for path in pages:
        page = await reader.get(path)
        assert elements_of(page) <= clean, path
        assert len(page.body) <= PAGE_BYTES
        shown = page.body.decode()
        assert "<script>alert" not in shown
        assert path.endswith("rules") or "\u202e" not in shown


async def test_a_form_of_another_site_or_another_session_does_nothing(desk: Desk) -> None:
    """threats E5."""
    reader, other = await desk.reader(), await desk.reader("hedy")
    foreign = (await other.get(LISTS)).body.decode().partition('name="token" value="')[2].partition('"')[0]
    assert (await reader.do(LISTS, "make", name="x", token=foreign)).status == 400
    assert (await reader.do(LISTS, "make", ("Sec-Fetch-Site", "cross-site"), name="x")).status == 400
    assert await desk.store.portfolios() == []


async def test_a_form_larger_than_others_is_read_of_a_person_who_is_signed_in_alone(desk: Desk) -> None:
    """threats P1."""
    reader = await desk.reader()
    address = await with_list(reader)
    rows = "\n".join(f"{number:08},reference of this company,1,GBP,a note" for number in range(1, 2_001))
    assert "2,000 added" in text_of(await reader.do(address, "import", rows=rows))
    assert (await desk.browser.post(address, [("rows", rows)])).status == 303
    assert len(rows) < one_list.MAX_FORM_OCTETS
