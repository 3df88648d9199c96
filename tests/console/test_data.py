"""The screen of the data: what was loaded when, and holding a source with its effect shown first."""

from pathlib import Path

from credence.datasets import catalogue
from credence.datasets.loading.load import load_register
from credence.scoring.runs.run import score_all
from tests.console.conftest import Console, text_of
from tests.console.test_acts import deeds
from tests.datasets.snapshots import company, write
from tests.scoring.runs.test_run import A_DAY, DAY_1, load

PATH = "/console/data"


async def test_a_source_is_held_after_its_effect_was_shown_and_released_again(console: Console, tmp_path: Path) -> None:
    folder = console.main.service.settings.credit_folder
    load_register([write(tmp_path / "BasicCompanyData-1970-01-01.csv", company("00000001"))], folder, 1_000)
    operator = await console.operator("operator")
    shown = await operator.do(PATH, "data-hold-effect", source="register", reason="It is incomplete.")
    assert (
        "This is a preview; nothing has changed yet. The result would be: register is held. Served: 1 company, as of "
        "1970-01-01. Loads of it are refused."
    ) in text_of(shown)
    assert 'value="It is incomplete."' in shown.body.decode()  # the entered value is still there
    assert catalogue.read(folder).holds == {}
    held = await operator.do(PATH, "data-hold", source="register", reason="It is incomplete.")
    assert "register is held." in text_of(held)
    assert "register has been on hold since 2023-11-14 by of-operator: It is incomplete." in text_of(held)
    released = await operator.do(PATH, "data-release", source="register")
    assert "register is released." in text_of(released)
    assert "register is not held." in text_of(await operator.do(PATH, "data-release", source="register"))
    assert [act for act, _, _ in deeds(console)] == ["data hold", "data release"]


async def test_a_hold_that_is_not_possible_is_refused_at_its_field(console: Console) -> None:
    operator = await console.operator("operator")
    for act, values, field in (
        ("data-hold", {"source": "register", "reason": " "}, "reason"),
        ("data-hold", {"source": "nothing", "reason": "x"}, "source"),
    ):
        page = await operator.do(PATH, act, **values)
        assert (page.status, f'href="#{act}-{field}"' in page.body.decode()) == (422, True), (act, values)
    assert deeds(console) == []


async def test_the_loads_say_what_is_unknown(console: Console, tmp_path: Path) -> None:
    folder = console.main.service.settings.credit_folder
    file = write(tmp_path / "BasicCompanyData-1970-01-01.csv", company("00000001"), company("00000001"))
    load_register([file], folder, 1_000)
    reader = await console.operator("reader")
    said = " ".join(text_of(await reader.browser.get(PATH)).split())
    assert "1970-01-01 00:00:01 register 1 Jan 1970" in said
    entry = catalogue.read(folder).sources["register"]
    catalogue.update(
        folder,
        lambda _: catalogue.Catalogue(
            1,
            {
                "register": catalogue.CatalogueEntry(
                    file=entry.file,
                    publisher="",
                    licence="",
                    as_of=None,
                    loaded_at=1_000,
                    layout=entry.layout,
                    companies=1,
                    facts=1,
                )
            },
        ),
    )
    said = " ".join(text_of(await reader.browser.get(PATH)).split())
    assert "register \N{EN DASH} unknown unknown unknown 1" in said


async def test_two_runs_are_compared_and_what_is_unknown_is_said(console: Console) -> None:
    folder = console.main.service.settings.credit_folder
    reader = await console.operator("reader")
    assert "Nothing has been scored yet" in text_of(await reader.browser.get(f"{PATH}/runs"))
    load(folder, n00000001={}, n00000002={})
    score_all(folder, DAY_1)
    load(folder, n00000001={}, n00000002={"Accounts_NextDueDate": "12/10/2026"})
    score_all(folder, DAY_1 + A_DAY)
    said = " ".join(text_of(await reader.browser.get(f"{PATH}/runs")).split())
    assert "What changed from run 1 to run 2" in said
    assert "Score changed 1" in said
    assert "-4 to -1 1" in said
    said = " ".join(text_of(await reader.browser.get(f"{PATH}/runs?run=2&since=fitting")).split())
    assert "Drift of the inputs since the fitting data" in said
    wrong = await reader.browser.get(f"{PATH}/runs?run=9")
    assert (wrong.status, "There is no scoring run" in text_of(wrong)) == (200, True)
