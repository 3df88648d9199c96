"""Ledgers over HTTP and on the command line: uploaded, taken, and the customers read (D31)."""

from pathlib import Path

from credence import paths
from tests.cli.deployment import Deployment as OfCommands
from tests.deployment import Deployment
from tests.monitoring_calls import call, portfolio

LEDGER = (
    b"A/C,Name,Company number,Balance,Current,Older\r\n"
    b"P1,Plain Trading,01234567,1250.50,1000.00,250.50\r\nU1,Unknown,,9,9,\r\n"
)


async def test_a_program_uploads_a_ledger_takes_it_and_reads_the_customers(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    sent = await call(deployment, "POST", f"{made}/ledgers?file_name=debtors.csv", LEDGER, content_type="text/csv")
    assert sent.status == 201
    assert {each["of"]: each["columns"] for each in sent.json["columns"]} == {
        "reference": ["A/C"],
        "name": ["Name"],
        "company_number": ["Company number"],
        "balance": ["Balance"],
        "current": ["Current"],
        "over_90": ["Older"],
    }
    assert sent.json["sample"][0][1] == "Plain Trading"
    address = sent.headers["location"]
    body = {"as_of": "2023-10-31"}
    taken = await call(deployment, "POST", f"{address}/take", body)
    assert (taken.status, taken.json["state"], taken.json["added"], taken.json["total"]) == (200, "taken", 2, 125_950)
    first = await call(deployment, "GET", f"{made}/customers?page_size=1")
    (customer,) = first.json["customers"]
    assert (customer["company_number"], customer["state"], customer["over_90"]) == ("01234567", "number", 25_050)
    following = await call(deployment, "GET", f"{made}/customers?page_token={first.json['next_page_token']}")
    assert [each["state"] for each in following.json["customers"]] == ["waiting"]
    watched = await call(deployment, "GET", f"{made}/companies")
    assert watched.json["companies"] == [
        {"company_number": "01234567", "reference": "P1", "exposure": 1_251, "currency": "GBP"}
    ]
    assert (await call(deployment, "POST", f"{address}/take", body)).status == 409
    listed = await call(deployment, "GET", f"{made}/ledgers")
    assert [each["file_name"] for each in listed.json["ledgers"]] == ["debtors.csv"]


async def test_a_refused_ledger_names_line_column_and_cure_and_changes_nothing(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    bad = LEDGER.replace(b"1250.50", b"lots")
    sent = await call(deployment, "POST", f"{made}/ledgers", bad, content_type="text/csv")
    refused = await call(deployment, "POST", f"{sent.headers['location']}/take", {"as_of": "2023-10-31"})
    assert refused.status == 422
    assert "Line 2, Balance: This is not an amount." in refused.json["detail"]
    assert (await call(deployment, "GET", f"{made}/customers")).json["customers"] == []
    columns = [{"of": "name", "columns": ["Nom"]}, {"of": "balance", "columns": ["Balance"]}]
    unknown = {"columns": columns, "as_of": "2023-10-31"}
    assert (await call(deployment, "POST", f"{sent.headers['location']}/take", unknown)).status == 422
    late = {"as_of": "2024-10-31"}
    assert (await call(deployment, "POST", f"{sent.headers['location']}/take", late)).status == 422


async def test_a_ledger_is_its_applications_and_has_a_known_form(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    sent = await call(deployment, "POST", f"{made}/ledgers", LEDGER, content_type="text/csv")
    other = await deployment.another_application()
    for method, target in (
        ("GET", sent.headers["location"]),
        ("POST", f"{sent.headers['location']}/take"),
        ("GET", f"{made}/customers"),
        ("GET", f"{made}/ledgers"),
    ):
        assert (await call(other, method, target, {} if method == "POST" else None)).status == 404
    assert (await call(other, "POST", f"{made}/ledgers", LEDGER, content_type="text/csv")).status == 404
    assert (await call(deployment, "POST", f"{made}/ledgers", LEDGER, content_type="image/png")).status == 415
    assert (await call(deployment, "POST", f"{made}/ledgers", b"", content_type="text/csv")).status == 422
    assert (await call(deployment, "GET", f"{paths.MONITORING}/ledgers/up_0")).status == 404


def test_an_operator_uploads_and_takes_a_ledger_by_command(tmp_path: Path) -> None:
    commands, file = OfCommands(tmp_path / "data"), tmp_path / "debtors.csv"
    file.write_bytes(LEDGER)
    owner = commands.json("app", "create", "Shop")["client_id"]
    made = commands.json("portfolio", "make", owner, "Customers")["id"]
    upload = commands.json("ledger", "upload", made, str(file))
    assert (upload["state"], upload["lines"]) == ("read", 2)
    taken = commands.json("ledger", "take", upload["id"], "--as-of", "2026-01-31", "--absent", "kept")
    assert (taken["state"], taken["added"], taken["as_of"]) == ("taken", 2, "2026-01-31")
    assert [each["reference"] for each in commands.json("portfolio", "customers", made)] == ["P1", "U1"]
    assert [each["id"] for each in commands.json("ledger", "list", made)] == [upload["id"]]


async def test_an_older_ledger_is_refused_until_the_program_says_that_it_replaces_a_newer_one(
    deployment: Deployment,
) -> None:
    made = await portfolio(deployment)
    answers = []
    for body in ({"as_of": "2023-10-31"}, {"as_of": "2023-10-30"}, {"as_of": "2023-10-30", "replaces_newer": True}):
        sent = await call(deployment, "POST", f"{made}/ledgers", LEDGER, content_type="text/csv")
        answers.append(await call(deployment, "POST", f"{sent.headers['location']}/take", body))
    assert [each.status for each in answers] == [200, 409, 200]
    assert "a ledger of 31 October 2023" in answers[1].json["detail"]
