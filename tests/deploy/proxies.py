"""The recipes of `deploy/` run by the real programs, on free ports and in a folder of their own."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from credence.sandbox.certificates import authority_file, ensure_certificates

DEPLOY = Path(__file__).parents[2] / "deploy"
STARTED_WITHIN = 20.0


@dataclass(frozen=True)
class Ports:
    """Where the proxy listens, with TLS and without, and where Credence does."""

    public: int
    plain: int
    credence: int


@dataclass(frozen=True)
class Recipe:
    """One program. `changes` are what an operator puts in the place of the examples in the recipe."""

    program: str
    file: str
    changes: Callable[[Path, Ports], dict[str, str]]
    command: Callable[[Path], list[str]]
    missing_without: tuple[tuple[str, str, str], ...]
    """A line of the recipe, the check of doctor's that fails without it, and the start of what doctor says to add."""


def run_nginx(file: Path) -> list[str]:
    folder = file.parent
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    whole.write_text(
        f"daemon off; {user} pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;"
        f"events {{}} http {{ access_log off; {temporary} include {file}; }}"
    )
    return ["nginx", "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(whole)]


RECIPES = {
    recipe.program: recipe
    for recipe in (
        Recipe(
            "nginx",
            "nginx/credence.conf",
            lambda tls, ports: {
                "server 127.0.0.1:8443;": f"server 127.0.0.1:{ports.credence};",
                "listen 80;": f"listen 127.0.0.1:{ports.plain};",
                "listen 443 ": f"listen 127.0.0.1:{ports.public} ",
                "api.example.com": "localhost",
                "/etc/credence/chain.pem": f"{tls}/server.pem",
                "/etc/credence/key.pem": f"{tls}/server-key.pem",
            },
            run_nginx,
            (
                ("underscores_in_headers on;", "headers with underscores", "nginx: underscores_in_headers on;"),
                ("large_client_header_buffers 8 16k;", "header limit", "nginx: large_client_header_buffers"),
                ("proxy_set_header X-Forwarded-For $remote_addr;", "caller's address", "nginx: proxy_set_header"),
            ),
        ),
        Recipe(
            "haproxy",
            "haproxy/haproxy.cfg",
            lambda tls, ports: {
                "maxconn 10000": "maxconn 200",
                "gt 1000": "gt 100",
                "server credence 127.0.0.1:8443": f"server credence 127.0.0.1:{ports.credence}",
                "bind :80": f"bind 127.0.0.1:{ports.plain}",
                "bind :443": f"bind 127.0.0.1:{ports.public}",
                "/etc/credence/chain-and-key.pem": f"{tls}/chain-and-key.pem",
                "api.example.com": "localhost",
            },
            lambda file: ["haproxy", "-db", "-f", str(file)],
            (
                ("tune.bufsize 65536", "header limit", "HAProxy: tune.bufsize 65536"),
                ("http-request set-header X-Forwarded-For %[src]", "caller's address", "HAProxy: http-request set-h"),
            ),
        ),
        Recipe(
            "caddy",
            "caddy/Caddyfile",
            lambda tls, ports: {
                "admin off": f"admin off\n\thttp_port {ports.plain}",
                "\napi.example.com {": f"\nhttps://localhost:{ports.public} {{",
                "tls {": f"tls {tls}/server.pem {tls}/server-key.pem {{",
                "127.0.0.1:8443": f"127.0.0.1:{ports.credence}",
            },
            lambda file: ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)],
            (),
        ),
    )
}


@contextmanager
def proxy(
    recipe: Recipe, folder: Path, ports: Ports, *, without: str = "", also: Mapping[str, str] | None = None
) -> Iterator[Path]:
    """Run the recipe, perhaps without one of its lines or with more changes, and yield the certificate to trust."""
    tls = folder / "tls"
    chain, key = ensure_certificates(tls, "127.0.0.1")
    (tls / "chain-and-key.pem").write_bytes(chain.read_bytes() + key.read_bytes())
    text = (DEPLOY / recipe.file).read_text(encoding="utf-8")
    if without:
        assert without in text
        text = text.replace(without, "")
    for example, own in {**(also or {}), **recipe.changes(tls, ports)}.items():
        assert example in text, example
        text = text.replace(example, own)
    file = folder / Path(recipe.file).name
    file.write_text(text)
    log = folder / "output.txt"
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    with log.open("ab") as stream:
        process = subprocess.Popen(
            recipe.command(file), env=environment, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream
        )
    try:
        _wait(process, ports.public, log)
        yield authority_file(tls)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def missing(recipe: Recipe) -> str | None:
    """Return why the recipe cannot be run here, or None."""
    lacking = shutil.which(recipe.program) is None
    return f"{recipe.program} is missing: python -m tests.provision" if lacking else None


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"The proxy did not start:\n{log.read_text()}")
