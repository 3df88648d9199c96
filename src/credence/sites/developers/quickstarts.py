"""Programs that sign a person in, with the values of an application, and how to create and to run each.

Flask, single page and AppAuth are read from the pages of `docs/clients`, whose lines the tests run; what is added here fills
in the values and starts them. The others are templates in `programs/`. Every value is one that the service made, or a
redirect URI that it has checked.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from urllib.parse import SplitResult, urlsplit

from credence import paths
from credence.sandbox.examples import COMPANY_NUMBER

MAX_URI_CHARACTERS = 200
"""Programs repeat the redirect URI, and the page has a size."""

NEXT_PATH = "/api/auth/callback/credence"
"""The path of a redirect URI for Auth.js, which derives it from its own address and the id of the provider."""

_PLAIN = re.compile(r"[\w:/?#@!&()*+,;=.~%\[\]-]+")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_AUTH_JS = re.compile(r"(?P<base>/[\w/-]+)/callback/(?P<provider>[\w-]+)").fullmatch


@dataclass(frozen=True, slots=True)
class Quickstart:
    """A program: the files to save, the command that runs it, and the address to open, empty if it opens it itself."""

    language: str
    files: Mapping[str, str]
    run: str
    opened: str = ""


@dataclass(frozen=True, slots=True)
class _Values:
    issuer: str
    client_id: str
    secret: str
    redirect_uri: str
    ca: str

    @property
    def parts(self) -> SplitResult:
        return urlsplit(self.redirect_uri)

    @property
    def host(self) -> str:
        return self.parts.hostname or "localhost"

    @property
    def port(self) -> int:
        return self.parts.port or 5000

    @property
    def path(self) -> str:
        return self.parts.path or "/"

    @property
    def origin(self) -> str:
        return f"{self.parts.scheme}://{self.parts.netloc}/"

    @property
    def report(self) -> str:
        return f"{self.issuer}{paths.report('v1')}/{COMPANY_NUMBER}"

    def trust(self, variable: str) -> str:
        """Return the beginning of a command that trusts the authority of the sandbox."""
        return f"{variable}='{self.ca}' " if self.ca else ""


def quickstarts(
    kind: str, issuer: str, client_id: str, secret: str, redirect_uri: str, ca: str
) -> Iterator[Quickstart]:
    """Yield the programs for a kind of application (`developers.KINDS`), none for a redirect URI that is very long
    or has a character that ends a text of a program. `ca` is empty if clients need no further authority.
    """
    if len(redirect_uri) > MAX_URI_CHARACTERS or not _PLAIN.fullmatch(redirect_uri):
        return
    values = _Values(issuer, client_id, secret, redirect_uri, ca)
    if kind == "web":
        yield _flask(values)
        yield _express(values)
        if _AUTH_JS(values.path):
            yield _next(values)
        yield _spring(values)
    elif kind == "page":
        yield _single_page(values)
    elif kind == "native":
        yield _appauth(values)


@cache
def _blocks(page: str) -> tuple[str, ...]:
    """Return the programs of a page of docs/clients, in its order, without commands."""
    text = (resources.files("credence.documentation") / "clients" / page).read_text(encoding="utf-8")
    return tuple(_EXPORT.sub("", block) for language, block in _BLOCK.findall(text) if language)


def filled(name: str, **values: object) -> str:
    """Return a file of `programs/` with these values in the place of their names in capitals."""
    text = (resources.files("credence.sites.developers") / "programs" / name).read_text(encoding="utf-8")
    for each, value in values.items():
        text = text.replace(each.upper(), str(value))
    return text


def _flask(values: _Values) -> Quickstart:
    program = _blocks("flask.md")[0].replace('@app.get("/callback")', f'@app.get("{values.path}")')
    text = f"""\
import secrets
{program}

if __name__ == "__main__":
    site = application("{values.issuer}", "{values.client_id}", "{values.secret}", secrets.token_hex())
    site.run("127.0.0.1", {values.port})
