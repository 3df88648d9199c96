"""The workbench of a new sandbox begins with a morning: what fails this week is the first line, with its pounds."""

from credence import paths
from tests.browser import browsing, sign_in_by_keyboard
from tests.running import RunningServer
from tests.waiting import wait_until

FAILING = "99999940"
"""By `companies.toml`: its liquidator was appointed in this week. By `book.toml` it owes £64,200."""


def test_the_customer_that_fails_this_week_is_the_first_line_with_its_pounds_and_its_history(
    sandbox: RunningServer,
) -> None:
    form = {
        "grant_type": "password",
        "scope": "credit:monitor",
        "username": sandbox.username,
        "password": sandbox.password,
    }
    token = sandbox.client.post(paths.TOKEN, data=form, auth=(sandbox.client_id, sandbox.client_secret)).json()
    header = {"Authorization": f"Bearer {token['access_token']}"}

    def alerts() -> list[dict[str, object]]:
        found: list[dict[str, object]] = sandbox.client.get(paths.COMPANY_ALERTS, headers=header).json()["alerts"]
        return found

    wait_until(lambda: bool(alerts()), 20)
    entry = alerts()[0]
    assert (entry["company_number"], entry["severity"]) == (FAILING, "critical")
    assert entry["exposure"] == entry["at_risk"] == 64_200
    found = sandbox.client.get(f"{paths.MONITORING}/book/customers?view=worse", headers=header).json()["customers"]
    assert [(each["company_number"], each["band_month_ago"], each["band"]) for each in found] == [(FAILING, "D", "E")]
    with browsing(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{sandbox.base_url}/workbench")
        sign_in_by_keyboard(page, sandbox.username, sandbox.password)
        page.get_by_role("heading", name="Today", level=1).wait_for()
        table = page.locator("table", has=page.get_by_role("button", name="Acknowledge").first).first
        row = table.locator("tbody tr").first
        assert "£64,200" in row.inner_text()
        assert "Liquidator appointed in a voluntary liquidation" in row.inner_text()
        assert "INVENTED SCAFFOLDERS LIMITED" in row.inner_text()
        row.get_by_role("link", name="INVENTED SCAFFOLDERS LIMITED").click()
        page.get_by_role("heading", name="Alerts: INVENTED SCAFFOLDERS LIMITED").wait_for()
        page.goto(f"{sandbox.base_url}/workbench/book")
        assert "INVENTED SCAFFOLDERS LIMITED" in page.locator("table tbody tr").first.inner_text()
        assert page.get_by_role("heading", name="40 customers").count() == 1
        page.goto(f"{sandbox.base_url}/workbench/companies/{FAILING}")
        history = page.locator("table", has_text="Second person").inner_text()
        assert "invented-manager" in history
        assert "£45,000" in history
