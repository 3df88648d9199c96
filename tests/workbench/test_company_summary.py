"""The summary of a company: what speaks against it first, figures with their trend, reasons; and what was viewed last."""

import datetime as dt
import re

import pytest

from credence.blocks.values import Section, Tiles
from credence.sandbox.invented.companies import BANDS, STATES
from credence.sites.workbench.company import sparkline, summary_blocks
from credence.sites.workbench.recently_viewed import KEPT_MS, MAX_VIEWED
from credence.store.errors import StoreUnavailable
from tests.report.hand_made import company, filing, period
from tests.report.render.companies import report
from tests.workbench.conftest import OTHER, PLAIN, Desk, text_of


def test_a_falling_line_falls_has_a_gap_for_the_unknown_and_says_the_same_in_words() -> None:
    drawn = sparkline([20.0, None, 10.0, -10.0], "Cash: £20 in 2023")
    assert 'aria-label="Cash: £20 in 2023"' in drawn
    ends = [float(each) for each in re.findall(r'class="trend[^"]*" d="[^"]* ([\d.]+)"', drawn)]
    assert len(ends) == 2
    assert ends == sorted(ends)
    assert drawn.count("trend gap") == 1
    assert drawn.count('class="grid"') == 1
    assert 'class="down"' in drawn


def test_one_known_value_has_no_trend() -> None:
    assert sparkline([None, 10.0], "Cash") == ""


async def test_insolvency_and_reasons_for_caution_come_before_figures_reasons_and_the_decision(desk: Desk) -> None:
    page = text_of(await (await desk.reader()).get(f"/workbench/companies/{BANDS['E']}"))
    in_order = (
        "Insolvency event",
        "Net liabilities of £60,000",
        "Specimen",
        "Accounts to",
        "Why this score",
        "Decide on the limit",
        "Limit and terms",
        "The company",
    )
    places = [page.find(each) for each in in_order]
    assert -1 not in places
    assert places == sorted(places)


async def test_figures_stand_with_the_year_before_and_those_not_filed_are_said_to_be_unknown(desk: Desk) -> None:
    reader = await desk.reader()
    sound = text_of(await reader.get(f"/workbench/companies/{STATES['subsidiary']}"))
    for each in (
        "Turnover £2,400,000 up from £2,150,000",
        "Net assets £700,000 up from £600,000",
        "Cash £200,000 up from £160,000",
        "Profit £120,000 up from £90,000",
    ):
        assert each in sound
    small = text_of(await reader.get(f"/workbench/companies/{BANDS['E']}"))
    assert "Turnover \N{EN DASH} not in the newest accounts" in small
    assert "Cash £100 down from £1,000" in small


@pytest.mark.parametrize(
    ("newest", "tile"),
    [({"profit_before_tax": 100}, ("Profit before tax", "up from £90")), ({"profit": 80}, ("Profit", "up from £70"))],
)
def test_a_profit_before_tax_is_not_compared_with_one_after_it(newest: dict[str, float], tile: tuple[str, str]) -> None:
    years = (
        period(dt.date(2026, 3, 31), dt.date(2025, 4, 1), balanced=True, **newest),
        period(dt.date(2025, 3, 31), dt.date(2024, 4, 1), profit_before_tax=90, profit=70),
    )
    (section, *_) = summary_blocks(report(company(accounts=(filing(*years),))), "")
    assert isinstance(section, Section)
    (tiles,) = section.blocks
    assert isinstance(tiles, Tiles)
    assert (tiles.tiles[-1].name, tiles.tiles[-1].detail) == tile


def test_flows_of_periods_of_different_length_are_compared_as_of_whole_years() -> None:
    """From 1 October 2024 to 31 March 2026 are 547 days: 1,094 in them are 730 in 365 days, less than the 800 before."""
    years = (
        period(dt.date(2026, 3, 31), dt.date(2024, 10, 1), balanced=True, turnover=1_094, equity=60, profit=1_094),
        period(dt.date(2024, 9, 30), dt.date(2023, 10, 1), turnover=800, equity=50, profit=80),
    )
    (section, *_) = summary_blocks(report(company(accounts=(filing(*years),))), "")
    assert isinstance(section, Section)
    (tiles,) = section.blocks
    assert isinstance(tiles, Tiles)
    found = {each.name: (each.value, each.detail) for each in tiles.tiles}
    assert found["Turnover"] == ("£1,094", "a year £730, down from £800")
    assert found["Profit"] == ("£1,094", "a year £730, up from £80")
    assert found["Net assets"][1] == "up from £50"


async def test_a_summary_names_the_three_weightiest_reasons_and_leads_to_all(desk: Desk) -> None:
    page = (await (await desk.reader()).get(f"/workbench/companies/{BANDS['E']}")).body.decode()
    part = page.partition('aria-labelledby="weightiest"')[2].partition("</section>")[0]
    assert part.count("<li>") == 3
    assert f'href="/workbench/companies/{BANDS["E"]}/score"' in part


async def test_what_a_person_viewed_is_bounded_newest_first_their_own_and_forgotten_after_three_months(
    desk: Desk,
) -> None:
    reader, other = await desk.reader(), await desk.reader("bob")
    numbers = [PLAIN, OTHER, *BANDS.values(), *list(STATES.values())[:3]]
    for number in numbers:
        await reader.get(f"/workbench/companies/{number}")
    await reader.get(f"/workbench/companies/{OTHER}/score")
    assert await viewed(reader) == numbers[::-1][:MAX_VIEWED]
    await reader.get(f"/workbench/companies/{numbers[-3]}")
    assert await viewed(reader) == [numbers[-3], numbers[-1], numbers[-2], *numbers[::-1][3:MAX_VIEWED]]
    assert await viewed(other) == []
    desk.deployment.now += KEPT_MS
    await reader.browser.come("/workbench", "grace")
    assert await viewed(reader) == []


async def test_a_report_is_shown_while_the_store_takes_no_writes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = await desk.reader()

    async def full(*_: object) -> None:
        raise StoreUnavailable("disk full")

    monkeypatch.setattr(desk.store, "keep_answer", full)
    assert "Why this score" in text_of(await reader.get(f"/workbench/companies/{BANDS['E']}"))
    assert await viewed(reader) == []


async def viewed(reader: Desk) -> list[str]:
    """Return the companies under the heading of the start page, in order."""
    page = (await reader.get("/workbench")).body.decode()
    part = page.partition(">Recently viewed<")[2].partition("</table>")[0]
    return re.findall(r'href="/workbench/companies/([^"]+)"', part)
