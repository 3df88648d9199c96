"""`credence token` on a deployment that no server serves (D6, D16)."""

import socket

import pytest

from tests.cli.deployment import Deployment

NO_TOKEN = "crd_sbx_at_all"


def test_judging_a_token_asks_no_counters_that_nodes_share(deployment: Deployment) -> None:
    """D16: a command is no caller, and must not hang or leave anything open where the counters are away."""
    deployment.json("app", "create", "Shop")
    with socket.create_server(("127.0.0.1", 0)) as counters:
        counters.setblocking(False)
        url = f"redis://127.0.0.1:{counters.getsockname()[1]}"
        said = deployment.refused("token", "inspect", NO_TOKEN, CREDENCE_COUNTERS_URL=url)
        assert said == "This is not a token of this deployment."
        with pytest.raises(BlockingIOError):  # nobody has come
            counters.accept()
