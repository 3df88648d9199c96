"""The sandbox's own certificates: kept while they work, made again when they do not (D18)."""

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from credence.sandbox.certificates import ensure_certificates

HOST = "127.0.0.1"
FILES = ("ca.pem", "ca-key.pem", "server.pem", "server-key.pem")


def handshake(folder: Path) -> None:
    """Meet as a server with the folder's pair and a client that trusts the folder's authority."""
    inward, outward = ssl.MemoryBIO(), ssl.MemoryBIO()
    of_server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    of_server.load_cert_chain(folder / "server.pem", folder / "server-key.pem")
    server = of_server.wrap_bio(inward, outward, server_side=True)
    client = ssl.create_default_context(cafile=folder / "ca.pem").wrap_bio(outward, inward, server_hostname="localhost")
    for side in (client, server, client, server):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue


def garbage(file: Path) -> None:
    file.write_text("not PEM at all")


def half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def foreign(file: Path) -> None:
    """Put in its place what another sandbox made, which is whole in itself."""
    other = file.parent.parent / "other"
    ensure_certificates(other, HOST)
    file.write_bytes((other / file.name).read_bytes())


def encrypted(file: Path) -> None:
    if "key" not in file.name:
        return
    key = serialization.load_pem_private_key(file.read_bytes(), None)
    form, cipher = serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"word")
    file.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, cipher))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", [garbage, half, foreign, encrypted, Path.unlink])
def test_what_is_no_working_pair_is_made_again(tmp_path: Path, name: str, damage: Callable[[Path], None]) -> None:
    folder = tmp_path / "tls"
    ensure_certificates(folder, HOST)
    damage(folder / name)
    ensure_certificates(folder, HOST)
    handshake(folder)
    ensure_certificates(folder, "192.0.2.1")  # needs the authority's key, too
    handshake(folder)


def test_what_works_is_kept(tmp_path: Path) -> None:
    ensure_certificates(tmp_path, HOST)
    before = {name: (tmp_path / name).read_bytes() for name in FILES}
    ensure_certificates(tmp_path, HOST)
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == before
