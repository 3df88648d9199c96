"""Reads the attributes of a request whose dialect is known: structure and patterns (D2, D8, D16, D17)."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from credence.oauth.parameters.attributes import Attributes
from credence.refusals import THREAT, Refused
from credence.request_context import RequestContext
from credence.screening.json_shape import read_json
from credence.screening.limits import Limits
from credence.screening.patterns import screen
from credence.screening.xml_shape import read_xml
from credence.web.dialects.dialect import Dialect, RequestFormat, gather
from credence.web.dialects.form import TOKENS, ParsedForm, form_fields

HOUSE_ATTRIBUTES = frozenset({"client_id", "client_secret", "grant_type", "username", "password", "refresh_token"})
STANDARD_ATTRIBUTES = HOUSE_ATTRIBUTES | {
    "client_assertion",
    "client_assertion_type",
    "token",
    "scope",
    "subject_token",
    "subject_token_type",
    "actor_token",
    "actor_token_type",
    "requested_token_type",
}
SECRETS = TOKENS | {"client_secret", "password"}
"""Never screened: a secret may be any text (D17)."""


def read(request: RequestContext, request_format: RequestFormat, limits: Limits) -> Attributes:
    """Return the attributes; Refused as a threat when the body does not parse or a value matches a pattern."""
    for name in ("client_id", "grant_type"):
        screen_text(request.headers.get(name, ""))
    fields = _fields(request.body, request_format, limits)
    _screen(fields)
    standard = request_format.dialect is Dialect.STANDARD
    names = STANDARD_ATTRIBUTES if standard else HOUSE_ATTRIBUTES
    named = {name: _text(value) for name, value in fields.items() if name in names}
    resources = _resources(fields) if standard else ()
    attributes = gather(request.headers, named, resources, standard=standard)
    screen_text(attributes.client_id or "")  # also one from HTTP Basic, which `gather` has decoded
    return attributes


def screened_form(form: ParsedForm, limits: Limits) -> Mapping[str, str | list[str]]:
    """Return the fields of a form; Refused as a threat when it breaks a rule or a value matches a pattern."""
    fields = form_fields(form, limits)
    _screen(fields)
    return fields


def read_screened_json(body: bytes, limits: Limits, unscreened: Collection[str]) -> Mapping[str, object]:
    """Return the members of a JSON object; Refused as a threat like a form. Those in `unscreened` may be any text."""
    members = read_json(body, limits)
    _screen(members, SECRETS | set(unscreened))
    return members


def screen_text(text: str) -> None:
    """Screen one decoded value (D17); letters, digits and underscores cannot match any pattern."""
    if text and not text.replace("_", "").isalnum():
        screen(text)


def _fields(body: bytes, request_format: RequestFormat, limits: Limits) -> Mapping[str, object]:
    if request_format.form is not None:
        return form_fields(request_format.form, limits)
    match request_format.dialect:
        case Dialect.JSON:
            return read_json(body, limits)
        case Dialect.XML:
            return read_xml(body, limits)
        case _:
            return {}


def _resources(fields: Mapping[str, object]) -> Sequence[str]:
    """Return the resources of the token; `audience` has the same meaning as `resource` here (RFC 8693 §2.1)."""
    named = [value for name in ("resource", "audience") if isinstance(value := fields.get(name), list)]
    return tuple(dict.fromkeys(chain.from_iterable(named))) if named else ()


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise Refused(THREAT, "body.not_a_string")


def _screen(value: object, unscreened: Collection[str] = SECRETS) -> None:
    if isinstance(value, str):
        screen_text(value)
    elif isinstance(value, Mapping):
        for name, member in value.items():
            screen_text(name)
            if name not in unscreened:
                _screen(member, unscreened)
    elif isinstance(value, list):
        for element in value:
            _screen(element, unscreened)
