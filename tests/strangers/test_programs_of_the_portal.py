"""The programs of the developer portal, run as they are shown, each by the runtime of its language."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from credence.settings import Environment, Settings
from credence.sites.developers.snippets import snippets
from credence.store.records import Application
from tests.strangers.programs import needs
from tests.strangers.provider import Provider

MACHINE = ("--grant", "client_credentials")


def program(provider: Provider, language: str, base_url: str = "") -> str:
    """The program with the credentials of a machine application of the provider."""
    client_id, secret = provider.credentials("machine", *MACHINE)
    settings = Settings(
        environment=Environment.SANDBOX, data_dir=provider.server.data_dir, base_url=base_url or provider.issuer
    )
    application = Application(client_id, "machine", (), 0, grants=("client_credentials",))
    samples = {each.language: each.text for each in snippets(settings, application, secret).samples}
    return samples[language]


def reads_the_report(*command: str, folder: Path, **variables: str) -> None:
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=folder, env=os.environ | variables
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["RegNumber"] == "99999999"


def run(*command: str, folder: Path, **variables: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=120, cwd=folder, env=os.environ | variables)


@needs("curl")
def test_curl(provider: Provider, tmp_path: Path) -> None:
    reads_the_report("bash", "-c", program(provider, "curl"), folder=tmp_path)


def test_python(provider: Provider, tmp_path: Path) -> None:
    reads_the_report(sys.executable, "-c", program(provider, "Python"), folder=tmp_path)


@needs("node")
def test_javascript(provider: Provider, tmp_path: Path) -> None:
    (tmp_path / "report.mjs").write_text(program(provider, "JavaScript"))
    reads_the_report("node", "report.mjs", folder=tmp_path, NODE_EXTRA_CA_CERTS=str(provider.ca_file))


@needs("php")
def test_php(provider: Provider, tmp_path: Path) -> None:
    (tmp_path / "report.php").write_text(program(provider, "PHP"))
    reads_the_report("php", "report.php", folder=tmp_path)


@needs("javac")
def test_java(provider: Provider, tmp_path: Path) -> None:
    """The two lines that the program begins with make the trust store, and run it."""
    text = program(provider, "Java")
    (tmp_path / "Report.java").write_text(text)
    make, start = (line.removeprefix("// ").split() for line in text.splitlines()[:2])
    run(*make, folder=tmp_path)
    quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # half of the processor time
    reads_the_report(*start, folder=tmp_path, JAVA_TOOL_OPTIONS=quick)


@contextmanager
def without_tls(provider: Provider) -> Iterator[str]:
    """The address of a proxy on this machine that passes requests on to the provider."""

    class Passing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            names = ("Authorization", "Content-Type")
            headers = {name: self.headers[name] for name in names if name in self.headers}
            answer = provider.server.client.request(self.command, self.path, headers=headers, content=body)
            self.send_response(answer.status_code)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_POST = do_GET  # noqa: N815 - the name that the class calls

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Passing) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_port}"
        proxy.shutdown()


@needs("mcs")
def test_csharp(provider: Provider, tmp_path: Path) -> None:
    """By Mono, through a proxy: its TLS cannot check the name constraints of our authority (RFC 5280 §4.2.1.10)."""
    with without_tls(provider) as address:
        (tmp_path / "Report.cs").write_text(program(provider, "C#", address))
        run("mcs", "-r:System.Net.Http", "Report.cs", folder=tmp_path)
        reads_the_report("mono", "Report.exe", folder=tmp_path)
