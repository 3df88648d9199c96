"""A program on a command line or a television; `docs/clients/devices.md` shows it."""

import time
from collections.abc import Callable
from typing import Any

import requests

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"


def connect(issuer: str, client_id: str, show: Callable[[str, str], None]) -> dict[str, Any]:
    """Show a person where to enter which code, and return the tokens once the person has allowed it."""
    metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()
    parameters = {"client_id": client_id, "scope": "openid offline_access credit:report"}
    codes = requests.post(metadata["device_authorization_endpoint"], data=parameters, timeout=10).json()
    show(codes["verification_uri"], codes["user_code"])
    form = {"grant_type": DEVICE_CODE, "client_id": client_id, "device_code": codes["device_code"]}
    pause = codes["interval"]
    while True:
        time.sleep(pause)
        answer = requests.post(metadata["token_endpoint"], data=form, timeout=10)
        body: dict[str, Any] = answer.json()
        if answer.ok:
            return body
        if body["error"] == "slow_down":
            pause += 5
        elif body["error"] != "authorization_pending":
            raise PermissionError(body["error_description"])
