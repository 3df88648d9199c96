"""The gate, from the route table and from the pages: no form acts for a person who may not do it (threats E11, E12).

Each page for a person is opened and each of its forms sent, and so are the forms of the pages that come of it; a new route,
page, form or act is among them without a line here. Each form is sent in each combination of a session that is weaker than
the policy of the account, a network that its rules exclude, a step of another visitor, and a sign-in of eleven minutes ago.
"""

import html
import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pyotp
import pytest

from credence import paths
from credence.access.rules import AccessRules
from credence.crypto import base64url
from credence.identity.address_codes import AddressChange, Role, code_of
from credence.identity.sessions import Purpose, new_session
from credence.sign_in.browser.steps import Step
from credence.store.sign_ins import Consent
from credence.store.transfer.tables import TABLES
from credence.web.routes import DEVELOPERS as ROWS_OF_DEVELOPERS
from credence.web.routes import ROUTES
from credence.web.routes import WORKBENCH as ROWS_OF_WORKBENCH
from credence.web.routes_for_management import CONSOLE as ROWS_OF_CONSOLE
from credence.web.routing.route import Protection
from tests.deployment import NOW, PASSWORD, Deployment, OpenDeployment, Reply
from tests.memory_store import MemoryStore
from tests.sign_in.authenticator import Passkey, add
from tests.sign_in.browsing import FORM, Browser, form_of_text, request_of, with_browser_application
from tests.sign_in.devices import GRANT, ask
from tests.sign_in.factors import STEP, app_of, enrolled
from tests.sign_in.test_links import link_of

ALLOWED, ELSEWHERE = "192.0.2.7", "198.51.100.9"
STRONG, WEAK = "pwd otp mfa", "pwd"
SESSION, VISITOR = "__Host-credence-session", "__Host-credence-visitor"
CHOSEN = "four unrelated words here"
OLD_MS = 11 * 60_000
RELAY = "smtp://127.0.0.1:9"
"""With one there are forms for messages; no background task sends any."""

SITES = ("console", "developers", "workbench")

BEFORE_THE_GATE = {
    *((method, path) for path in (paths.AUTHORIZATION, paths.SIGN_OUT) for method in ("GET", "POST")),
    *(
        (method, path)
        for path in (paths.PASSWORD, paths.FORGOTTEN_PASSWORD, paths.SIGN_UP, paths.ALERT_MAIL)
        for method in ("GET", "POST")
    ),
    ("GET", f"{paths.FROM_ISSUER}/{{id}}"),
    ("GET", f"{paths.FROM_ISSUER}/{{id}}/signed-out"),
    *(("POST", f"{paths.FROM_ISSUER}/{{id}}/{what}") for what in ("logout", "signals")),
    *(("POST", path) for path in (paths.SIGN_IN, paths.PASSKEY, paths.CONTINUE)),
    *(("GET", f"/{site}/{page}") for site in SITES for page in ("sign-in", "signed-in")),
    *(("POST", f"/{site}/sign-out") for site in SITES),
}
"""These find out who the person is, decide as the gate does, or end the session of the browser itself."""

ASKS_FOR_A_PROOF = tuple(f'action="{path}"'.encode() for path in (paths.SIGN_IN, paths.SECOND_FACTOR, paths.PASSKEY))

OLD_IS_ENOUGH = {
    (paths.ACCOUNT, ""),
    (paths.ACCOUNT, "data"),
    (paths.CONSENT, ""),
    (paths.DEVICE, ""),
    (paths.MAIL_ADDRESS, "codes"),  # which were requested, within the last half hour, after a recent sign-in
}
"""The forms, with their acts, that a person may send eleven minutes after signing in."""


def test_every_row_for_a_browser_is_behind_the_gate_but_for_those_named_here() -> None:
    rows = (*ROUTES, *ROWS_OF_CONSOLE, *ROWS_OF_WORKBENCH, *ROWS_OF_DEVELOPERS)
    found = {(method, row.path) for row in rows if row.protection is Protection.BROWSER for method in row.methods}
    assert found == BEFORE_THE_GATE
    assert all(row.gate is not None for row in rows if row.protection is Protection.PERSON)


@dataclass(frozen=True)
class Form:
    """A form as a page has it, with the button that is pressed."""

    page: Reply
    action: str
    fields: Mapping[str, str]

    @property
    def act(self) -> str:
        return self.fields.get("act", "")

    @property
    def under_way(self) -> bool:
        """Whether it carries a login that has no session yet."""
        return msgspec.json.decode(base64url.decode(self.fields["step"])[16:], type=Step).proved_at != 0

    @property
    def kind(self) -> tuple[object, ...]:
        """What two forms have in common that do the same."""
        return self.action, self.act, self.fields.get("decision"), tuple(self.fields), self.under_way


