"""`credence account role`, `workbench` and `developer`: what people may do on the sites of screens (D30)."""

import json

import pytest

from tests.cli.deployment import Deployment


def acts(deployment: Deployment) -> list[str]:
    """Return the acts in the audit trail that give a person something on a site."""
    lines = "".join(file.read_text() for file in sorted((deployment.data_dir / "audit").iterdir())).splitlines()
    found = (json.loads(each).get("act", "") for each in lines)
    return [each for each in found if each in ("account role", "account workbench", "account developer")]


def test_a_person_gets_and_loses_each_once_and_the_trail_has_each_change(deployment: Deployment) -> None:
    client = deployment.json("app", "create", "Ledger")["client_id"]
    deployment.create_account()
    for gives, value, takes, none in (
        (("role", "ada", "support"), {"console_role": "support"}, ("role", "ada", "none"), {"console_role": "none"}),
        (
            ("workbench", "ada", client),
            {"workbench_for": client},
            ("workbench", "ada", "none"),
            {"workbench_for": None},
        ),
        (("developer", "ADA"), {"developer": True}, ("developer", "ada", "--off"), {"developer": False}),
    ):
        for _ in range(2):  # the second time nothing changes, and no line is written
            assert deployment.json("account", *gives).items() >= value.items()
        assert deployment.json("account", *takes).items() >= none.items()
    assert acts(deployment) == [f"account {name}" for name in ("role", "workbench", "developer") for _ in range(2)]


@pytest.mark.parametrize(
    ("given", "cannot"),
    [
        (("role", "job", "owner"), "can have no role in the console"),
        (("workbench", "job", "none"), "cannot work in the workbench"),
        (("developer", "job"), "cannot use the portal"),
    ],
)
def test_a_service_account_gets_none_of_them(deployment: Deployment, given: tuple[str, ...], cannot: str) -> None:
    deployment.json("account", "create", "job", "--type", "service")
    assert deployment.refused("account", *given) == f"A service account signs in nowhere: it {cannot}."


def test_a_person_works_for_an_application_that_exists(deployment: Deployment) -> None:
    deployment.create_account()
    refused = deployment.refused("account", "workbench", "ada", "crd_sbx_app_x")
    assert refused == "There is no application 'crd_sbx_app_x'."
