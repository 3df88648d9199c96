"""Clients that prove themselves by a certificate, passed on by a trusted proxy (RFC 8705 §2, RFC 9440, threats I8)."""

import base64
import json
from typing import Any

import pytest

from credence.crypto.certificates import UnreadableCertificate, normal_name
from credence.identity.client_keys import read_key_set
from credence.store.records import CertificateName
from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Header, OpenDeployment
from tests.oauth.client_certificates import (
    ANY,
    BEHIND_A_PROXY,
    DAY,
    PROXY,
    TODAY,
    VERIFIED,
    Certificate,
    certificate,
    own_token,
)
from tests.oauth.registering import registered
from tests.oauth.standard import error

pytestmark = pytest.mark.settings(BEHIND_A_PROXY)

SUBJECT = "CN=Ledger,O=Example Ltd,C=GB"
REFUSED = (401, "invalid_client")

WITH_TLS_CLIENT_AUTH = {
    "subject_dn": SUBJECT,
    "san_dns": "ledger.example.com",
    "san_uri": "https://ledger.example.com/client",
    "san_ip": "2001:db8:0:0::7",
    "san_email": "ledger@example.com",
}
"""RFC 8705 §2.1.2, as an operator may write them."""


async def registered_by_name(deployment: Deployment, kind: Any = "subject_dn", value: str = SUBJECT) -> None:
    await deployment.change_application(
        authentication="tls_client_auth",
        certificate_name=CertificateName(kind, normal_name(kind, value)),
        grants=("client_credentials",),
    )


async def registered_itself(deployment: Deployment, *certificates: Certificate) -> None:
    jwks = [{**each.jwk, "kid": str(number)} for number, each in enumerate(certificates)]
    await deployment.change_application(
        authentication="self_signed_tls_client_auth",
        keys=read_key_set(json.dumps({"keys": jwks})),
        grants=("client_credentials",),
    )


@pytest.mark.parametrize("kind", WITH_TLS_CLIENT_AUTH)
async def test_a_certificate_with_the_registered_name_proves_the_client(deployment: Deployment, kind: str) -> None:
    """RFC 8705 §2.1.2: each kind of name; another of the same kind is somebody else."""
    await registered_by_name(deployment, kind, WITH_TLS_CLIENT_AUTH[kind])
    assert (await own_token(deployment, certificate().field())).status == 200
    stranger = certificate("CN=Ledger,O=Another Ltd,C=GB", ())
    assert error(await own_token(deployment, stranger.field())) == REFUSED


@pytest.mark.settings(registration=True)
@pytest.mark.parametrize("kind", WITH_TLS_CLIENT_AUTH)
async def test_an_application_registers_the_name_of_its_certificate_itself(deployment: Deployment, kind: str) -> None:
    """RFC 8705 §2.1.2: the members of the metadata."""
    name = {f"tls_client_auth_{kind}": WITH_TLS_CLIENT_AUTH[kind]}
    client_id = (await registered(deployment, token_endpoint_auth_method="tls_client_auth", **name))["client_id"]
    assert (await own_token(deployment, certificate().field(), client_id=client_id)).status == 200
    stranger = certificate("CN=Ledger,O=Another Ltd,C=GB", ())
    assert error(await own_token(deployment, stranger.field(), client_id=client_id)) == REFUSED


@pytest.mark.parametrize(
    "subject",
    [
        "CN=Ledger,O=Example Ltd",
        "C=GB,O=Example Ltd,CN=Ledger",
        "CN=Ledger,O=Example Ltd,C=GB,CN=Ledger",
        "CN=ledger,O=Example Ltd,C=GB",
        "CN=Ledger\\,O\\=Example Ltd\\,C\\=GB",
    ],
)
async def test_a_name_is_compared_whole(deployment: Deployment, subject: str) -> None:
    """RFC 8705 §2.1.2, RFC 4514: part of a name, another order, more, or the text of it in one attribute is another name."""
    await registered_by_name(deployment)
    assert error(await own_token(deployment, certificate(subject).field())) == REFUSED


@pytest.mark.parametrize(
    ("written", "attribute"),
    [
        ("emailAddress=ops@ledger.example", "1.2.840.113549.1.9.1=ops@ledger.example"),  # RFC 2985 §5.2.1
        ("E=ops@ledger.example", "1.2.840.113549.1.9.1=ops@ledger.example"),
        ("serialNumber=7", "2.5.4.5=7"),  # RFC 4519 §2.31
    ],
)
async def test_attributes_that_tools_write_by_name_are_known(
    deployment: Deployment, written: str, attribute: str
) -> None:
    """RFC 4514 §3 names neither; openssl prints both."""
    await registered_by_name(deployment, value=f"{written},CN=Ledger")
    assert (await own_token(deployment, certificate(f"{attribute},CN=Ledger").field())).status == 200


async def test_a_name_in_an_unverified_certificate_proves_nothing(deployment: Deployment) -> None:
    """RFC 8705 §2.1: anybody can sign himself that name."""
    await registered_by_name(deployment)
    assert error(await own_token(deployment, certificate().field(ANY))) == REFUSED


@pytest.mark.parametrize("header", [VERIFIED, ANY])
async def test_a_certificate_that_is_registered_proves_the_client(deployment: Deployment, header: str) -> None:
    """RFC 8705 §2.2: the very certificate; one with the same names, or one for the same key alone, is not it."""
    first, second = certificate(), certificate()
    await registered_itself(deployment, first, second)
    assert (await own_token(deployment, first.field(header))).status == 200
    assert (await own_token(deployment, second.field(header))).status == 200
    assert error(await own_token(deployment, certificate().field(header))) == REFUSED


