"""What the screens withstand: names with markup, marks that turn a line around, 10,000 characters, framing (threats E4)."""

import base64
import hashlib
import html
import re
from html.parser import HTMLParser

import html5lib
import msgspec

from credence.identity import accounts
from credence.sites.console.table import SCREENS
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, TrustedIssuer
from tests.console.conftest import Console
from tests.console.test_who_may import path_of
from tests.deployment import NOW, Reply, ada

HOSTILE = " ".join(
    (
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "{{ 7 * 7 }}{% raw %}",
        "\u202eevil\u200f\u2066",
        "=HYPERLINK(1)\t",
        "x" * 10_000,
    )
)

PAGE_BYTES = 67_500


class Elements(HTMLParser):
    """The names of elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(name for name, _ in attrs)}
        self.scripts += tag == "script"


def elements_of(page: Reply) -> set[str]:
    """The names of elements and attributes of a page, without its one script, which the policy names."""
    parser = Elements()
    parser.feed(page.body.decode())
    return parser.found - {"script"} if parser.scripts == 1 else parser.found


async def test_names_are_text_and_nothing_else_on_every_screen(console: Console) -> None:
    owner = await console.operator("owner")
    pages = [await owner.browser.get(path_of(screen, console)) for screen in (*SCREENS, *SCREENS)]
    clean = set().union(*map(elements_of, pages))
    await console.main.change_application(
        name=HOSTILE,
        owner="ada",
        redirect_uris=(f"https://app.example/{HOSTILE}",),
        policy_uri=HOSTILE,
        origins=(HOSTILE,),
    )
    await console.main.change_account("ada", email=HOSTILE, first_name=HOSTILE, last_name=HOSTILE)
    for screen in SCREENS:
        page = await owner.browser.get(path_of(screen, console))
        assert page.status in (200, 404)
        assert elements_of(page) <= clean, screen.path
        assert not any(each in page.body.decode() for each in "\u202e\u200f\u2066")
        html5lib.HTMLParser(strict=True).parse(page.body)
        assert len(page.body) <= PAGE_BYTES
        searched = await owner.browser.get(f"{path_of(screen, console)}?q=%3Cscript%3E%22&after=%00"[:-3])
        assert searched.status in (200, 404)
        assert "script" not in elements_of(searched)


async def test_a_person_of_a_trusted_issuer_is_linked_to_their_own_page(console: Console) -> None:
    """A login name may have every mark that means something in an address."""
    name, store = "a/../b?c#d%2f@example.com", console.main.store
    account = accounts.register(name, "user", ada().password_hash, NOW)
    await store.save_account(account, NOW)
    await store.save(ISSUERS, TrustedIssuer("example", "https://id.example", "Example Ltd", NOW))
    await store.save(LINKS, IssuerLink("link", "example", "1", name, NOW))
    boss = await console.operator("operator")
    links = re.findall(r'href="(/console/accounts/[^"]+)"', (await boss.browser.get("/console/issuers")).body.decode())
    (link,) = links
    page = await boss.browser.get(html.unescape(link))
    assert (page.status, f"<bdi>{name}</bdi>" in page.body.decode()) == (200, True)


async def test_a_page_full_of_long_names_stays_small(console: Console) -> None:
    """As many rows as a page has, each cell with the heading that it has as part of a card."""
    owner = await console.operator("owner")
    ada = await console.main.store.account("ada")
    assert ada is not None
    known = console.main.application
    for number in range(60):
        names = {"email": HOSTILE, "first_name": HOSTILE, "last_name": HOSTILE}
        account = msgspec.structs.replace(ada, username=f"p{number:03}", version=1, **names)
        await console.main.store.save_account(account, NOW)
        application = msgspec.structs.replace(known, client_id=f"c{number:03}", version=1, name=HOSTILE, owner="ada")
        await console.main.store.save_application(application, NOW)
        await console.main.send("GET", f"/none/{number}")
    console.main.write_request_log()
    for path in ("/console/accounts", "/console/applications", "/console/registrations", "/console/log"):
        page = await owner.browser.get(path)
        assert (page.status, len(page.body) <= PAGE_BYTES) == (200, True), (path, len(page.body))
        assert page.body.decode().count("<script>") == 1
        assert page.body.decode().count("<tr>") > 50, path


async def test_what_was_typed_comes_back_as_text(console: Console) -> None:
    owner = await console.operator("owner")
    page = await owner.do(
        "/console/accounts", "account-invite", username='"><script>', email="<b>\u202e", first_name="x" * 10_000
    )
    assert page.status == 422
    assert not {"script", "b"} & elements_of(page)


async def test_no_screen_runs_another_script_loads_anything_is_framed_or_is_kept(console: Console) -> None:
    """Content Security Policy Level 3: the one script is named by its digest; one request for a page."""
    owner = await console.operator("owner")
    for screen in SCREENS:
        page = await owner.browser.get(path_of(screen, console))
        policy = page.headers["content-security-policy"].split("; ")
        action = f"form-action 'self' {console.main.service.settings.issuer}"
        assert {"default-src 'none'", "frame-ancestors 'none'", action, "base-uri 'none'"} <= set(policy)
        script = page.body.decode().partition("<script>")[2].partition("</script>")[0]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert {f"script-src 'sha256-{digest}'", "require-trusted-types-for 'script'"} <= set(policy)
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["cross-origin-opener-policy"] == "same-origin"
        assert not {"script", "img", "link", "src", "style="} & (elements_of(page) - {"style"})


async def test_what_does_not_exist_is_said_to_be_missing(console: Console) -> None:
    owner = await console.operator("owner")
    for path in ("/console/applications/none", "/console/accounts/none", "/console/accounts/%3Cb%3E"):
        page = await owner.browser.get(path)
        assert page.status == 404
        assert "b" not in elements_of(page)
