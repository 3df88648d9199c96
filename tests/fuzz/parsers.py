"""What reads foreign bytes, each as a function of bytes that raises nothing but what it documents.

A fuzzer (`__main__.py`) looks for bytes with which one raises another exception, or breaks what is asserted here.
"""

import io
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from credence.access.text import format_rules, parse_rules
from credence.crypto import certificates, jws
from credence.crypto.client_jws import read as read_client_jws
from credence.crypto.jws import InvalidSignature
from credence.datasets.sources.accounts.contexts import UnreadableDocument
from credence.datasets.sources.accounts.filing import read_filing
from credence.datasets.sources.accounts.product import documents
from credence.datasets.sources.register.snapshot import _chunks, rows
from credence.datasets.sources.source import LoadError
from credence.errors import InvalidInput, UnusableContent
from credence.oauth.dpop.memory import ProofMemory
from credence.oauth.dpop.proof import MadeFor, check
from credence.policy import companies
from credence.refusals import Refused
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


def json_body(data: bytes) -> None:
    with suppress(Refused):
        json.dumps(read_json(data, LIMITS), default=str).encode()


def xml_body(data: bytes) -> None:
    with suppress(Refused):
        json.dumps(read_xml(data, LIMITS)).encode()


def form(data: bytes) -> None:
    with suppress(Refused):
        screened_form(parse_form(data), LIMITS)


def basic(data: bytes) -> None:
    field = data.decode("latin-1")
    if has_basic({"authorization": field}):
        for form_decoded in (False, True):
            found = _read_basic(field, form_decoded=form_decoded)
            assert found is None or set(found) == {"client_id", "client_secret"}


def token(data: bytes) -> None:
    text = data.decode("latin-1")
    with suppress(InvalidSignature):
        jws.verify({}, "at+jwt", text)
    with suppress(InvalidSignature):
        assert isinstance(read_client_jws(text).claims, dict)


def proof(data: bytes) -> None:
    with suppress(Refused):
        check(ProofMemory(), PROOF_KEY, data.decode("latin-1"), PROOF_FOR, PROOF_TIME)


def certificate(data: bytes) -> None:
    with suppress(certificates.UnreadableCertificate):
        certificates.from_base64(data.decode("latin-1"))
    for read in (
        _is_current,
        certificates.public_members,
        *map(_names, ("subject_dn", "san_dns", "san_uri", "san_ip")),
    ):
        with suppress(certificates.UnreadableCertificate):
            read(data)
    with suppress(certificates.UnreadableCertificate):
        certificates.validity(data)


def _is_current(der: bytes) -> bool:
    return certificates.is_current(der, PROOF_TIME // 1000)


def _names(kind: str) -> Callable[[bytes], list[str]]:
    return lambda der: certificates.names(der, kind)


def access_rules(data: bytes) -> None:
    networks, _, rest = data.decode("latin-1").partition("\n")
    windows, _, time_zone = rest.partition("\n")
    try:
        found = parse_rules(networks, windows, time_zone or "UTC")
    except InvalidInput:
        return
    kept, opened, zone = format_rules(found)
    assert parse_rules(",".join(kept), ",".join(opened), zone) == found


def accounts(data: bytes) -> None:
    with suppress(UnreadableDocument):
        read_filing(data, "document", number="01234567")


def snapshot(data: bytes) -> None:
    with suppress(LoadError):
        for chunk in _chunks(io.BytesIO(data), "part"):
            _run_through(rows(chunk))


def company_list(data: bytes) -> None:
    for read in (companies.read_asked, companies.read_json, _read_csv):
        with suppress(UnusableContent):
            _run_through(read(data))


def _read_csv(data: bytes) -> Iterable[Any]:
    return companies.read_csv(io.StringIO(data.decode("utf-8", "replace"), newline=""))


def zip_file(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(data)
        file.flush()
        with suppress(LoadError):
            _run_through(documents([Path(file.name)]))


def _run_through(found: Iterable[Any]) -> None:
    for _ in found:
        pass


PARSERS: Mapping[str, Callable[[bytes], None]] = {
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
