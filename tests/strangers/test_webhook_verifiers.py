"""The published packages that verify webhooks accept a delivery as webhooks are made by default (D38)."""

import json
import subprocess

from credence.monitoring.webhooks.schema import NewWebhookBody
from tests.monitoring.webhook_site import Site, fields, open_site, verified
from tests.outgoing.receivers import Request, receiver
from tests.strangers.test_node_verifier import FOLDER, pytestmark

__all__ = ["open_site", "pytestmark"]


def by_node(request: Request, secret: str) -> list[str]:
    """What `standardwebhooks` and `svix` of npm make of a request: the type of its message, or their complaint."""
    said = {"secret": secret, "body": request.body.decode(), "headers": fields(request)}
    command = ["node", "verify_webhook.mjs", json.dumps(said)]
    ran = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=60, check=True)
    return ran.stdout.splitlines()


async def test_three_packages_verify_what_a_webhook_sends_by_default(site: Site) -> None:
    """The package for Python, and those for JavaScript of Standard Webhooks and of Svix; none of them a changed body."""
    async with receiver(site.folder) as at:
        webhook = await site.active(at, NewWebhookBody(at.url("/hook")).signature)
    request, secret = at.requests[0], site.secrets[webhook.id]
    assert verified(request, secret)["type"] == "endpoint.verification"
    assert by_node(request, secret) == ["endpoint.verification"] * 2
    changed = Request(request.head, request.body + b" ")
    assert by_node(changed, secret) == ["No matching signature found"] * 2
