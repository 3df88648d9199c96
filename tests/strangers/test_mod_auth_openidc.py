"""Apache's mod_auth_openidc guards a page as a resource server: by introspection and by the key set."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.ports import free_port
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
  AuthType oauth20
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


@pytest.fixture(params=WAYS)
def apache(request: pytest.FixtureRequest, provider: Provider) -> Iterator[str]:
    """The address of the guarded page."""
    client_id, secret = provider.credentials("mod_auth_openidc", *EVERY_GRANT, "--introspects", provider.issuer)
    known = {"issuer": provider.issuer, "client_id": client_id, "secret": secret}
    verification, claim = (text.format(**known) for text in WAYS[request.param])
    port = free_port()
    # Not the folder of the test: Apache's processes are another user's, who may not read that.
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "pages").mkdir()
    (folder / "pages" / "page.txt").write_text("guarded")
    shutil.copy(provider.ca_file, folder / "ca.pem")
    (folder / "ca.pem").chmod(0o644)
    configuration = folder / "httpd.conf"
    configuration.write_text(
        SERVER.format(folder=folder, port=port, modules=MODULES, verification=verification, claim=claim)
    )
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
