"""The recipes of `deploy/`: the files of each, and what an operator puts in the place of the examples in them."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ports:
    """Where the proxy listens, with TLS and without, and where the nodes of Credence do."""

    public: int
    plain: int
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Recipe:
    """One program. `changes` are what an operator puts in the place of the examples in the recipe."""

    program: str
    files: tuple[str, ...]
    changes: Callable[[Path, Ports], dict[str, str]]
    command: Callable[[list[Path]], list[str]]
    missing_without: tuple[tuple[str, str, str], ...] = ()
    """A line of the recipe, the check of doctor's that fails without it, and the start of what doctor says to add."""


def run_nginx(files: list[Path]) -> list[str]:
    folder = files[0].parent
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    includes = "".join(f"include {file};" for file in files)
    whole.write_text(
        f"daemon off; {user} pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;"
        f"events {{}} http {{ access_log off; {temporary} {includes} }}"
    )
    return ["nginx", "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(whole)]


def run_haproxy(files: list[Path]) -> list[str]:
    return ["haproxy", "-db", *(word for file in files for word in ("-f", str(file)))]


def nginx_edge(tls: Path, ports: Ports) -> dict[str, str]:
    return {
        "listen 80;": f"listen 127.0.0.1:{ports.plain};",
        "listen 443 ": f"listen 127.0.0.1:{ports.public} ",
        "api.example.com": "localhost",
        "/etc/credence/chain.pem": f"{tls}/server.pem",
        "/etc/credence/key.pem": f"{tls}/server-key.pem",
    }


def haproxy_edge(tls: Path, ports: Ports) -> dict[str, str]:
    return {
        "maxconn 10000": "maxconn 200",
        "gt 1000": "gt 100",
        "bind :80": f"bind 127.0.0.1:{ports.plain}",
        "bind :443": f"bind 127.0.0.1:{ports.public}",
        "/etc/credence/chain-and-key.pem": f"{tls}/chain-and-key.pem",
        "api.example.com": "localhost",
    }


def nodes(tls: Path, ports: Ports) -> dict[str, str]:
    """The three nodes of the examples, and the authority that vouches for them."""
    own = {f"10.0.0.{11 + number}:8443": f"127.0.0.1:{port}" for number, port in enumerate(ports.nodes)}
    assert len(own) == 3
    return own | {"/etc/credence/nodes-ca.pem": f"{tls}/nodes-ca.pem"}


RECIPES = {
    recipe.program: recipe
    for recipe in (
        Recipe(
            "nginx",
            ("nginx/credence.conf", "nginx/one-node.conf"),
            lambda tls, ports: {
                **nginx_edge(tls, ports),
                "server 127.0.0.1:8443;": f"server 127.0.0.1:{ports.nodes[0]};",
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
            ("haproxy/haproxy.cfg", "haproxy/one-node.cfg"),
            lambda tls, ports: {
                **haproxy_edge(tls, ports),
                "server credence 127.0.0.1:8443": f"server credence 127.0.0.1:{ports.nodes[0]}",
            },
            run_haproxy,
            (
                ("tune.bufsize 65536", "header limit", "HAProxy: tune.bufsize 65536"),
                ("http-request set-header X-Forwarded-For %[src]", "caller's address", "HAProxy: http-request set-h"),
            ),
        ),
        Recipe(
            "caddy",
            ("caddy/Caddyfile",),
            lambda tls, ports: {
                "admin off": f"admin off\n\thttp_port {ports.plain}",
                "\napi.example.com {": f"\nhttps://localhost:{ports.public} {{",
                "tls {": f"tls {tls}/server.pem {tls}/server-key.pem {{",
                "127.0.0.1:8443": f"127.0.0.1:{ports.nodes[0]}",
            },
            lambda files: ["caddy", "run", "--adapter", "caddyfile", "--config", str(files[0])],
        ),
    )
}
"""Before one node."""

MANY_NODES = {
    recipe.program: recipe
    for recipe in (
        Recipe(
            "nginx",
            ("nginx/credence.conf", "nginx/many-nodes.conf"),
            lambda tls, ports: {**nginx_edge(tls, ports), **nodes(tls, ports)},
            run_nginx,
        ),
        Recipe(
            "haproxy",
            ("haproxy/haproxy.cfg", "haproxy/many-nodes.cfg"),
            lambda tls, ports: {**haproxy_edge(tls, ports), **nodes(tls, ports)},
            run_haproxy,
        ),
    )
}
"""Before three identical nodes. Caddy has no recipe for them."""
