"""OpenID Connect Back-Channel Logout, plan Back-Channel Logout OP: its two modules."""

from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.deployment import Deployment, OpenDeployment
from tests.sign_in.browsing import SIGN_OUT, address_of, answer_of, request_of
from tests.sign_in.notices import EVENT, part, signed_in

AFTER = "https://app.example.com/post_logout_redirect"


@pytest.mark.settings(calls_out=True)
async def test_oidcc_backchannel_logout_discovery_endpoint_verification(deployment: Deployment) -> None:
    """Back-Channel Logout §2.1, and the member of RP-Initiated Logout §2.1 that it starts from."""
    document = (await deployment.send("GET", "/.well-known/openid-configuration")).json
    assert document["backchannel_logout_supported"] is True
    assert document["backchannel_logout_session_supported"] is True
    assert document["end_session_endpoint"].startswith("https://")


async def test_oidcc_backchannel_rp_initiated_logout(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    """Sign in, sign out at the end session endpoint, get the logout token, and see `prompt=none` fail."""
    changes = {"post_logout_redirect_uris": (AFTER,), "backchannel_logout_session_required": True}
    async with signed_in(tmp_path, open_deployment, b"HTTP/1.1 200 OK\r\n\r\n", **changes) as it:
        hint = {"id_token_hint": it.id_token, "post_logout_redirect_uri": AFTER, "state": "a1"}
        assert address_of(await it.browser.post(SIGN_OUT, hint.items())) == f"{AFTER}?state=a1"
        (request,) = await it.delivered()
        assert request.head.startswith("POST ")
        assert "application/x-www-form-urlencoded" in request.head
        token = parse_qs(request.body.decode())["logout_token"][0]
        header, claims = part(token, 0), await it.claims(request)
        assert header["alg"] == part(it.id_token, 0)["alg"] != "none"
        assert claims["iss"] == it.said["iss"]
        assert claims["aud"] in (it.application.client_id, [it.application.client_id])
        assert (claims["sub"], claims["sid"]) == (it.said["sub"], it.said["sid"])
        assert abs(claims["iat"] - it.deployment.now / 1000) < 300
        assert claims["jti"]
        assert claims["events"] == {EVENT: {}}
        assert "nonce" not in claims
        answer = answer_of(await it.browser.get(request_of(it.application, prompt="none")))
        assert answer["error"] == "login_required"
