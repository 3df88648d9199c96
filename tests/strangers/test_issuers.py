"""People sign in at providers that other people wrote: node-oidc-provider, Keycloak, Dex, and one made with Authlib."""

import html
import json
import ssl
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest

from tests.conftest import StartServer
from tests.ports import free_port
from tests.running import RunningServer
from tests.strangers.issuing_programs import PASSWORD, PROGRAMS, SECRET, Issuing, Place, issuing, marks, place_of

SIGN_OUT = "/oauth2/v1/sign-out"
TYPED = {"login": "jane", "username": "jane", "password": PASSWORD}


class _Form(HTMLParser):
    """The first form of a page that is sent by POST, with the fields that it has."""

    def __init__(self, page: httpx.Response) -> None:
        super().__init__()
        self.page, self.action, self.fields, self.done = page, "", dict[str, str](), False
        self.feed(page.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method", "").lower() == "post" and not self.action:
            self.action = urljoin(str(self.page.url), html.unescape(given.get("action", "")) or str(self.page.url))
        elif tag == "input" and self.action and not self.done and "name" in given:
            self.fields[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        self.done = self.done or (tag == "form" and bool(self.action))


class Person:
    """A person at a browser that trusts service and provider."""

    def __init__(self, server: RunningServer, place: Place) -> None:
        trust = ssl.create_default_context(cafile=place.authority)
        trust.load_verify_locations(server.ca_file)
        self.base = server.base_url
        self.client = httpx.Client(verify=trust, trust_env=False, follow_redirects=True, timeout=60)

    def close(self) -> None:
        self.client.close()

    def go(self, page: httpx.Response) -> httpx.Response:
        """Follow what goes on by itself, and fill in the forms of the provider, until a page of the service."""
        for _ in range(12):
            if "refresh" in page.headers:
                page = self.client.get(page.headers["refresh"].removeprefix("0; url="))
            elif str(page.url).startswith(self.base):
                return page
            else:
                form = _Form(page)
                assert form.action, page.text
                typed = {name: value for name, value in TYPED.items() if name in form.fields}
                page = self.client.post(form.action, data=form.fields | typed, headers={"Referer": str(page.url)})
        raise AssertionError(page.text)

    def submit(self, page: httpx.Response, **typed: str) -> httpx.Response:
        """Press a button of a page of the service."""
        form = _Form(page)
        found = self.client.post(form.action, data=form.fields | typed, headers={"Origin": self.base})
        return self.go(found)

    def account(self) -> httpx.Response:
        return self.client.get(f"{self.base}/account")

    def sign_in(self) -> httpx.Response:
        return self.submit(self.account(), act="issuer:employer")


def trust(server: RunningServer, place: Place, program: Issuing) -> None:
    """Do what an operator does: add the issuer, give it its secret, and test it."""
    options = ["--name", "Employer Ltd", "--client-id", "credence", "--makes-accounts", "--signs-out-there"]
    options += ["--domain", program.email.rpartition("@")[2], "--authentication", program.authentication]
    options += ["--right", f"groups={program.group} workbench:{server.client_id}"]
    options += [word for scope in program.scopes for word in ("--request-scope", scope)]
    added = server.command("issuer", "add", place.issuer, "employer", *options)
    assert added.returncode == 0, added.stderr
    if program.authentication.startswith("client_secret"):
        assert server.command("issuer", "set-secret", "employer", "--secret-stdin", stdin=SECRET).returncode == 0
    tested = json.loads(server.command("issuer", "test", "employer", "--json").stdout)
    wanting = [] if program.signs_out else ["Its metadata lacks the end session endpoint, at which people sign out."]
    assert tested["problems"] == wanting


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in PROGRAMS])
def test_people_sign_in_and_out_at(name: str, tmp_path: Path, start_server: StartServer) -> None:
    program, place = PROGRAMS[name], place_of(name, tmp_path)
    server = start_server(
        CREDENCE_PORT=str(free_port()),
        CREDENCE_CALLS_OUT="on",
        CREDENCE_OUTGOING_NETWORKS="127.0.0.0/8,::1/128",
        CREDENCE_OUTGOING_PORTS=str(place.port),
        CREDENCE_OUTGOING_AUTHORITIES=str(place.authority),
    )
    with issuing(name, place, server):
        trust(server, place, program)
        with closing(Person(server, place)) as person:
            _walk(name, place, server, person)


def _walk(name: str, place: Place, server: RunningServer, person: Person) -> None:
    program = PROGRAMS[name]
    assert program.email in person.sign_in().text
    account = json.loads(server.command("account", "show", program.email, "--json").stdout)
    assert account["workbench_for"] == server.client_id
    (link,) = json.loads(server.command("issuer", "links", "--json").stdout)
    assert link["username"] == program.email
    _signs_out(person, program)
    assert program.email in person.sign_in().text  # the same account, by iss and sub
    assert len(json.loads(server.command("issuer", "links", "--json").stdout)) == 1
    if name == "Keycloak":
        _is_signed_out_by_keycloak(person, place)


def _signs_out(person: Person, program: Issuing) -> None:
    page = person.submit(person.client.get(f"{person.base}{SIGN_OUT}"), decision="sign-out")
    assert "You have signed out" in page.text
    assert ("you may still be signed in to Employer Ltd" in page.text) is not program.signs_out
    assert "Sign in with Employer Ltd" in person.account().text


def _is_signed_out_by_keycloak(person: Person, place: Place) -> None:
    """An administrator of the employer ends the sessions there: Keycloak sends a logout token."""
    base = place.issuer.removesuffix("/realms/employer")
    fields = {"grant_type": "password", "client_id": "admin-cli", "username": "admin", "password": PASSWORD}
    with place.client(base_url=base) as admin:
        token = admin.post("/realms/master/protocol/openid-connect/token", data=fields).json()["access_token"]
        admin.headers["Authorization"] = f"Bearer {token}"
        (jane,) = admin.get("/admin/realms/employer/users").json()
        assert admin.post(f"/admin/realms/employer/users/{jane['id']}/logout").status_code == 204
    assert "Sign in with Employer Ltd" in person.account().text
