"""Forms are parsed once, and their syntax is checked strictly (RFC 6749 §3.1, appendix B; D1, D16)."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence import paths
from credence.screening.limits import Limits
from credence.web.dialects.form import MAX_PAIRS, ParsedForm, form_fields, parse_form
from tests.deployment import Deployment
from tests.screening.refusal import refused

FORM = ("Content-Type", "application/x-www-form-urlencoded")


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (b"", {}),
        (b"token=", {}),
        (b"resource=&audience=&scope=&token=1", {"token": "1"}),
        (b"resource=&resource=x&scope=&scope=a", {"resource": ["x"], "scope": "a"}),
        (b"scope=a+b%20c&state=%C3%A9", {"scope": "a b c", "state": "\u00e9"}),
        (b"resource=x&resource=y&token=1", {"resource": ["x", "y"], "token": "1"}),
    ],
)
def test_the_fields_of_a_form(body: bytes, fields: dict[str, object]) -> None:
    assert form_fields(parse_form(body), Limits()) == fields


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"token", "form.syntax"),
        (b"token=1&", "form.syntax"),
        (b"token=1&&scope=a", "form.syntax"),
        (b"token=\xe9", "form.syntax"),
        (b"token=%C3", "form.syntax"),
        (b"t%FFken=1", "form.syntax"),
        (b"token=%ED%A0%80", "form.syntax"),
        (b"&".join(b"f%d=" % number for number in range(21)), "form.syntax"),
        (b"a=&" * 1_001, "form.syntax"),
        (b"token=1&token=1", "form.repeated"),
        (b"token=%00", "form.character"),
        (b"scope=" + b"a" * 1_025, "form.string"),
        (b"a" * 51 + b"=", "form.string"),
    ],
    ids=lambda value: None if isinstance(value, str) else value[:20].decode("latin-1"),
)
def test_a_form_that_breaks_a_rule_is_refused(body: bytes, reason: str) -> None:
    with refused(reason):
        form_fields(parse_form(body), Limits())


async def test_the_dialect_of_a_malformed_form_is_known(deployment: Deployment) -> None:
    """D3: a house request in a form is refused for its type (415) first, a standard one for its syntax (RFC 6749 §5.2)."""
    house = await deployment.send("POST", paths.TOKEN, [FORM], b"grant_type=password&username=%FF")
    standard = await deployment.send("POST", paths.TOKEN, [FORM], b"grant_type=refresh_token&refresh_token=%FF")
    assert (house.status, standard.status) == (415, 400)
    assert standard.json["error"] == "invalid_request"


@pytest.mark.parametrize("path", [paths.TOKEN, paths.REVOCATION, paths.INTROSPECTION])
async def test_the_body_of_a_form_is_parsed_once(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    parsed = []

    def counting(body: bytes) -> ParsedForm:
        parsed.append(body)
        return parse_form(body)

    monkeypatch.setattr("credence.web.dialects.reader.parse_form", counting)
    body = b"grant_type=client_credentials&token=x"
    await deployment.send("POST", path, [FORM, deployment.basic], body)
    assert parsed == [body]


@given(st.lists(st.sampled_from([b"a", b"Z", b"=", b"&", b"+", b"%", b"41", b"C3", b"\xc3", b"\xa9", b";", b"\0"])))
def test_the_pairs_are_those_of_another_implementation(pieces: list[bytes]) -> None:
    """`urllib` reads `application/x-www-form-urlencoded` (WHATWG URL §5.1) from the same octets."""
    body = b"".join(pieces)
    text = body.decode("ascii", "surrogateescape")
    assert list(parse_form(body).pairs) == parse_qsl(text, keep_blank_values=True, errors="surrogateescape")


@pytest.mark.parametrize("pairs", [1_000, 1_001])
def test_no_more_pairs_than_the_limit_are_parsed(pairs: int) -> None:
    assert len(parse_form(b"&".join([b"a=b"] * pairs)).pairs) == (pairs if pairs <= MAX_PAIRS else 0)
