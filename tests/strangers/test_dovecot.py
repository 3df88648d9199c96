"""Dovecot's password database `oauth2`: a mail user logs in with the password of the account (password grant, D1)."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.strangers.programs import BY_POST, needs, running
from tests.strangers.provider import Provider

pytestmark = [
    needs("dovecot"),
    pytest.mark.skipif(os.geteuid() != 0, reason="dovecot starts as root only: run the tests as root"),
]

SERVER = """\
base_dir = {folder}/run
log_path = {folder}/log
protocols =
ssl = no
default_internal_user = root
default_internal_group = root
default_login_user = nobody
passdb {{
  driver = oauth2
  mechanisms = plain
  args = {folder}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid=65534 gid=65534 home=/tmp
}}
"""
PASSWORD_GRANT = """\
grant_url = {issuer}/oauth2/v1/token
client_id = {client_id}
client_secret = {secret}
introspection_url = {issuer}/oauth2/v1/introspect
introspection_mode = post
use_grant_password = yes
username_attribute = username
active_attribute = active
active_value = true
tls_ca_cert_file = {ca_file}
"""


@pytest.fixture
def dovecot(provider: Provider, tmp_path: Path) -> Iterator[Path]:
    """The configuration of a Dovecot that is running."""
    client_id, secret = provider.credentials("Dovecot", *BY_POST)
    known = {"issuer": provider.issuer, "ca_file": provider.ca_file, "client_id": client_id, "secret": secret}
    configuration = tmp_path / "dovecot.conf"
    configuration.write_text(SERVER.format(folder=tmp_path))
    (tmp_path / "oauth2.conf").write_text(PASSWORD_GRANT.format(**known))
    (tmp_path / "run").mkdir()
    socket = tmp_path / "run" / "auth-client"
    command = ["dovecot", "-F", "-c", str(configuration)]
    with running(command, socket.exists, tmp_path / "output.txt"):
        yield configuration


@pytest.mark.parametrize(("right", "said"), [(True, "auth succeeded"), (False, "auth failed")])
def test_a_mail_user_logs_in_with_the_password_of_the_account(
    provider: Provider, dovecot: Path, right: bool, said: str
) -> None:
    password = provider.server.password if right else "wrong"
    command = ["doveadm", "-c", str(dovecot), "auth", "test", provider.server.username, password]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert said in done.stdout, done.stdout + done.stderr
