"""`python -m bench.beside_node`: signing people in, beside node-oidc-provider doing the same in the same run.

Each figure is the processor time of the server for one act, so that other work of the machine does not count. Requests come
one by one, so each wakes the server: the benchmarks with many connections say how many fit in a second. Both servers run on
one core, Credence with one worker and durable commits, the other with everything in memory.
`npm --prefix bench/node ci` installs it.
"""

import os
import shutil
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import httpx

from bench.deployment import Client, Deployment, credence, deploy, register
from bench.process import free_port, served
from bench.questions.code_flow import CALLBACK
from bench.record import RESULTS
from credence import paths
from tests.sign_in.browsing import CHALLENGE, VERIFIER, form_of_text

NODE = Path(__file__).parent / "node"
RUNS = 200
PASSWORDS = 20
ROUNDS = 3
TICKS = os.sysconf("SC_CLK_TCK")

_OPTIONS = ("--algorithm", "ES256", "--id-token-algorithm", "ES256", "--spike-per-minute", "0", "--first-party")
_FLOW = ("--grant", "authorization_code", "--grant", "refresh_token", "--redirect-uri", CALLBACK)


@dataclass
class Site:
    """A provider: where it is, which processes serve it, and how a person signs in there."""

    name: str
    http: httpx.Client
    processes: list[int]
    authorize: str
    token: str
    client: Client
    sign_in: Callable[["Site"], None]

    def milliseconds(self, count: int, act: Callable[[int], Any]) -> float:
        """Return the processor time of the server for one of `count` acts."""
        before = _ticks(self.processes)
        for number in range(count):
            act(number)
        return (_ticks(self.processes) - before) / TICKS * 1000 / count

    def request(self, **more: str) -> str:
        """Return an authorization request."""
        fields = {
            "response_type": "code",
            "client_id": self.client.client_id,
            "redirect_uri": CALLBACK,
            "scope": "openid offline_access credit:report",
            "state": "af0ifjsldkj",
            "nonce": "n-0S6_WzA2Mj",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            **more,
        }
        return f"{self.authorize}?{urlencode(fields)}"

    def page(self) -> httpx.Response:
        """The sign-in page, for a browser without cookies."""
        self.http.cookies.clear()
        reply = self.http.get(self.request(prompt="login"))
        while reply.is_redirect:
            reply = self.http.get(urljoin(str(reply.url), reply.headers["location"]))
        return reply.raise_for_status()

    def code(self) -> str:
        """A code for the person who is signed in."""
        reply = self.http.get(self.request(prompt="none"))
        (code,) = parse_qs(urlsplit(reply.headers["location"]).query)["code"]
        return code

    def redeem(self, code: str) -> dict[str, Any]:
        """Return the tokens for a code."""
        return self._tokens(grant_type="authorization_code", code=code, redirect_uri=CALLBACK, code_verifier=VERIFIER)

    def refresh(self, refresh_token: str) -> dict[str, Any]:
        """Return the next tokens."""
        return self._tokens(grant_type="refresh_token", refresh_token=refresh_token)

    def _tokens(self, **fields: str) -> dict[str, Any]:
        pair = (self.client.client_id, self.client.client_secret)
        tokens: dict[str, Any] = self.http.post(self.token, data=fields, auth=pair).raise_for_status().json()
        return tokens


def _ticks(processes: list[int]) -> int:
    """Return the processor time of processes, in ticks of the kernel."""
    found = (Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in processes)
    return sum(int(each[11]) + int(each[12]) for each in found)


@contextmanager
def ours(deployment: Deployment, client: Client) -> Iterator[Site]:
    """Credence. Its cookies are Secure and the bench is plain HTTP, so they are sent by hand."""

    def sign_in(site: Site) -> None:
        site.http.headers.pop("cookie", None)
        page = site.page()
        cookie = page.headers["set-cookie"].partition(";")[0]
        action, hidden = form_of_text(page.text)
        reply = site.http.post(action, data={**hidden, **deployment.login}, headers={"cookie": cookie})
        fields = [cookie, *(each.partition(";")[0] for each in reply.headers.get_list("set-cookie"))]
        site.http.headers["cookie"] = "; ".join(fields)

    # Without the memory of passwords each sign-in verifies Argon2.
    with (
        credence(deployment.folder, **deployment.variables, CREDENCE_PASSWORD_CACHE_SECONDS="0") as server,
        httpx.Client(base_url=server.address, trust_env=False) as http,
    ):
        yield Site("Credence", http, [server.worker], paths.AUTHORIZATION, paths.TOKEN, client, sign_in)


@contextmanager
def theirs(client: Client, folder: Path) -> Iterator[Site]:
    """node-oidc-provider; its development pages take any password."""

    def sign_in(site: Site) -> None:
        reply = site.page()
        for fields in ({"prompt": "login", "login": "ada", "password": "any"}, {"prompt": "consent"}):
            reply = site.http.post(str(reply.url), data=fields)
            while reply.is_redirect and not reply.headers["location"].startswith(CALLBACK):
                reply = site.http.get(urljoin(str(reply.url), reply.headers["location"]))

    port = free_port()
    command = ["node", str(NODE / "provider.mjs"), str(port), client.client_id, client.client_secret, CALLBACK]
    with (
        served(command, port, "/.well-known/openid-configuration", folder / "node.log") as server,
        httpx.Client(base_url=server.address, trust_env=False) as http,
    ):
        yield Site("node-oidc-provider", http, [server.process.pid], "/auth", "/token", client, sign_in)


def figures(site: Site) -> dict[str, float]:
    """Return milliseconds of processor time for each act."""
    found = {"sign-in page": site.milliseconds(RUNS, lambda _: site.page())}
    found["password sign-in"] = site.milliseconds(PASSWORDS, lambda _: site.sign_in(site))
    found["code flow"] = site.milliseconds(RUNS, lambda _: site.redeem(site.code()))
    codes = [site.code() for _ in range(RUNS)]
    tokens: list[dict[str, Any]] = []
    found["redemption"] = site.milliseconds(RUNS, lambda number: tokens.append(site.redeem(codes[number])))
    found["refresh"] = site.milliseconds(RUNS, lambda number: site.refresh(tokens[number]["refresh_token"]))
    return found


def main() -> None:
    """Print a table of medians over the rounds, which take turns."""
    if shutil.which("node") is None or not (NODE / "node_modules").exists():
        raise SystemExit("node-oidc-provider is missing: npm --prefix bench/node ci")
    RESULTS.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=RESULTS) as folder:
        deployment = deploy(Path(folder))
        client = register(deployment.folder, "Bench beside node", *_OPTIONS, *_FLOW, **deployment.variables)
        rounds: dict[str, list[dict[str, float]]] = {}
        with ours(deployment, client) as one, theirs(client, Path(folder)) as other:
            for _ in range(ROUNDS):
                for site in (one, other):
                    rounds.setdefault(site.name, []).append(figures(site))
    names = list(rounds)
    print(f"{'milliseconds of processor time':<32}{names[0]:>12}{names[1]:>22}{'ratio':>8}")
    for act in rounds[names[0]][0]:
        mine, beside = (statistics.median(each[act] for each in rounds[name]) for name in names)
        print(f"{act:<32}{mine:>12.2f}{beside:>22.2f}{beside / mine:>8.2f}")


if __name__ == "__main__":
    main()
