"""The started server as a TLS client sees it, not its configuration (threats E6)."""

import re
import shutil
import socket
import ssl
import subprocess
import warnings

import pytest

from tests.running import RunningServer

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing: python -m tests.provision")

EVERYTHING = "ALL:COMPLEMENTOFALL:@SECLEVEL=0"
"""Every cipher the client has, however weak."""


def handshake(server: RunningServer, *options: str, talk: str = "") -> str:
    """Return what `openssl s_client` tells about one connection."""
    address = server.base_url.removeprefix("https://")
    command = ["openssl", "s_client", "-connect", address, "-servername", "localhost", "-CAfile", str(server.ca_file)]
    done = subprocess.run([*command, *options], input=talk, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout + done.stderr


def protocol(said: str) -> str | None:
    found = re.search(r"New, (TLSv1\.[0-9]|SSLv3), Cipher is (?!\(NONE\))", said)
    return found[1] if found else None


@pytest.mark.parametrize(("option", "spoken"), [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
def test_it_speaks_tls_1_2_and_1_3_with_a_chain_that_verifies(sandbox: RunningServer, option: str, spoken: str) -> None:
    said = handshake(sandbox, option, "-verify_return_error")
    assert protocol(said) == spoken
    assert "Verify return code: 0 (ok)" in said
    assert "Compression: NONE" in said


@pytest.mark.parametrize("option", ["-tls1", "-tls1_1"])
def test_it_speaks_nothing_older(sandbox: RunningServer, option: str) -> None:
    """RFC 8996. The refusal is an alert of the server's: this client would have gone on."""
    said = handshake(sandbox, option, "-cipher", EVERYTHING)
    assert protocol(said) is None
    assert re.search("alert (protocol version|handshake failure)", said), "it was not the server that refused"


def test_every_cipher_it_agrees_to_is_forward_secret_and_authenticated(sandbox: RunningServer) -> None:
    """RFC 9325 §4.2: one by one, as a scanner does. TLS 1.3 has no others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        everything = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        everything.set_ciphers(EVERYTHING)
    offered = [each["name"] for each in everything.get_ciphers() if each["protocol"] != "TLSv1.3"]
    assert len(offered) > 20
    agreed = [name for name in offered if agrees(sandbox, name)]
    assert agreed
    assert all(
        re.fullmatch(r"ECDHE-(ECDSA|RSA)-(AES(128|256)-GCM-SHA(256|384)|CHACHA20-POLY1305)", each) for each in agreed
    )


def test_a_client_cannot_renegotiate(sandbox: RunningServer) -> None:
    """RFC 9325 §3.5: the request to do so ends the connection or is ignored; no second handshake is made."""
    said = handshake(sandbox, "-tls1_2", talk="R\n")
    assert said.count("depth=0") == 1
    assert "Compression: NONE" in said


def agrees(server: RunningServer, cipher: str) -> bool:
    host, port = server.base_url.removeprefix("https://").split(":")
    context = ssl.create_default_context(cafile=server.ca_file)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(f"{cipher}:@SECLEVEL=0")
    with socket.create_connection((host, int(port)), timeout=60) as plain:
        try:
            with context.wrap_socket(plain, server_hostname=host) as connection:
                return connection.cipher() is not None
        except (ssl.SSLError, ConnectionError):
            return False
