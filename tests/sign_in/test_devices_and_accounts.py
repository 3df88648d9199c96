"""A device whose person is unknown or was changed since, and what it gets of what was allowed (RFC 8628 §3.5)."""

import msgspec

from credence.oauth.devices import normal_user_code, user_code_key
from tests.deployment import Deployment
from tests.sign_in.browsing import Browser
from tests.sign_in.devices import ask, decide, poll, with_device_application


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


async def test_a_device_gets_nothing_after_a_change_of_the_account_that_allowed_it(deployment: Deployment) -> None:
    """D14: a new password ends what was allowed before, also what no device has fetched yet."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    await decide(Browser(deployment), codes["user_code"])
    await deployment.change_account(not_before=deployment.now + 1)
    refused = await poll(deployment, codes["device_code"])
    assert (refused.status, refused.json["error"]) == (400, "invalid_grant")
    assert refused.headers["x-reason"] == "device_code.account_changed"


async def test_a_device_gets_tokens_for_no_other_resource_than_was_allowed(deployment: Deployment) -> None:
    """RFC 8707 §2.2."""
    ledger, archive = "https://ledger.example.com", "https://archive.example.com"
    await with_device_application(deployment, audiences=(ledger, archive))
    codes = (await ask(deployment, resource=ledger)).json
    await decide(Browser(deployment), codes["user_code"])
    refused = await poll(deployment, codes["device_code"], resource=archive)
    assert (refused.status, refused.json["error"]) == (400, "invalid_target")
    assert refused.headers["x-reason"] == "resource.not_granted"
    assert (await poll(deployment, codes["device_code"], resource=ledger)).status == 200