async def test_the_form_that_nginx_writes_is_read(deployment: Deployment) -> None:
    own = certificate()
    await registered_itself(deployment, own)
    assert (await own_token(deployment, own.escaped())).status == 200


@pytest.mark.parametrize(("begins", "ends"), [(1, 2), (-2, -1)])
async def test_a_certificate_is_good_in_its_time_alone(deployment: Deployment, begins: int, ends: int) -> None:
    """RFC 5280 §4.1.2.5, by whichever method."""
    own = certificate(begins=TODAY + begins * DAY, ends=TODAY + ends * DAY)
    await registered_itself(deployment, own)
    assert error(await own_token(deployment, own.field())) == REFUSED
    await registered_by_name(deployment)
    assert error(await own_token(deployment, own.field())) == REFUSED


def without(**settings: Any) -> dict[str, Any]:
    return {**BEHIND_A_PROXY, **settings}


@pytest.mark.parametrize(
    ("peer", "settings"),
    [
        ("192.0.2.7", BEHIND_A_PROXY),
        ("11.0.0.1", BEHIND_A_PROXY),
        ("2001:db8::1", BEHIND_A_PROXY),
        (PROXY, without(trusted_proxies=())),
        (PROXY, without(client_certificate_header="", unverified_certificate_header="")),
        (PROXY, without(client_certificate_header="X-Other", unverified_certificate_header="")),
    ],
    ids=["a stranger", "a neighbour", "IPv6", "nobody trusted", "switched off", "another header"],
)
async def test_only_a_trusted_proxy_may_forward_a_certificate(
    open_deployment: OpenDeployment, peer: str, settings: dict[str, Any]
) -> None:
    """threats I8: whoever reaches the service past the proxy can write any header."""
    deployment = await open_deployment(**settings)
    own = certificate()
    for register in (registered_by_name(deployment), registered_itself(deployment, own)):
        await register
        forged = [own.field(), own.field(ANY), ("X-Forwarded-For", PROXY)]
        assert error(await own_token(deployment, *forged, peer=peer)) == REFUSED


def of_version(number: int) -> str:
    """RFC 5280 §4.1: `[0] EXPLICIT INTEGER`, which is 2 in a certificate of version 3."""
    changed = GOOD.der.replace(bytes.fromhex("a003020102"), bytes.fromhex("a0030201") + bytes([number]), 1)
    return f":{base64.b64encode(changed).decode()}:"


GOOD = certificate()
UNREADABLE = {
    "nothing": "",
    "an empty sequence": "::",
    "colons": ":",
    "no colons": GOOD.field()[1].strip(":"),
    "not base64": ":!!!!:",
    "not a certificate": ":AAAA:",
    "cut off": GOOD.field()[1][:-40] + ":",
    "of a version that there is none of": of_version(15),
    "two": GOOD.field()[1] + ", " + GOOD.field()[1],
    "with parameters": GOOD.field()[1] + ";a=1",
    "PEM cut off": GOOD.escaped()[1][:-30],
    "two in PEM": GOOD.escaped()[1] * 2,
    "a percent sign": "%",
    "foreign octets": "%ff%00",
}


@pytest.mark.parametrize("fault", UNREADABLE)
async def test_an_unreadable_certificate_proves_nothing(deployment: Deployment, fault: str) -> None:
    """RFC 9440 §2.1: refused as a client that showed none, whatever it is."""
    await registered_itself(deployment, GOOD)
    assert error(await own_token(deployment, (VERIFIED, UNREADABLE[fault]))) == REFUSED


async def test_a_field_that_comes_twice_is_an_attack(deployment: Deployment) -> None:
    """threats P9: a proxy that adds its field to the caller's would else let him choose."""
    await registered_itself(deployment, GOOD)
    reply = await own_token(deployment, GOOD.field(), certificate().field())
    assert (reply.status, reply.said[2]) == (401, "Access to the requested resource is not allowed.")


async def test_another_proof_does_not_replace_the_certificate(deployment: Deployment) -> None:
    """RFC 6749 §2.3: nor does a secret beside it."""
    await registered_itself(deployment, GOOD)
    assert error(await own_token(deployment)) == REFUSED
    assert error(await own_token(deployment, GOOD.field(), client_secret=deployment.secret)) == REFUSED
    assert error(await own_token(deployment, GOOD.field(), deployment.basic)) == REFUSED


async def test_the_house_dialect_wants_its_secret(deployment: Deployment) -> None:
    """spec §7.2: whatever the connection showed."""
    await registered_itself(deployment, GOOD)
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    named: list[Header] = [("Content-Type", "application/json"), ("client_id", deployment.application.client_id)]
    reply = await deployment.send("POST", TOKEN_PATH, [*named, GOOD.field()], body, peer=PROXY)
    assert reply.said == (400, "Bad Request", "The 'client_id' and 'client_secret' attributes are required.")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("subject_dn", "Ledger"),
        ("subject_dn", "CN=Ledger,,C=GB"),
        ("subject_dn", ""),
        ("san_ip", "ledger.example.com"),
        ("san_dns", ""),
        ("san_uri", " "),
        ("san_email", ""),
    ],
)
def test_a_malformed_name_cannot_be_registered(kind: str, value: str) -> None:
    """RFC 4514, RFC 8705 §2.1.2; a blank is none (threats P10)."""
    with pytest.raises(UnreadableCertificate):
        normal_name(kind, value)


def test_a_certificate_is_registered_with_its_own_key() -> None:
    """RFC 7517 §4.7: the first of x5c is for the key beside it."""
    with pytest.raises(ValueError, match="another key"):
        read_key_set(json.dumps({"keys": [{**GOOD.jwk, "x5c": certificate().jwk["x5c"]}]}))
