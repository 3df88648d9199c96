"""The workbench of a new sandbox begins with a morning: a customer in liquidation is the first line, with its pounds."""

from credence import paths
from credence.sandbox.invented import companies
from tests.browser import browsing, sign_in_by_keyboard
from tests.running import RunningServer
from tests.waiting import wait_until

INSOLVENT = companies.STATES["insolvent"]


def test_a_customer_in_liquidation_is_the_first_line_with_its_pounds(sandbox: RunningServer) -> None:
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
    assert (entry["company_number"], entry["severity"]) == (INSOLVENT, "critical")
    assert entry["exposure"] == entry["at_risk"] == 18_500
    with browsing(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{sandbox.base_url}/workbench")
        sign_in_by_keyboard(page, sandbox.username, sandbox.password)
        page.get_by_role("heading", name="Today", level=1).wait_for()
        table = page.locator("table", has=page.get_by_role("button", name="Acknowledge").first).first
        row = table.locator("tbody tr").first
        assert "£18,500" in row.inner_text()
        assert "INVENTED INSOLVENT LIMITED" in row.inner_text()
        row.get_by_role("link", name="INVENTED INSOLVENT LIMITED").click()
        page.get_by_role("heading", name="Alerts: INVENTED INSOLVENT LIMITED").wait_for()
        page.goto(f"{sandbox.base_url}/workbench/book")
        assert "INVENTED INSOLVENT LIMITED" in page.locator("table tbody tr").first.inner_text()
