"""Apache's mod_auth_openidc ends its session when ours ends (OpenID Connect Back-Channel Logout 1.0)."""

import time
from pathlib import Path

import httpx
import pytest

from tests.conftest import StartServer
from tests.ports import free_port
from tests.sign_in.browsing import form_of_text
from tests.strangers.programs import needs
from tests.strangers.provider import Provider
from tests.strangers.test_mod_auth_openidc import BY_SIGN_IN, MODULES, guarded

LIMIT_SECONDS = 60

OVER_TLS = """\
LoadModule ssl_module {modules}/mod_ssl.so
Listen 127.0.0.1:{port}
<VirtualHost 127.0.0.1:{port}>
  SSLEngine on
  SSLCertificateFile {tls}/server.pem
  SSLCertificateKeyFile {tls}/server-key.pem
</VirtualHost>
"""

pytestmark = [
    needs("apache2"),
    pytest.mark.skipif(
        not (MODULES / "mod_auth_openidc.so").exists(), reason="mod_auth_openidc is missing: python -m tests.provision"
    ),
]


def test_its_page_closes_when_the_person_signs_out_elsewhere(start_server: StartServer, tmp_path: Path) -> None:
    plain, secured = free_port(), free_port()
    data = tmp_path / "data"
    server = start_server(
        data_dir=data,
        CREDENCE_CALLS_OUT="on",
        CREDENCE_OUTGOING_NETWORKS="127.0.0.0/8,::1/128",
        CREDENCE_OUTGOING_PORTS=str(secured),
        CREDENCE_OUTGOING_AUTHORITIES=str(data / "tls" / "ca.pem"),
    )
    provider = Provider(server)
    back = f"https://localhost:{secured}/back"
    client_id, secret = provider.credentials(
        *("mod_auth_openidc", "--grant", "authorization_code", "--redirect-uri", back),
        *("--backchannel-logout-uri", f"{back}?logout=backchannel"),
    )
    known = {"issuer": provider.issuer, "client_id": client_id, "secret": secret, "back": back}
    tls = OVER_TLS.format(modules=MODULES, port=secured, tls=server.data_dir / "tls")
    how = {
        "kind": "openid-connect",
        "verification": BY_SIGN_IN.format(**known) + tls,
        "claim": f"iss:{provider.issuer}",
    }
    login = {"username": server.username, "password": server.password}
    with (
        guarded(provider, plain, **how),
        httpx.Client(
            base_url=provider.issuer, verify=provider.trust, trust_env=False, follow_redirects=True
        ) as browser,
    ):
        address = f"https://localhost:{secured}/page.txt"
        page = browser.get(address)
        for typed in (login, {"decision": "allow"}):
            action, hidden = form_of_text(page.text)
            page = browser.post(action, data={**hidden, **typed})
        assert browser.get(page.headers["refresh"].removeprefix("0; url=")).text == "guarded"
        browser.follow_redirects = False
        assert browser.get(address).text == "guarded"

        action, hidden = form_of_text(browser.get("/oauth2/v1/sign-out").text)
        assert browser.post(action, data=hidden).status_code == 200
        deadline = time.monotonic() + LIMIT_SECONDS
        while (closed := browser.get(address)).status_code == 200:
            assert time.monotonic() < deadline, "the page is still open"
            time.sleep(0.1)
        assert closed.headers["location"].startswith(f"{provider.issuer}/oauth2/v1/authorize?")
