"""The programs of the developer portal, run as they are shown, each by the runtime of its language."""

import json
import os
import subprocess
import sys
from pathlib import Path

from credence.settings import Environment, Settings
from credence.store.records import Application
from credence.web.developers.snippets import snippets
from tests.strangers.programs import needs
from tests.strangers.provider import Provider

MACHINE = ("--grant", "client_credentials")


def program(provider: Provider, language: str) -> str:
    """The program with the credentials of a machine application of the provider."""
    client_id, secret = provider.credentials("machine", *MACHINE)
    settings = Settings(environment=Environment.SANDBOX, data_dir=provider.server.data_dir, base_url=provider.issuer)
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


@needs("mcs")
def test_csharp(provider: Provider, tmp_path: Path) -> None:
    """By Mono, which has the classes of .NET that the program uses; it trusts what its own store has."""
    (tmp_path / "Report.cs").write_text(program(provider, "C#"))
    run("cert-sync", "--quiet", "--user", str(provider.ca_file), folder=tmp_path, HOME=str(tmp_path))
    run("mcs", "-r:System.Net.Http", "Report.cs", folder=tmp_path)
    reads_the_report("mono", "Report.exe", folder=tmp_path, HOME=str(tmp_path))
