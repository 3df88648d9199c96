"""What reads foreign bytes, each as a function of bytes: whether one of its readers takes them.

A reader refuses bytes with the exception that it documents. A fuzzer (`__main__.py`) looks for bytes with which one raises
another, or breaks what is asserted here.
"""

import io
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from credence.access.text import format_rules, parse_rules
from credence.crypto import certificates, jws
from credence.crypto.client_jws import read as read_client_jws
from credence.crypto.jws import InvalidSignature
from credence.datasets.sources.accounts.contexts import UnreadableDocument
from credence.datasets.sources.accounts.filing import read_filing
from credence.datasets.sources.accounts.product import documents
from credence.datasets.sources.register.snapshot import _chunks, table
from credence.datasets.sources.source import LoadError
from credence.errors import InvalidInput, UnusableContent
from credence.oauth.dpop.memory import ProofMemory
from credence.oauth.dpop.proof import MadeFor, check
from credence.policy import companies
from credence.refusals.refusal import Refused
from credence.screening.json_shape import read_json
from credence.screening.limits import Limits
from credence.screening.xml_shape import read_xml
from credence.web.dialects.form import parse_form
from credence.web.dialects.reader import _read_basic, has_basic, screened_form

CORPUS = Path(__file__).parent / "corpus"

LIMITS = Limits()

PROOF_KEY = b"a digest key of the fuzzers only"
PROOF_TIME = 1_795_000_000_000
"""When the proof of the corpus was made, with the newest nonce of `PROOF_KEY`."""
PROOF_FOR = MadeFor("POST", "https://localhost:8443/oauth2/v1/token")


def json_body(data: bytes) -> bool:
    return _reads(Refused, lambda: json.dumps(read_json(data, LIMITS), default=str).encode())


def xml_body(data: bytes) -> bool:
    return _reads(Refused, lambda: json.dumps(read_xml(data, LIMITS)).encode())


def form(data: bytes) -> bool:
    return _reads(Refused, lambda: screened_form(parse_form(data), LIMITS))


def basic(data: bytes) -> bool:
    field = data.decode("latin-1")
    if not has_basic({"authorization": field}):
        return False
    found = [_read_basic(field, form_decoded=form_decoded) for form_decoded in (False, True)]
    assert all(each is None or set(each) == {"client_id", "client_secret"} for each in found)
    return None not in found


def token(data: bytes) -> bool:
    text = data.decode("latin-1")
    with suppress(InvalidSignature):
        jws.verify({}, "at+jwt", text)
        raise AssertionError("verified without a key")
    try:
        claims: object = read_client_jws(text).claims
    except InvalidSignature:
        return False
    assert isinstance(claims, dict)
    return True


def proof(data: bytes) -> bool:
    return _reads(Refused, lambda: check(ProofMemory(), PROOF_KEY, data.decode("latin-1"), PROOF_FOR, PROOF_TIME))


def certificate(data: bytes) -> bool:
    readers: Iterable[Callable[[bytes], object]] = (
        lambda text: certificates.from_base64(text.decode("latin-1")),
        lambda der: certificates.is_current(der, PROOF_TIME),
        certificates.public_members,
        certificates.validity,
        *map(_names, ("subject_dn", "san_dns", "san_uri", "san_ip")),
    )
    outcomes = [_reads(certificates.UnreadableCertificate, partial(read, data)) for read in readers]
    return any(outcomes)


def _names(kind: str) -> Callable[[bytes], list[str]]:
    return lambda der: certificates.names(der, kind)


def access_rules(data: bytes) -> bool:
    networks, _, rest = data.decode("latin-1").partition("\n")
    windows, _, time_zone = rest.partition("\n")
    try:
        found = parse_rules(networks, windows, time_zone or "UTC")
    except InvalidInput:
        return False
    kept, opened, zone = format_rules(found)
    assert parse_rules(",".join(kept), ",".join(opened), zone) == found
    return True


def accounts(data: bytes) -> bool:
    return _reads(UnreadableDocument, lambda: read_filing(data, "document", number="01234567"))


def snapshot(data: bytes) -> bool:
    return _reads(LoadError, lambda: _run_through(table(chunk) for chunk in _chunks(io.BytesIO(data), "part")))


def company_list(data: bytes) -> bool:
    readers: Iterable[Callable[[bytes], Iterable[Any]]] = (companies.read_asked, companies.read_json, _read_csv)
    outcomes = [_reads(UnusableContent, partial(_read_whole, read, data)) for read in readers]
    return any(outcomes)


def _read_csv(data: bytes) -> Iterable[Any]:
    return companies.read_csv(io.StringIO(data.decode("utf-8", "replace"), newline=""))


def zip_file(data: bytes) -> bool:
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(data)
        file.flush()
        return _reads(LoadError, lambda: _run_through(documents([Path(file.name)])))


def _read_whole(read: Callable[[bytes], Iterable[Any]], data: bytes) -> None:
    _run_through(read(data))


def _run_through(found: Iterable[Any]) -> None:
    for _ in found:
        pass


def _reads(refusal: type[Exception], read: Callable[[], object]) -> bool:
    """Return whether bytes are read; False if they are refused, as documented, with `refusal`."""
    try:
        read()
    except refusal:
        return False
    return True


PARSERS: Mapping[str, Callable[[bytes], bool]] = {
    "json": json_body,
    "xml": xml_body,
    "form": form,
    "basic": basic,
    "jws": token,
    "dpop": proof,
    "certificate": certificate,
    "access-rules": access_rules,
    "ixbrl": accounts,
    "csv": snapshot,
    "companies": company_list,
    "zip": zip_file,
}
