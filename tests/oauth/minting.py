"""Tokens signed by the deployment's own keys, for cases that no request leads to."""

import json
from typing import Any

from credence.crypto import base64url
from credence.crypto.jws import sign
from tests.deployment import Deployment, claims


def minted(deployment: Deployment, like: str, **changes: Any) -> str:
    """Return a token with the claims of this one and the changes; None leaves a claim out."""
    kid = json.loads(base64url.decode(like.split(".")[0]))["kid"]
    said = {name: value for name, value in {**claims(like), **changes}.items() if value is not None}
    return sign(deployment.service.authority.ring.private[kid], "at+jwt", json.dumps(said).encode())


def bound(deployment: Deployment, like: str) -> str:
    """Return the same token bound to a key: the example of RFC 9449 §6.1."""
    return minted(deployment, like, cnf={"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"})
