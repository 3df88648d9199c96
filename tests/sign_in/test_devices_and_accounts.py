"""A device whose person is not known here any more (RFC 8628 §3.5)."""

import msgspec

from credence.oauth.devices.codes import normal_user_code, user_code_key
from tests.deployment import Deployment
from tests.sign_in.devices import ask, poll, with_device_application


async def test_a_device_that_an_unknown_account_allowed_gets_nothing(deployment: Deployment) -> None:
    """RFC 6749 §5.2: the grant is invalid. No account is ever deleted, but a store may come from a backup."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    code = normal_user_code(codes["user_code"])
    assert code is not None
    key = user_code_key(deployment.service.authority.secrets.digest, code)
    waiting = await deployment.store.device_request(key)
    assert waiting is not None
    allowed = msgspec.structs.replace(waiting, decision="allowed", username="nobody", signed_in_at=deployment.now)
    assert await deployment.store.decide_device_request(allowed, deployment.now)
    refused = await poll(deployment, codes["device_code"])
    assert (refused.status, refused.json["error"]) == (400, "invalid_grant")
    assert refused.headers["x-reason"] == "device_code.account_unknown"
