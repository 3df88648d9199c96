"""The client of the FAPI 2.0 modules."""

import pytest

from tests.conformance.fapi2_code import CodeClient, code_client
from tests.deployment import Deployment
from tests.nodes_in_turn import open_deployment as open_deployment


@pytest.fixture
async def party(deployment: Deployment) -> CodeClient:
    return await code_client(deployment)
