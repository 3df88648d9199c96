"""`credence score run`: the whole register scored by one command, seen in `data status` and removable (credit §7)."""

from pathlib import Path

from tests.cli.deployment import Deployment
from tests.datasets.snapshots import company, write


def test_a_run_says_what_it_did_and_can_be_removed(deployment: Deployment, tmp_path: Path) -> None:
    file = write(tmp_path / "BasicCompanyData-2026-11-01.csv", company("00000001"), company("SL000002"))
    deployment.json("data", "load", "register", str(file))
    done = deployment.json("score", "run")
    assert (done["day"], done["companies"], done["scored"]) == ("2026-11-01", 2, 1)
    assert done["unscored"] == {"unscored.partnership": 1}
    (row,) = (row for row in deployment.json("data", "status") if row["source"] == "scores")
    assert (row["as_of"], row["companies"], row["fault"]) == ("2026-11-01", 1, None)
    assert deployment.json("data", "remove", "scores")["removed"]


def test_a_run_without_a_register_is_refused(deployment: Deployment) -> None:
    assert deployment.refused("score", "run").startswith("No register is loaded")