"""
    run = f"pip install authlib flask requests\n{values.trust('REQUESTS_CA_BUNDLE')}python app.py"
    return Quickstart("Python (Flask)", {"app.py": text}, run, f"http://{values.host}:{values.port}/sign-in")


def _express(values: _Values) -> Quickstart:
    text = filled(
        "express.mjs",
        the_redirect_uri=values.redirect_uri,
        the_client_secret=values.secret,
        the_client_id=values.client_id,
        the_issuer=values.issuer,
        the_report=values.report,
        the_port=values.port,
    )
    run = f"npm install express openid-client\n{values.trust('NODE_EXTRA_CA_CERTS')}node app.mjs"
    return Quickstart("JavaScript (Express)", {"app.mjs": text}, run, values.origin)


def _next(values: _Values) -> Quickstart:
    found = _AUTH_JS(values.path)
    base, provider = (found["base"], found["provider"]) if found else ("", "")
    known = filled(
        "auth.js",
        the_provider=provider,
        the_base=base,
        the_issuer=values.issuer,
        the_client_id=values.client_id,
        the_client_secret=values.secret,
    )
    up = "../" * (base.count("/") + 2)
    files = {
        "auth.js": known,
        f"app{base}/[...nextauth]/route.js": filled("route.js", the_folder=up),
        "app/layout.js": filled("layout.js"),
        "app/page.js": filled("page.js", the_provider=provider),
    }
    run = (
        "npm install next@15 next-auth@5.0.0-beta.29 react react-dom\n"
        f"{values.trust('NODE_EXTRA_CA_CERTS')}AUTH_SECRET=$(openssl rand -hex 32) AUTH_TRUST_HOST=true "
        f"npx next dev --port {values.port}"
    )
    return Quickstart("Next.js (Auth.js)", files, run, values.origin)


def _spring(values: _Values) -> Quickstart:
    program = filled("App.java", the_path=values.path)
    known = filled(
        "application.yaml",
        the_port=values.port,
        the_client_id=values.client_id,
        the_client_secret=values.secret,
        the_redirect_uri=values.redirect_uri,
        the_issuer=values.issuer,
    )
    files = {
        "pom.xml": filled("pom.xml"),
        "src/main/java/demo/App.java": program,
        "src/main/resources/application.yaml": known,
    }
    trust = (
        f"keytool -importcert -noprompt -alias credence -file '{values.ca}' -keystore trust -storepass changeit\n"
        if values.ca
        else ""
    )
    options = "-Djavax.net.ssl.trustStore=trust -Djavax.net.ssl.trustStorePassword=changeit"
    run = f'{trust}mvn spring-boot:run -Dspring-boot.run.jvmArguments="{options if values.ca else ""}"'
    return Quickstart("Java (Spring Boot)", files, run, values.origin)


def _single_page(values: _Values) -> Quickstart:
    program = "\n".join(each for each in _blocks("single-page.md") if "function refresh" not in each)
    text = f"""\
<!doctype html>
<title>Sign in</title>
<button>Sign in</button>
<pre></pre>
<script type="module">
{program}
const [issuer, clientId] = ['{values.issuer}', '{values.client_id}']
const show = (what) => {{ document.querySelector('pre').textContent = JSON.stringify(what, null, 2) }}
document.querySelector('button').onclick = () => signIn(issuer, clientId, 'openid credit:report')
if (location.search) show(await report(issuer, (await comeBack(issuer, clientId)).access_token, '{COMPANY_NUMBER}'))
</script>
"""
    trust = f"# Let your browser trust {values.ca}\n" if values.ca else ""
    return Quickstart("HTML", {"index.html": text}, f"{trust}python3 -m http.server {values.port}", values.redirect_uri)


def _appauth(values: _Values) -> Quickstart:
    imports, start, sign_in, redeem, *_ = _blocks("appauth.md")
    text = f"""\
{imports}
const [issuer, clientId, port] = ['{values.issuer}', '{values.client_id}', 4180]
{start.replace("/callback`", f"{values.path}`")}
{sign_in}
{redeem}
const authorized = {{ headers: {{ Authorization: `Bearer ${{first.accessToken}}` }} }}
console.log(await (await fetch('{values.report}', authorized)).text())
process.exit()
"""
    run = f"npm install @openid/appauth@1.3.1\n{values.trust('NODE_EXTRA_CA_CERTS')}node app.mjs"
    return Quickstart("JavaScript (AppAuth)", {"app.mjs": text}, run)
