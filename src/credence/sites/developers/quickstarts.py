"""Programs that sign a person in, with the values of an application: those of docs/clients, complete and ready to run.

Flask, single page and AppAuth are read from the pages of the documentation, whose lines the tests run; what is added here
fills in the values and starts them. Every value is one that the service made, or a redirect URI that it has checked.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from urllib.parse import urlsplit

from credence import paths
from credence.blocks.values import Sample
from credence.sandbox.examples import COMPANY_NUMBER

MAX_URI_CHARACTERS = 200
"""Programs repeat the redirect URI, and the page has a size."""

_PLAIN = re.compile(r"[\w:/?#@!&()*+,;=.~%\[\]-]+")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def quickstarts(kind: str, issuer: str, client_id: str, secret: str, redirect_uri: str, ca: str) -> Iterator[Sample]:
    """Yield the programs for a kind of application (`developers.KINDS`), none for a redirect URI that is very long
    or has a character that ends a text of a program. `ca` is empty if clients need no further authority.
    """
    if len(redirect_uri) > MAX_URI_CHARACTERS or not _PLAIN.fullmatch(redirect_uri):
        return
    parts = urlsplit(redirect_uri)
    host, port, path = parts.hostname or "localhost", parts.port or 5000, parts.path or "/"
    if kind == "web":
        trust = f"REQUESTS_CA_BUNDLE='{ca}' " if ca else ""
        yield Sample("Python (Flask)", _flask(issuer, client_id, secret, trust, host, port, path))
        trust = f"NODE_EXTRA_CA_CERTS='{ca}' " if ca else ""
        yield Sample("JavaScript (Node)", _node(issuer, client_id, secret, trust, redirect_uri, port))
    elif kind == "page":
        yield Sample("HTML", _single_page(issuer, client_id, ca, redirect_uri, port))
    elif kind == "native":
        trust = f"NODE_EXTRA_CA_CERTS='{ca}' " if ca else ""
        yield Sample("JavaScript (AppAuth)", _appauth(issuer, client_id, trust, path))


@cache
def _blocks(page: str) -> tuple[str, ...]:
    """Return the programs of a page of docs/clients, in its order, without commands."""
    text = (resources.files("credence.documentation") / "clients" / page).read_text(encoding="utf-8")
    return tuple(_EXPORT.sub("", block) for language, block in _BLOCK.findall(text) if language)


def _flask(issuer: str, client_id: str, secret: str, trust: str, host: str, port: int, path: str) -> str:
    program = _blocks("flask.md")[0].replace('@app.get("/callback")', f'@app.get("{path}")')
    return f"""\
# 1. Save this as app.py    2. pip install authlib flask requests    3. {trust}python app.py
# 4. Open http://{host}:{port}/sign-in
import secrets
{program}

if __name__ == "__main__":
    site = application("{issuer}", "{client_id}", "{secret}", secrets.token_hex())
    site.run("127.0.0.1", {port})
"""


def _node(issuer: str, client_id: str, secret: str, trust: str, redirect_uri: str, port: int) -> str:
    return f"""\
// 1. Save this as app.mjs    2. npm install openid-client    3. {trust}node app.mjs
// 4. Open {_start(redirect_uri)}
import {{ createServer }} from 'node:http'
import * as client from 'openid-client'

const redirectUri = '{redirect_uri}'
const secret = client.ClientSecretBasic('{secret}')
const config = await client.discovery(new URL('{issuer}'), '{client_id}', undefined, secret)
const started = new Map() // of sign-ins under way: keep them in the session of each browser in production

async function answer(request, response) {{
  const url = new URL(request.url, redirectUri)
  if (url.pathname !== new URL(redirectUri).pathname || !url.searchParams.has('state')) {{
    const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
    started.set(state, verifier)
    const parameters = {{
      redirect_uri: redirectUri,
      scope: 'openid profile credit:report',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }}
    return response.writeHead(302, {{ location: client.buildAuthorizationUrl(config, parameters).href }}).end()
  }}
  const state = url.searchParams.get('state')
  const checks = {{ pkceCodeVerifier: started.get(state), expectedState: state, idTokenExpected: true }}
  if (!started.delete(state)) return response.writeHead(400).end('This sign-in was not started here.')
  const tokens = await client.authorizationCodeGrant(config, url, checks)
  const report = await client.fetchProtectedResource(config, tokens.access_token, new URL('{_report(issuer)}'), 'GET')
  response.end(`Signed in as ${{tokens.claims().sub}}\\n${{await report.text()}}`)
}}

createServer((request, response) => answer(request, response).catch((error) => response.writeHead(500).end(String(error))))
  .listen({port}, '127.0.0.1')
"""


def _single_page(issuer: str, client_id: str, ca: str, redirect_uri: str, port: int) -> str:
    trust = f"Let your browser trust {ca}    " if ca else ""
    program = "\n".join(each for each in _blocks("single-page.md") if "function refresh" not in each)
    return f"""\
<!-- 1. Save this as index.html    2. {trust}3. python3 -m http.server {port}    4. Open {redirect_uri} -->
<!doctype html>
<title>Sign in</title>
<button>Sign in</button>
<pre></pre>
<script type="module">
{program}
const [issuer, clientId] = ['{issuer}', '{client_id}']
const show = (what) => {{ document.querySelector('pre').textContent = JSON.stringify(what, null, 2) }}
document.querySelector('button').onclick = () => signIn(issuer, clientId, 'openid credit:report')
if (location.search) show(await report(issuer, (await comeBack(issuer, clientId)).access_token, '{COMPANY_NUMBER}'))
</script>
"""


def _appauth(issuer: str, client_id: str, trust: str, path: str) -> str:
    imports, start, sign_in, redeem, *_ = _blocks("appauth.md")
    return f"""\
// 1. Save this as app.mjs    2. npm install @openid/appauth@1.3.1    3. {trust}node app.mjs
{imports}
const [issuer, clientId, port] = ['{issuer}', '{client_id}', 4180]
{start.replace("/callback`", f"{path}`")}
{sign_in}
{redeem}
const authorized = {{ headers: {{ Authorization: `Bearer ${{first.accessToken}}` }} }}
console.log(await (await fetch('{_report(issuer)}', authorized)).text())
process.exit()
"""


def _report(issuer: str) -> str:
    return f"{issuer}{paths.report('v1')}/{COMPANY_NUMBER}"


def _start(redirect_uri: str) -> str:
    parts = urlsplit(redirect_uri)
    return f"{parts.scheme}://{parts.netloc}/"
