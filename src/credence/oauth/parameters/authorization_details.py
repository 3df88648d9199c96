"""The parameter `authorization_details` (RFC 9396): an array with one object of the type `credit_report`."""

from collections.abc import Sequence

import msgspec

from credence.access.report_rights import TYPE, ReportRights, narrowed
from credence.refusals.grants import INVALID_AUTHORIZATION_DETAILS
from credence.refusals.refusal import Refused
from credence.screening.json_shape import has_unique_names

TYPES = (TYPE,)
"""The supported types (RFC 9396 §10)."""


_decode = msgspec.json.Decoder(tuple[ReportRights, ...]).decode


def read_details(text: str) -> ReportRights:
    """Return the rights in a parameter; ValueError for any other text (RFC 9396 §5).

    Refused are an unknown type, an unknown member and a value that the type does not allow.
    """
    try:
        found = _decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise ValueError("not authorization details") from error
    if len(found) != 1 or not has_unique_names(text.encode()):
        raise ValueError("not one object with members of different names")
    if not found[0].purpose.isprintable():
        raise ValueError("not a text of one line")
    return found[0]


def read_stored(text: str) -> ReportRights | None:
    """Return rights as `stored` wrote them; None for empty text."""
    return _decode(text)[0] if text else None


def stored(rights: ReportRights | None) -> str:
    """Return rights as the text of an array with one object; empty text for None."""
    return "" if rights is None else msgspec.json.encode((rights,)).decode()


def granted(requested: str | None, ceilings: Sequence[ReportRights | None]) -> ReportRights | None:
    """Return the rights to grant: those of the request within every ceiling, without a request those of the ceilings.

    Raises Refused with `invalid_authorization_details` for a malformed request or one that exceeds a ceiling (RFC 9396 §5).
    """
    rights = None
    if requested is not None:
        try:
            rights = read_details(requested)
        except ValueError:
            raise Refused(INVALID_AUTHORIZATION_DETAILS, "authorization_details.malformed") from None
    for ceiling in ceilings:
        if ceiling is None:
            continue
        rights = ceiling if rights is None else narrowed(rights, ceiling)
        if rights is None:
            raise Refused(INVALID_AUTHORIZATION_DETAILS, "authorization_details.exceeds")
    return rights
