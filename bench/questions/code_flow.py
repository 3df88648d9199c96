"""How many people who are signed in can an application sign in a second, by authorization code (D27)?

A flow is two requests: the authorization with `prompt=none` reads session, account and consents and seals a code; the
redemption is one durable commit and two signatures, of the access token and of the ID token.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import httpx

from bench.deployment import Client, Deployment, bare, credence, register
from bench.load import Load, press, run_right
from bench.loads import token_answer
from bench.measurement import Figure, Measurement, Target
from bench.process import Server
from bench.rounds import Plan, take_turns
from credence import paths
from tests.sign_in.browsing import CHALLENGE, VERIFIER, form_of_text

TARGET = Target(1_500)
CALLBACK = "https://app.example.com/callback"
REQUESTS_OF_AFLOW = 2
_REDEMPTION = urlencode(
    {"grant_type": "authorization_code", "redirect_uri": CALLBACK, "code_verifier": VERIFIER, "code": ""}
)
"""The form up to the code's value."""

OPTIONS = ("--algorithm", "ES256", "--id-token-algorithm", "ES256", "--spike-per-minute", "0", "--first-party")
FLOW = ("--grant", "authorization_code", "--redirect-uri", CALLBACK)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield flows per second with ES256."""
    deployment = plan.deployment
    client = register(deployment.folder, "Bench code flow", *OPTIONS, *FLOW, **deployment.variables)
    with credence(deployment.folder, **deployment.variables) as ours:
        sample = token_answer(deployment, deployment.clients["ES256"], ours)
        with bare(deployment.folder, sample) as constant:
            load = flows(deployment, client, ours)
            figures, beside = take_turns(
                plan, partial(_flows_per_second, ours, load), partial(_flows_per_second, constant, load)
            )
    yield Measurement("code flow, ES256", "per second", figures, beside, target=TARGET)


def flows(deployment: Deployment, client: Client, server: Server) -> Load:
    """Return the load of whole flows, for a person who has signed in with a browser."""
    target = f"{paths.AUTHORIZATION}?{urlencode(_request(client))}"
    silent = deployment.lines("code-request", [f"{target}&prompt=none"])
    form = deployment.lines("code-redemption", [_REDEMPTION])
    cookie = deployment.lines("code-cookie", [_signed_in(deployment, server, target)])
    return Load(paths.TOKEN, client.of_a_form, "codes", [cookie, silent, form])


def redemptions(deployment: Deployment, client: Client, server: Server, seconds: float) -> Load:
    """Return the load that redeems codes alone, each once: as many as the server hands out in so many seconds before."""
    target = f"{paths.AUTHORIZATION}?{urlencode(_request(client))}"
    codes = deployment.folder / "codes"
    cookie = {"Cookie": _signed_in(deployment, server, target)}
    run_right(server, Load(f"{target}&prompt=none", cookie, "code_requests", [str(codes)]), seconds)
    forms = deployment.lines("code-redemptions", [_REDEMPTION + code for code in codes.read_text().split()])
    return Load(paths.TOKEN, client.of_a_form, "posts", [forms])


def sign_in_page(_deployment: Deployment, client: Client, _server: Server) -> Load:
    """Return the load that opens the sign-in page, without a cookie."""
    return Load(f"{paths.AUTHORIZATION}?{urlencode(_request(client))}")


def sign_ins(deployment: Deployment, client: Client, server: Server, connections: int) -> Load:
    """Return the load of sign-ins with a password: the same form of the sign-in page each time, and a new session."""
    target = f"{paths.AUTHORIZATION}?{urlencode(_request(client))}"
    with httpx.Client(base_url=server.address, trust_env=False) as http:
        page = http.get(target).raise_for_status()
    action, hidden = form_of_text(page.text)
    form = deployment.lines("sign-in", [urlencode({**hidden, **deployment.login})])
    fields = {"Cookie": _cookies(page), "Content-Type": "application/x-www-form-urlencoded"}
    return Load(action, fields, "sign_ins", [form], connections)


def _flows_per_second(server: Server, load: Load, seconds: float) -> Figure:
    """Return flows instead of requests per second; the latencies are those of single requests."""
    figure = press(server, load, seconds)
    return replace(figure, value=figure.value / REQUESTS_OF_AFLOW)


def _request(client: Client) -> dict[str, str]:
    return {
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": CALLBACK,
        "scope": "openid credit:report",
        "state": "af0ifjsldkj",
        "nonce": "n-0S6_WzA2Mj",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }


def _signed_in(deployment: Deployment, server: Server, target: str) -> str:
    """Sign the user in as a browser does and return its Cookie field. The cookies are Secure, the bench is plain HTTP."""
    with httpx.Client(base_url=server.address, trust_env=False) as http:
        page = http.get(target).raise_for_status()
        cookies = _cookies(page)
        action, hidden = form_of_text(page.text)
        signed_in = http.post(action, data={**hidden, **deployment.login}, headers={"Cookie": cookies})
        return _cookies(signed_in.raise_for_status())


def _cookies(reply: httpx.Response) -> str:
    return "; ".join(field.partition(";")[0] for field in reply.headers.get_list("set-cookie"))
