"""An attack is found in whatever encoding it comes, since decoded values are screened (D17, threats P15)."""

import base64
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.screening.patterns import screen
from tests.deployment import PASSWORD, REPORT_PATH, TOKEN_PATH, Deployment

ATTACKS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text("utf-8"))

Sent = tuple[str, str, list[tuple[str, str]], bytes]


def found(attack: str) -> bool:
    try:
        screen(attack)
    except Refused:
        return True
    return False


def escaped(attack: str) -> str:
    """Every UTF-16 unit as a JSON escape."""
    units = attack.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def encodings(deployment: Deployment, bearer: tuple[str, str], attack: str) -> Iterator[Sent]:
    fields = {"username": attack, "password": PASSWORD}
    json_type, xml_type = ("content-type", "application/json"), ("content-type", "application/xml")
    yield "POST", TOKEN_PATH, [*deployment.client, json_type], json.dumps(fields, ensure_ascii=False).encode()
    body = f'{{"username": "{escaped(attack)}", "password": "{PASSWORD}"}}'
    yield "POST", TOKEN_PATH, [*deployment.client, json_type], body.encode()
    for form in ("&#{};", "&#x{:x};"):
        text = "".join(form.format(ord(character)) for character in attack)
        body = f"<r><username>{text}</username><password>{PASSWORD}</password></r>"
        yield "POST", TOKEN_PATH, [*deployment.client, xml_type], body.encode()
    body = f"<r><username><![CDATA[{attack}]]></username><password>{PASSWORD}</password></r>"
    yield "POST", TOKEN_PATH, [*deployment.client, xml_type], body.encode()
    encoded = urlencode({"grant_type": "password", **fields}).encode()
    yield "POST", TOKEN_PATH, [deployment.basic, ("content-type", "application/x-www-form-urlencoded")], encoded
    percent = "".join(f"%{octet:02X}" for octet in attack.encode())
    yield "GET", f"{REPORT_PATH}/{percent}", [bearer], b""
    yield "GET", f"{REPORT_PATH}?RegNumber={percent}", [bearer], b""
    yield "GET", f"{REPORT_PATH}?RegNumber=00000001&{quote(attack, safe='')}=x", [bearer], b""


async def test_every_attack_is_refused_in_every_encoding(deployment: Deployment) -> None:
    bearer = ("authorization", f"Bearer {(await deployment.tokens())['access_token']}")
    attacks = [attack for kind in ATTACKS.values() for attack in kind if found(attack)]
    assert len(attacks) > 200
    for attack in attacks:
        for method, target, headers, body in encodings(deployment, bearer, attack):
            reply = await deployment.send(method, target, headers, body)
            standard = deployment.basic in headers  # RFC 6749 §5.2: invalid_request is 400
            assert reply.status == (400 if standard else 401), (attack, target, body)
            assert reply.said[2] == THREAT.message, (attack, target, body)


async def test_a_client_id_is_screened_wherever_it_stands(deployment: Deployment) -> None:
    """D2, D17, threats I11: in a header, in the body, in HTTP Basic; encoded once more, as RFC 6749 §2.3.1 has it."""
    attack = "<script>alert(1)</script>"
    user = {"username": "ada", "password": PASSWORD}
    client = {"client_id": attack, "client_secret": "any"}
    json_type, form_type = (
        ("content-type", "application/json"),
        ("content-type", "application/x-www-form-urlencoded"),
    )
    form = urlencode({"grant_type": "password", **user}).encode()
    sent: list[tuple[list[tuple[str, str]], bytes]] = [
        ([json_type, *client.items()], json.dumps(user).encode()),
        ([json_type], json.dumps({**user, **client}).encode()),
        ([json_type, basic(attack)], json.dumps(user).encode()),
        ([form_type, basic(attack)], form),
        ([form_type, basic(quote(attack, safe=""))], form),
    ]
    for headers, body in sent:
        assert (await deployment.send("POST", TOKEN_PATH, headers, body)).said[2] == THREAT.message, headers


def basic(client_id: str) -> tuple[str, str]:
    return "authorization", f"Basic {base64.b64encode(f'{client_id}:any'.encode()).decode()}"


async def test_a_comment_or_cdata_section_hides_nothing(deployment: Deployment) -> None:
    """threats P15: `ad<!-- -->min` is refused, not read as admin; threats I10: as in JSON, where it is text."""
    for name in ("ad<!-- -->a", "<![CDATA[ada]]>", "a<![CDATA[d]]>a"):
        body = f"<r><username>{name}</username><password>{PASSWORD}</password></r>".encode()
        sent = [*deployment.client, ("content-type", "application/xml")]
        assert (await deployment.send("POST", TOKEN_PATH, sent, body)).said[2] == THREAT.message
        assert (await deployment.login(username=name)).said[2] == THREAT.message
