"""A leaver is refused by another node within five seconds, also if `kill -9` ends the node that received the signal.

The signal is stored before it is answered (RFC 8935 §2.2); one without an answer is sent again by the employer.
"""

import json
import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from tests.nodes import ISSUER, nodes, shared
from tests.running import RunningServer, start

pytestmark = pytest.mark.long

EMPLOYER, SUBJECT = "https://login.example.com", "jane-1"
KEY = ECKey.generate_key("P-256", parameters={"kid": "e1", "use": "sig", "alg": "ES256"})
REVOKED = "https://schemas.openid.net/secevent/caep/event-type/session-revoked"
SIGNALS = "/oauth2/v1/from-issuer/employer/signals"
LIMIT_SECONDS = 5.0
DELAYS = (None, None, 0.0, 0.002, 0.005, 0.01, 0.02, 0.04)
"""Seconds from the sending of a signal to the kill; None for a kill as soon as it is answered."""


def employed(node: RunningServer, folder: Path) -> None:
    """Trust an employer by pinned keys, and link the sandbox's person to a subject there."""
    keys = folder / "keys.json"
    keys.write_text(json.dumps({"keys": [KEY.as_dict(private=False)]}))
    for words in (
        ("add", EMPLOYER, "employer", "--jwks", str(keys), "--client-id", "credence"),
        ("link", "employer", SUBJECT, node.username),
    ):
        done = node.command("issuer", *words)
        assert done.returncode == 0, done.stderr


def signal_token(number: int) -> str:
    subject = {"format": "iss_sub", "iss": EMPLOYER, "sub": SUBJECT}
    claims = {"iss": EMPLOYER, "aud": ISSUER, "iat": int(time.time()), "jti": f"signal-{number}", "sub_id": subject}
    return jwt.encode({"alg": "ES256", "kid": "e1", "typ": "secevent+jwt"}, claims | {"events": {REVOKED: {}}}, KEY)


def send(node: RunningServer, token: str) -> bool:
    """Return whether the node has acknowledged the signal."""
    try:
        head = {"Content-Type": "application/secevent+jwt"}
        return httpx.post(node.base_url + SIGNALS, content=token, headers=head, trust_env=False).status_code == 202
    except httpx.TransportError:
        return False


def kill(node: RunningServer) -> None:
    os.killpg(node.process.pid, signal.SIGKILL)
    node.process.wait(timeout=60)


def acknowledged_before_the_kill(node: RunningServer, token: str, delay: float | None) -> bool:
    """Send a signal and kill the node: after its answer, or so long after sending."""
    if delay is None:
        answered = send(node, token)
        kill(node)
        return answered
    found: list[bool] = []
    sending = threading.Thread(target=lambda: found.append(send(node, token)))
    sending.start()
    time.sleep(delay)
    kill(node)
    sending.join(timeout=30)
    return found[0]


def seconds_to_refusal(node: RunningServer, tokens: Mapping[str, str]) -> float:
    """Return after how long the node refuses the access token; by then it refuses the refresh token too."""
    began = time.monotonic()
    while node.report(tokens["access_token"]).status_code != 401:
        assert time.monotonic() - began < LIMIT_SECONDS
        time.sleep(0.01)
    took = time.monotonic() - began
    headers = {**node.client_headers, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert node.client.post("/oauth2/v1/token", headers=headers).status_code == 401
    return took


def test_a_leaver_is_refused_elsewhere_although_the_node_that_was_told_is_dead(
    migrated_postgres: str, tmp_path: Path
) -> None:
    with nodes(tmp_path, migrated_postgres, 1) as (other,):
        employed(other, tmp_path)
        answers = []
        for number, delay in enumerate(DELAYS):
            told = start(tmp_path / "data", tmp_path / f"told-{number}.txt", "--http", **shared(migrated_postgres))
            try:
                time.sleep(1.1)  # what ended a moment ago ends the logins of that second
                tokens = told.tokens()
                assert other.report(tokens["access_token"]).status_code == 200
                token = signal_token(number)
                acknowledged = acknowledged_before_the_kill(told, token, delay)
                if not acknowledged:
                    assert send(other, token), "the employer sends it again, to a node that lives"
                assert seconds_to_refusal(other, tokens) < LIMIT_SECONDS
                answers.append(acknowledged)
            finally:
                told.stop()
        assert answers[:2] == [True, True]
