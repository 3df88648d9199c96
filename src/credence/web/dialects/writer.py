"""Says token responses and refusals in the caller's dialect (spec §2.3, §7, D8, D9, D10, D21)."""

from enum import Enum
from functools import lru_cache

import msgspec

from credence.oauth.issue import Issued
from credence.refusals import (
    COMPANY_NUMBER_MALFORMED,
    COMPANY_UNKNOWN,
    DIRECTOR_UNKNOWN,
    SEARCH_MALFORMED,
    SPIKE_ARREST,
    SUPPORT_EMAIL,
    Refusal,
)
from credence.settings import Settings
from credence.web.dialects import xml_text
from credence.web.dialects.media import Form
from credence.web.messages.answer import JSON, XML, Answer
from credence.web.messages.caching import NO_STORE, VARY


class Voice(Enum):
    """In which of its voices the service answers."""

    HOUSE_JSON = "house JSON"
    HOUSE_XML = "house XML"
    STANDARD = "RFC 6749"


CREDIT_ERRORS = frozenset({COMPANY_UNKNOWN, COMPANY_NUMBER_MALFORMED, DIRECTOR_UNKNOWN, SEARCH_MALFORMED})
"""Said in the credit API's own form (D21)."""


def house_voice(form: Form) -> Voice:
    """Return the voice of the house dialect for an answer that should have this form."""
    return Voice.HOUSE_XML if form is Form.XML else Voice.HOUSE_JSON


def token_answer(issued: Issued, speaking: Voice) -> Answer:
    """Return the token response: strings of digits in the house dialect, a number in the standard one (D10)."""
    fields: dict[str, str | int] = {
        "issued_at": str(issued.issued_at),
        "expires_in": str(issued.expires_in),
        "token_type": "Bearer",
        "access_token": issued.access_token,
    }
    if issued.refresh_token is not None:
        fields["refresh_token"] = issued.refresh_token
    if speaking is Voice.HOUSE_XML:
        body = xml_text.token_response((name, str(value)) for name, value in fields.items())
        return Answer(200, XML, body, (NO_STORE, VARY))
    if speaking is Voice.STANDARD:
        fields["expires_in"] = issued.expires_in
        fields["token_type"] = issued.token_type
        told = {
            "scope": issued.scope or None,
            "id_token": issued.id_token,
            "issued_token_type": issued.issued_token_type,
        }
        fields |= {name: value for name, value in told.items() if value is not None}
    return Answer(200, JSON, msgspec.json.encode(fields), (NO_STORE, VARY))


def refusal_answer(refusal: Refusal, speaking: Voice, settings: Settings, *headers: tuple[str, str]) -> Answer:
    """Return a refusal as this caller reads it."""
    status = _refusal_status(refusal, speaking, settings)
    media_type = XML if speaking is Voice.HOUSE_XML and refusal not in CREDIT_ERRORS else JSON
    body = _refusal_body(refusal, speaking, settings.support_email)
    return Answer(status, media_type, body, (NO_STORE, VARY, *headers))


def _refusal_status(refusal: Refusal, speaking: Voice, settings: Settings) -> int:
    if refusal is SPIKE_ARREST:
        return settings.spike_status  # D16
    return refusal.oauth_status if speaking is Voice.STANDARD else refusal.status


@lru_cache(maxsize=256)
def _refusal_body(refusal: Refusal, speaking: Voice, support_email: str) -> bytes:
    message = refusal.message.replace(SUPPORT_EMAIL, support_email)
    if refusal in CREDIT_ERRORS:
        return msgspec.json.encode({"Error": {"Code": refusal.status, "Message": message}})
    if speaking is Voice.HOUSE_XML:
        return xml_text.errors(refusal.error_type, message)
    body: dict[str, object] = {
        "errors": [{"errorType": refusal.error_type, "message": message}],
        "success": False,
    }
    if speaking is Voice.STANDARD:
        body |= {"error": refusal.oauth_error, "error_description": message.replace('"', "'")}
    return msgspec.json.encode(body)
