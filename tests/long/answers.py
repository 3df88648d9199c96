"""Writes down every answer to a fixed list of requests, so that two versions can be compared octet by octet.

`python -m tests.long.answers FILE`, then the same with `PYTHONPATH` leading to `src` of the other version and a second
file in the same folder, and `diff` of both. A number after the file limits the companies of the register.

Time, randomness and keys are fixed; RSA keys and data are kept in the folder of the file. The requests are in one order:
token endpoints in both dialects and their refusals, introspection, revocation, a code flow with its pages, every route
without parameters, and the report of each company of the sandbox and of its shipped register, as JSON and XML.
"""

import asyncio
import base64
import hashlib
import itertools
import secrets
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from credence import paths
from credence.sandbox.provision import load_samples
from credence.settings import Settings
from credence.web.routes import PUBLIC
from tests.deployment import NOW, REPORT_PATH, REVOKE_PATH, TOKEN_PATH, Deployment, Header, Reply, deployed
from tests.sign_in.browsing import ACCOUNT, FORM, Browser, answer_of, redeem, request_of, with_browser_application

JSON, XML = ("Content-Type", "application/json"), ("Content-Type", "application/xml")

BODIES: tuple[tuple[Header, bytes], ...] = (
    (JSON, b'{"username":"ada","password":"wrong"}'),
    (JSON, b'{"username":"ada"}'),
    (JSON, b'{"username":"ada","password":"correct horse battery","extra":{"a":[1]}}'),
    (JSON, b'{"username":'),
    (XML, b"<TokenRequest><username>ada</username><password>wrong</password></TokenRequest>"),
    (("Content-Type", "text/plain"), b"username=ada"),
    (FORM, b"grant_type=client_credentials"),
    (FORM, b"grant_type=client_credentials&scope=credit:report"),
    (FORM, b"grant_type=client_credentials&scope=unknown"),
    (FORM, b"grant_type=password&username=ada&password=correct+horse+battery"),
    (FORM, b"grant_type=unknown"),
    (FORM, b"grant_type=client_credentials&grant_type=password"),
    (FORM, b"grant_type=%zz"),
    (FORM, b"grant_type=refresh_token&refresh_token=unknown"),
    (FORM, b"grant_type=authorization_code&code=unknown"),
)


def fix_randomness(folder: Path) -> None:
    """Replace the random source by a counted one, and new keys by fixed ones: RSA keys are kept in the folder."""
    numbers, curve_keys, rsa_keys = itertools.count(), itertools.count(1), itertools.count(1)
    generate = rsa.generate_private_key
    plain = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()

    def octets(count: int | None = None) -> bytes:
        return hashlib.shake_256(b"%d" % next(numbers)).digest(count or 32)

    def curve_key(curve: ec.EllipticCurve, _backend: object = None) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(next(curve_keys), curve)

    def rsa_key(public_exponent: int, key_size: int, _backend: object = None) -> rsa.RSAPrivateKey:
        kept = folder / f"rsa-{next(rsa_keys)}.pem"
        if not kept.exists():
            kept.write_bytes(generate(public_exponent, key_size).private_bytes(*plain))
        found = serialization.load_pem_private_key(kept.read_bytes(), None)
        assert isinstance(found, rsa.RSAPrivateKey)
        return found

    secrets.token_bytes = octets  # type: ignore[assignment]
    ec.generate_private_key = curve_key  # type: ignore[assignment]
    rsa.generate_private_key = rsa_key  # type: ignore[assignment]


async def token_endpoints(deployment: Deployment) -> AsyncIterator[tuple[str, Reply]]:
    """Yield the answers to applications: tokens in both dialects, refusals, introspection, revocation."""
    await deployment.change_application(grants=("password", "refresh_token", "client_credentials"))
    login = await deployment.login()
    yield "login", login
    yield "login again", await deployment.login()
    yield (
        "login, XML",
        await deployment.send(
            "POST",
            TOKEN_PATH,
            [*deployment.client, XML],
            b"<TokenRequest><username>ada</username><password>correct horse battery</password></TokenRequest>",
        ),
    )
    for number, (media, body) in enumerate(BODIES):
        for path in (paths.TOKEN, paths.TOKEN_IN_SECONDS, paths.INTROSPECTION, paths.REVOCATION):
            yield f"{path} body {number}", await deployment.send("POST", path, [deployment.basic, media], body)
            yield f"{path} body {number}, no client", await deployment.send("POST", path, [media], body)
    wrong = ("Authorization", "Basic " + base64.b64encode(b"unknown:wrong").decode())
    for header in (wrong, ("Authorization", "Basic %%%"), ("X-Long", "x" * 9_000), ("client_id", "other")):
        yield (
            f"{header[0]} {header[1][:20]}",
            await deployment.send("POST", paths.TOKEN, [header, FORM], b"grant_type=client_credentials"),
        )
    token, refresh = login.json["access_token"], login.json["refresh_token"]
    for step in range(3):
        reply = await deployment.refresh(refresh)
        yield f"refresh {step}", reply
        refresh = reply.json["refresh_token"]
    body = urlencode({"grant_type": "refresh_token", "refresh_token": refresh}).encode()
    by_form = await deployment.send("POST", paths.TOKEN, [deployment.basic, FORM], body)
    yield "refresh by form", by_form
    for each in (token, refresh, by_form.json["refresh_token"], by_form.json["access_token"], "unknown"):
        asked = urlencode({"token": each}).encode()
        yield "introspection", await deployment.send("POST", paths.INTROSPECTION, [deployment.basic, FORM], asked)
    yield "spent", await deployment.refresh(login.json["refresh_token"])
    yield "revoked", await deployment.revoke(token)
    yield "revoked already", await deployment.report(token)
    yield "revoke, old path", await deployment.send("POST", REVOKE_PATH, [*deployment.client], b"")


