"""`credence clock`: the test clock of an application, on the machine of the service."""

from tests.cli.deployment import Deployment


def test_a_clock_is_moved_and_reset(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    assert deployment.json("clock", "advance", client_id, "7d")["ahead_seconds"] == 7 * 86_400
    assert deployment.json("clock", "show", client_id)["moves"][0]["ahead_seconds"] == 7 * 86_400
    assert "only moves forward" in deployment.refused("clock", "advance", client_id, "2020-01-01")
    assert deployment.json("clock", "reset", client_id) | {"time": ""} == {
        "client_id": client_id,
        "ahead_seconds": 0,
        "moves": [],
        "resets": 1,
        "time": "",
    }
    refused = deployment.refused(
        "clock",
        "advance",
        client_id,
        "7d",
        CREDENCE_ENVIRONMENT="production",
        CREDENCE_BASE_URL="https://api.example.com",
    )
    assert refused == "Only applications of the sandbox have a test clock."
