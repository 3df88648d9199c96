"""Ruby's oauth2, unchanged: password, refresh and client credentials, with the secret in the form (D1)."""

import json
import subprocess
from pathlib import Path

from tests.deployment import REPORT_PATH
from tests.strangers.programs import BY_POST, needs
from tests.strangers.provider import Provider


@needs("ruby")
def test_every_grant_of_the_library_works_with_its_defaults(provider: Provider) -> None:
    """RFC 6749 §2.3.1, §4.3, §4.4, §6; a wrong password is the library's `invalid_grant`."""
    server = provider.server
    client_id, secret = provider.credentials("ruby-oauth2", *BY_POST)
    report = f"{REPORT_PATH}/{server.company_number}"
    program = str(Path(__file__).parent / "oauth2_client.rb")
    command = ["ruby", program, provider.issuer, str(provider.ca_file), client_id, secret]
    done = subprocess.run(
        [*command, server.username, server.password, report], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"expires_in": 10_800, "wrong": "invalid_grant", "statuses": [200, 200, 200]}