async def pages(deployment: Deployment) -> AsyncIterator[tuple[str, Reply]]:
    """Yield what a browser gets: a code flow, and every route without parameters, signed in and not."""
    application = await with_browser_application(deployment)
    browser, stranger = Browser(deployment), Browser(deployment)
    for changed in ({}, {"prompt": "none"}, {"scope": "unknown"}, {"redirect_uri": "https://b.example/"}, {"state": None},
                    {"code_challenge": "short"}, {"nonce": "a" * 3_000}, {"max_age": "x"}, {"response_mode": "jwt"},
                    {"login_hint": "ada"}, {"resource": "https://b.example/"}, {"request": "x.y.z"}):  # fmt: skip
        yield f"request {changed}"[:60], await stranger.get(request_of(application, **changed))
    target = request_of(application, prompt="consent")
    page = await browser.get(target)
    yield "sign-in page", page
    yield "wrong password", await browser.sign_in(page, password="wrong")
    consent = await browser.sign_in(page)
    yield "consent page", consent
    last = await browser.submit(consent, decision="allow")
    yield "code", last
    redeemed = await redeem(deployment, answer_of(last)["code"])
    yield "redemption", redeemed
    yield "redeemed twice", await redeem(deployment, answer_of(last)["code"])
    yield "silent", await browser.get(request_of(application, prompt="none"))
    yield "account", await browser.get(ACCOUNT)
    for route in dict.fromkeys(each.path for each in PUBLIC if "{" not in each.path):
        for who, asks in (("", stranger), (", signed in", browser)):
            yield f"GET {route}{who}", await asks.get(route)
        yield f"POST {route}", await deployment.send("POST", route, [FORM], b"a=b")
        yield f"PUT {route}", await deployment.send("PUT", route)


async def reports(deployment: Deployment, most: int | None) -> AsyncIterator[tuple[str, Reply]]:
    """Yield the report on each company of the sandbox, built and remembered, and as XML."""
    credit = deployment.service.reports
    (found,) = deployment.service.settings.credit_folder.glob("register-*.sqlite")
    with closing(sqlite3.connect(found)) as register:
        numbers = [number for (number,) in register.execute("SELECT number FROM company ORDER BY number")]
    invented = [f"{number:08}" for number in range(99_999_900, 100_000_000) if credit.company(f"{number:08}")]
    token = (await deployment.tokens())["access_token"]
    bearer = ("Authorization", f"Bearer {token}")
    for number in [*invented, *numbers[:most]]:
        yield f"report {number}", await deployment.report(token, f"/{number}")
        accepts = [bearer, ("Accept", "application/xml")]
        yield f"report {number}, XML", await deployment.send("GET", f"{REPORT_PATH}/{number}", accepts)
    for number in invented:
        yield f"report {number} remembered", await deployment.report(token, f"/{number}")


async def write(file: Path, most: int | None) -> None:
    """Write a line for each answer: its name, status, and a digest of header fields and body."""
    folder = file.parent / "data"  # the same for both versions: some answers name it
    shutil.rmtree(folder, ignore_errors=True)
    load_samples(Settings(data_dir=folder).credit_folder, NOW)
    with file.open("w", encoding="utf-8") as lines:
        async with deployed(folder) as deployment:
            for asked in (token_endpoints(deployment), pages(deployment), reports(deployment, most)):
                async for name, reply in asked:
                    whole = msgspec.json.encode([list(reply.headers.items()), list(reply.cookies)]) + reply.body
                    lines.write(f"{name}: {reply.status} {len(reply.body)} {hashlib.sha256(whole).hexdigest()}\n")


if __name__ == "__main__":
    fix_randomness(Path(sys.argv[1]).parent)
    asyncio.run(write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None))
