"""Apache's mod_auth_openidc guards a page: for tokens, by introspection and by the key set, and for people who sign in."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.ports import free_port
from tests.sign_in.browsing import form_of_text
from tests.strangers.programs import needs, running
from tests.strangers.provider import EVERY_GRANT, Provider

MODULES = Path("/usr/lib/apache2/modules")
pytestmark = [
    needs("apache2"),
    pytest.mark.skipif(
        not (MODULES / "mod_auth_openidc.so").exists(), reason="mod_auth_openidc is missing: python -m tests.provision"
    ),
]

SERVER = """\
ServerRoot {folder}
PidFile {folder}/pid
ErrorLog {folder}/error.log
DefaultRuntimeDir {folder}
Mutex file:{folder}
ServerName localhost
Listen 127.0.0.1:{port}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule headers_module {modules}/mod_headers.so
LoadModule auth_openidc_module {modules}/mod_auth_openidc.so
User nobody
Group nogroup
DocumentRoot {folder}/pages
OIDCCryptoPassphrase for-tests-only
OIDCCABundlePath {folder}/ca.pem
{verification}
<Location />
  AuthType {kind}
  Require claim {claim}
  Header echo ^OIDC_CLAIM
</Location>
"""
BY_INTROSPECTION = """\
OIDCOAuthServerMetadataURL {issuer}/.well-known/oauth-authorization-server
OIDCOAuthClientID {client_id}
OIDCOAuthClientSecret {secret}
"""
BY_KEYS = "OIDCOAuthVerifyJwksUri {issuer}/oauth2/v1/keys"
WAYS = {"introspection": (BY_INTROSPECTION, "active:true"), "key set": (BY_KEYS, "iss:{issuer}")}


BY_SIGN_IN = """\
OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client_id}
OIDCClientSecret {secret}
OIDCRedirectURI {back}
OIDCPKCEMethod S256
OIDCScope "openid profile"
"""


@pytest.fixture(params=WAYS)
def apache(request: pytest.FixtureRequest, provider: Provider) -> Iterator[str]:
    """The address of the page that is guarded for tokens."""
    client_id, secret = provider.credentials("mod_auth_openidc", *EVERY_GRANT, "--introspects", provider.issuer)
    known = {"issuer": provider.issuer, "client_id": client_id, "secret": secret}
    verification, claim = (text.format(**known) for text in WAYS[request.param])
    with guarded(provider, free_port(), kind="oauth20", verification=verification, claim=claim) as address:
        yield address


@contextmanager
def guarded(provider: Provider, port: int, **how: str) -> Iterator[str]:
    """Run Apache with a guarded page and yield its address."""
    # Not the folder of the test: Apache's processes are another user's, who may not read that.
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "pages").mkdir()
    (folder / "pages" / "page.txt").write_text("guarded")
    shutil.copy(provider.ca_file, folder / "ca.pem")
    (folder / "ca.pem").chmod(0o644)
    configuration = folder / "httpd.conf"
    configuration.write_text(SERVER.format(folder=folder, port=port, modules=MODULES, **how))
    address = f"http://127.0.0.1:{port}/page.txt"
    try:
        command = ["apache2", "-D", "FOREGROUND", "-f", str(configuration)]
        with running(command, lambda: _answers(address), folder / "output.txt"):
            yield address
    finally:
        shutil.rmtree(folder)


def _answers(address: str) -> bool:
    try:
        httpx.get(address, trust_env=False)
    except httpx.TransportError:
        return False
    return True


def test_a_page_opens_for_a_good_token_alone_and_knows_whose_it_is(provider: Provider, apache: str) -> None:
    """RFC 7662 §2.2, RFC 9068 §4."""
    token = provider.token("RS256")
    good = httpx.get(apache, headers={"Authorization": f"Bearer {token}"}, trust_env=False)
    assert (good.status_code, good.text) == (200, "guarded")
    assert good.headers["oidc_claim_sub"] == provider.server.username
    for wrong in (f"Bearer {token[:-4]}AAAA", "Bearer nonsense", ""):
        assert httpx.get(apache, headers={"Authorization": wrong}, trust_env=False).status_code == 401


def test_a_page_opens_for_a_person_who_signs_in(provider: Provider) -> None:
    """OpenID Connect Core §3.1 with PKCE: the module redirects, the person signs in, and the page knows who it is."""
    port = free_port()
    back = f"http://127.0.0.1:{port}/back"
    options = ("--grant", "authorization_code", "--redirect-uri", back)
    client_id, secret = provider.credentials("mod_auth_openidc signs in", *options)
    known = {"issuer": provider.issuer, "client_id": client_id, "secret": secret, "back": back}
    how = {"kind": "openid-connect", "verification": BY_SIGN_IN.format(**known), "claim": f"iss:{provider.issuer}"}
    login = {"username": provider.server.username, "password": provider.server.password}
    with (
        guarded(provider, port, **how) as address,
        httpx.Client(
            base_url=provider.issuer, verify=provider.trust, trust_env=False, follow_redirects=True
        ) as browser,
    ):
        page = browser.get(address)
        for typed in (login, {"decision": "allow"}):
            action, hidden = form_of_text(page.text)
            page = browser.post(action, data={**hidden, **typed})
        opened = browser.get(page.headers["refresh"].removeprefix("0; url="))
        assert (opened.status_code, opened.text) == (200, "guarded")
        assert opened.headers["oidc_claim_sub"] == provider.server.username
