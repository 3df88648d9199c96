"""An authenticator without a device: it makes passkeys and signs with them, so that each answer can be wrong in one way.

Written after WebAuthn Level 3 §6.1 and §6.5.4 by hand, not with the library that the service verifies with.
"""

import hashlib
import html
import json
import os
import re
import struct
from dataclasses import dataclass, field
from typing import Any

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from credence.crypto import base64url
from tests.deployment import Deployment, Reply
from tests.sign_in.browsing import ACCOUNT, Browser, form_of

ORIGIN = "https://localhost:8443"
PRESENT, VERIFIED, ELIGIBLE, ATTESTED = 0x01, 0x04, 0x08, 0x40

FACTORS = "/account/second-factor"
ANOTHER = "bob"
PASSKEY = "/oauth2/v1/passkey"


@dataclass
class Passkey:
    """One passkey on one device. `flags` and `origin` are what the device and the browser say at each use."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: os.urandom(32))
    handle: bytes = b""
    counter: int = 0
    flags: int = PRESENT | VERIFIED
    origin: str = ORIGIN
    rp_id: str = "localhost"

    def created(self, options: Any) -> str:
        """The response to the options of a registration (§5.2.1)."""
        self.handle = base64url.decode(options["user"]["id"])
        credential = bytes(16) + struct.pack(">H", len(self.id)) + self.id + self._cose()
        data = self._data(self.flags | ATTESTED) + credential
        # CBOR: a map of three, "fmt": "none", "attStmt": {}, "authData": octets
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData" + b"\x59" + struct.pack(">H", len(data)) + data
        client = self._client("webauthn.create", options["challenge"])
        return self._response(clientDataJSON=client, attestationObject=attestation)

    def signed(self, options: Any, **changes: bytes) -> str:
        """The response to the options of a sign-in (§5.2.2); the counter grows."""
        self.counter += 1
        data, client = self._data(self.flags), self._client("webauthn.get", options["challenge"])
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"clientDataJSON": client, "authenticatorData": data, "signature": signature, "userHandle": self.handle}
        return self._response(**(parts | changes))

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.rp_id.encode()).digest() + bytes([flags]) + struct.pack(">I", self.counter)

    def _client(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _cose(self) -> bytes:
        """The public key as COSE_Key: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053 §7.1.1)."""
        numbers = self.private.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + x + b"\x22\x58\x20" + y

    def _response(self, **parts: bytes) -> str:
        identity = base64url.encode(self.id)
        response = {name: base64url.encode(value) for name, value in parts.items()}
        return json.dumps({"id": identity, "rawId": identity, "type": "public-key", "response": response})


def options_of(page: Reply) -> Any:
    """What the script of the page calls the browser with."""
    (text,) = re.findall(r'data-options="([^"]*)"', page.body.decode())
    return json.loads(html.unescape(text))


async def add(browser: Browser, passkey: Passkey, name: str = "Telephone") -> Reply:
    """Add a passkey on the account page of a person who is signed in."""
    _, hidden = form_of(await browser.get("/account"), FACTORS)
    page = await browser.post(FACTORS, {**hidden, "act": "add-passkey"}.items())
    return await browser.submit(page, response=passkey.created(options_of(page)), name=name)


async def use(browser: Browser, page: Reply, passkey: Passkey, **changes: bytes) -> Reply:
    """Answer the sign-in page with a passkey."""
    _, hidden = form_of_passkey(page)
    return await browser.post(PASSKEY, {**hidden, "response": passkey.signed(options_of(page), **changes)}.items())


def form_of_passkey(page: Reply) -> tuple[str, dict[str, str]]:
    """The hidden fields of the form that the script sends."""
    return form_of(page, PASSKEY)


async def signed_in(deployment: Deployment, username: str = "ada") -> Browser:
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT), username)
    return browser


async def with_passkey(deployment: Deployment, passkey: Passkey | None = None) -> Passkey:
    """A passkey of ada."""
    made = passkey or Passkey()
    page = await add(await signed_in(deployment), made)
    assert b"Telephone" in page.body, page.body
    return made


async def with_another_account(deployment: Deployment) -> None:
    ada = await deployment.store.account("ada")
    assert ada is not None
    await deployment.store.save_account(msgspec.structs.replace(ada, username=ANOTHER, version=1), deployment.now)


def passkeys_on(page: bytes) -> list[str]:
    return re.findall(r'name="passkey" value="([^"]+)"', page.decode())
