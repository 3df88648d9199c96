"""`credence policy` and `credence score batch`: scores and decisions for a list, without a server."""

import csv
import io
import json
from pathlib import Path

from credence.sandbox.provision import POLICY
from tests.cli.deployment import Deployment

INVENTED = [f"9999990{digit}" for digit in range(1, 7)]


def a_list(folder: Path) -> str:
    path = folder / "customers.csv"
    path.write_text("company_number,amount\n" + "".join(f"{number},100\n" for number in INVENTED), encoding="utf-8")
    return str(path)


def test_a_policy_is_checked(deployment: Deployment, tmp_path: Path) -> None:
    assert deployment.json("policy", "check", str(POLICY))["rules"] == 14
    broken = tmp_path / "broken.toml"
    broken.write_text(POLICY.read_text(encoding="utf-8").replace("/Band", "/Bnad"), encoding="utf-8")
    assert "no member /Assessment/Score/Bnad" in deployment.refused("policy", "check", str(broken))


def test_a_list_is_scored_as_its_reports_are(deployment: Deployment, tmp_path: Path) -> None:
    done = deployment.run("score", "batch", a_list(tmp_path))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["RegNumber"] for row in rows] == INVENTED
    assert [row.get("Band") for row in rows] == ["A", "B", "C", "D", "E", None]
    assert "6 companies: band A 1" in done.stderr


def test_a_policy_is_tried_on_a_list_and_counts_its_outcomes(deployment: Deployment, tmp_path: Path) -> None:
    out = tmp_path / "decisions.csv"
    done = deployment.run("policy", "simulate", str(POLICY), a_list(tmp_path), "--format", "csv", "--output", str(out))
    assert done.stdout == ""
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    outcomes = [row["Outcome"] for row in rows]
    assert outcomes[4] == "decline"
    for outcome in set(outcomes):
        assert f"{outcome} {outcomes.count(outcome)}" in done.stderr


def test_two_policies_are_compared_by_what_they_decide(deployment: Deployment, tmp_path: Path) -> None:
    stricter = tmp_path / "stricter.toml"
    text = POLICY.read_text(encoding="utf-8")
    stricter.write_text(text.replace('is = "E" }', 'in = ["D", "E"] }'), encoding="utf-8")
    customers = a_list(tmp_path)
    assert deployment.json("policy", "diff", str(POLICY), str(POLICY), customers) == []
    (change,) = deployment.json("policy", "diff", str(POLICY), str(stricter), customers)
    assert (change["company"], change["after"], change["rule_after"]) == ("99999904", "decline", "weak-band")
    assert change["before"] == "refer"


def test_a_list_in_json_is_read_too_and_what_is_not_one_is_refused(deployment: Deployment, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps(INVENTED[:2]), encoding="utf-8")
    assert len(deployment.run("score", "batch", str(path)).stdout.splitlines()) == 2
    path.write_text("{", encoding="utf-8")
    assert deployment.refused("score", "batch", str(path))
    assert "No such file" in deployment.refused("score", "batch", str(tmp_path / "none.csv"))
