"""Prometheus gets a token for itself and sends it with each scrape (`oauth2` of a scrape configuration)."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.ports import free_port
from tests.strangers.programs import needs, opens_a_report, running
from tests.strangers.provider import EVERY_GRANT, Provider

CONFIGURATION = """\
global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs:
  - job_name: guarded
    oauth2:
      client_id: {client_id}
      client_secret: {secret}
      token_url: {issuer}/oauth2/v1/token
      scopes: [credit:report]
      tls_config: {{ca_file: {ca_file}}}
    static_configs: [{{targets: ["127.0.0.1:{target}"]}}]
"""


@needs("prometheus")
def test_each_scrape_has_a_token_of_the_application(provider: Provider, tmp_path: Path) -> None:
    """RFC 6749 §4.4: with HTTP Basic or the form, whichever works first."""
    received: list[str] = []

    class Target(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            received.append(self.headers.get("Authorization", ""))
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(b"up_and_well 1\n")

        def log_message(self, *_arguments: object) -> None:
            """Print nothing."""

    target = ThreadingHTTPServer(("127.0.0.1", 0), Target)
    threading.Thread(target=target.serve_forever, daemon=True).start()
    client_id, secret = provider.credentials("Prometheus", *EVERY_GRANT)
    known = {"client_id": client_id, "secret": secret, "issuer": provider.issuer, "ca_file": provider.ca_file}
    configuration = tmp_path / "prometheus.yml"
    configuration.write_text(CONFIGURATION.format(**known, target=target.server_port))
    command = [
        "prometheus",
        f"--config.file={configuration}",
        f"--storage.tsdb.path={tmp_path / 'data'}",
        f"--web.listen-address=127.0.0.1:{free_port()}",
    ]
    with running(command, lambda: bool(received), tmp_path / "output.txt"):
        scheme, _, token = received[0].partition(" ")
    target.shutdown()
    target.server_close()
    assert scheme == "Bearer"
    assert opens_a_report(provider, token)