def forms_of(page: Reply) -> Iterable[Form]:
    """Each button of each form, those outside of it included; a button that shows a password submits nothing."""
    text = page.body.decode()
    for whole, action in re.findall(r'(<form method="post" action="([^"]+)".*?</form>)', text, re.DOTALL):
        _, hidden = form_of_text(whole)
        typed = dict.fromkeys(
            re.findall(r'<input type="(?:text|password|email|hidden)"[^>]* name="([^"]+)"', whole), ""
        )
        name = re.search(r'<form[^>]* id="([^"]+)"', whole)
        outside = re.findall(rf'<button[^>]* form="{name[1]}"[^>]*>', text) if name else []
        for button in (*re.findall(r"<button(?![^>]*aria-controls)[^>]*>", whole), *outside):
            pressed = dict(re.findall(r' name="([^"]+)" value="([^"]+)"', button))
            yield Form(page, html.unescape(action), {**typed, **hidden, **pressed})


@dataclass
class Person:
    """A person with an app, a passkey and an application, whose account needs a second factor and allows one network."""

    deployment: Deployment
    app: pyotp.TOTP
    passkey: Passkey
    user_code: str
    visitor: str
    version: int
    """That of the account."""

    @property
    def store(self) -> MemoryStore:
        return self.deployment.memory

    async def session(self, methods: str = STRONG, age: int = 0, purpose: Purpose = "session") -> str:
        """Open a session in the store and return its cookie."""
        return await opened(self.deployment, "ada", methods, age, purpose)

    async def get(self, target: str, session: str = "") -> Reply:
        pairs = f"{VISITOR}={self.visitor}; {SESSION}={session}"
        return await self.deployment.send("GET", target, [("Cookie", pairs)])

    async def send(self, form: Form, session: str, visitor: str = "", peer: str = ALLOWED) -> Reply:
        """Fill in a form and send it, and follow a redirect."""
        pairs = f"{VISITOR}={visitor or self.visitor}; {SESSION}={session}"
        body = urlencode({name: self.typed(form, name, value) for name, value in form.fields.items()}).encode()
        return await self.deployment.send("POST", form.action, [FORM, ("Cookie", pairs)], body, peer)

    def typed(self, form: Form, name: str, value: str) -> str:
        """Return what the person enters in a field, or the browser's script."""
        match name:
            case "username":
                return "ada"
            case "current":
                return PASSWORD
            case "password" | "again":
                return PASSWORD if form.action == paths.SIGN_IN else CHOSEN
            case "code":
                app = app_of(form.page) if b"<small>Key</small>" in form.page.body else self.app
                return str(app.at(self.deployment.now // 1000))
            case "address":
                return "new@example.com"
            case "old_code" | "new_code":
                step = msgspec.json.decode(base64url.decode(form.fields["step"])[16:], type=Step)
                change = AddressChange("ada", self.version, step.query, step.arrived_at)
                role: Role = "old" if name == "old_code" else "new"
                return code_of(self.deployment.service.authority.secrets.digest, change, role)
            case "user_code":
                return self.user_code
            case "response":
                (options,) = re.findall(r'data-options="([^"]*)"', form.page.body.decode())
                given = msgspec.json.decode(html.unescape(options))
                return Passkey().created(given) if "user" in given else self.passkey.signed(given)
        return value


async def opened(deployment: Deployment, username: str, methods: str, age: int, purpose: Purpose) -> str:
    account = await deployment.store.account(username)
    assert account is not None
    secret, now = deployment.service.authority.secrets.refresh, deployment.now
    session, cookie = new_session(secret, account, methods, "Firefox", now, 3_600_000, purpose, since=now - age)
    await deployment.store.open_session(session, account)
    return cookie


async def person_at(deployment: Deployment) -> Person:
    application = await with_browser_application(deployment, grants=("authorization_code", "refresh_token", GRANT))
    browser = Browser(deployment)
    app, _ = await enrolled(browser)
    passkey = Passkey()
    await add(browser, passkey)
    deployment.now += STEP
    rules = AccessRules(networks=(f"{ALLOWED}/32",))
    await deployment.change_account(sign_in="factor", rules=rules, email_verified=True)
    await deployment.store.save_consent(Consent("ada", "another application", "openid", b"", NOW))
    codes = (await ask(deployment)).json
    account = await deployment.store.account("ada")
    assert account is not None
    person = Person(deployment, app, passkey, codes["user_code"], browser.cookies[VISITOR], account.version)
    person.deployment.application = application
    return person


def state(store: MemoryStore) -> dict[str, object]:
    """Everything that the store holds, failed attempts included."""
    return {table.name: store.rows(table) for table in TABLES}


STARTS = (
    *(row.path for row in ROUTES if row.protection is Protection.PERSON and "GET" in row.methods),
    "consent",
    "sign-in",
    "link",
)


async def opening(person: Person, start: str) -> Reply:
    """Open a page on which a person begins."""
    if start in ("consent", "sign-in"):
        session = await person.session() if start == "consent" else ""
        return await person.get(request_of(person.deployment.application), session)
    target = link_of(person.deployment, until=person.deployment.now + OLD_MS) if start == "link" else start
    return await person.get(target, await person.session())


async def reached(person: Person, start: str, way: tuple[object, ...]) -> Reply:
    """Open the page and send one form after the other, each of a kind; return the last answer."""
    page = await opening(person, start)
    for kind in way:
        page = await sent(person, next(each for each in forms_of(page) if each.kind == kind))
    return page


async def sent(person: Person, form: Form) -> Reply:
    """Send the form with all that it needs, and follow a redirect to one of our pages."""
    session = await person.session()
    page = await person.send(form, session)
    (session, *_) = [each.split(";")[0].partition("=")[2] for each in page.cookies if SESSION in each] or [session]
    person.deployment.now += STEP  # the next code of the app
    return await person.get(page.headers["location"], session) if "location" in page.headers else page


@pytest.mark.parametrize("start", STARTS)
async def test_no_form_acts_for_a_person_who_lacks_what_it_needs(
    open_deployment: OpenDeployment, tmp_path: Path, start: str
) -> None:
    seen: set[object] = set()
    waiting: list[tuple[object, ...]] = [()]
    changing = 0
    while waiting:
        way = waiting.pop()
        person = await person_at(await open_deployment(tmp_path / str(len(seen)), mail_relay=RELAY))
        page = await reached(person, start, way[:-1])
        if way:
            form = next(each for each in forms_of(page) if each.kind == way[-1])
            await expect_nothing(person, form)
            before = state(person.store)
            page = await sent(person, form)
            if (form.action, "password" in form.fields) != (paths.SIGN_IN, False):  # which takes the name alone
                assert f'action="{paths.SIGN_IN}"'.encode() not in page.body, (form.kind, "with all that it needs")
            changing += state(person.store) != before
        for form in forms_of(page):
            if form.kind not in seen:
                seen.add(form.kind)
                waiting.append((*way, form.kind))
    assert changing, "no form of these pages does anything, so it is no test"


async def expect_nothing(person: Person, form: Form) -> None:
    """Send the form in every combination of what is wrong; nothing may happen."""
    gated = ("POST", form.action) not in BEFORE_THE_GATE
    by_session = gated and not form.under_way and form.action != paths.SECOND_FACTOR  # which strengthens a weak session
    for weak, network, visitor, old in itertools.product((False, True), repeat=4):
        counts = (
            visitor
            or (network and gated)
            or (by_session and (weak or (old and (form.action, form.act) not in OLD_IS_ENOUGH)))
        )
        if not counts:
            continue
        session = await person.session(WEAK if weak else STRONG, OLD_MS if old else 0)
        other, peer = base64url.encode(b"another visitor.") if visitor else "", ELSEWHERE if network else ALLOWED
        before = state(person.store)
        reply = await person.send(form, session, other, peer)
        wrong = {"weak": weak, "network": network, "visitor": visitor, "old": old}
        assert state(person.store) == before, (form.kind, wrong, reply)
        assert reply.status == 400 or not visitor, (form.kind, wrong, reply)
        assert reply.status in (400, 403) or any(each in reply.body for each in ASKS_FOR_A_PROOF), (
            form.kind,
            wrong,
            reply,
        )


async def test_no_proof_from_an_excluded_network_opens_a_session(
    open_deployment: OpenDeployment, tmp_path: Path
) -> None:
    """The right password, code and passkey from there: a page with 403, and no session."""
    person = await person_at(await open_deployment(tmp_path))
    name, _, passkey = forms_of(await opening(person, "sign-in"))
    password, *_ = forms_of(await sent(person, name))
    (code,) = forms_of(await sent(person, password))
    assert [each.action for each in (password, passkey, code)] == [paths.SIGN_IN, paths.PASSKEY, paths.SECOND_FACTOR]
    sessions = await person.store.sessions_of("ada")
    for form in (password, passkey, code):
        reply = await person.send(form, "", peer=ELSEWHERE)
        assert (reply.status, SESSION in str(reply.cookies)) == (403, False), form.action
        assert b"from this network" in reply.body
    assert await person.store.sessions_of("ada") == sessions
