"""Reads the `claims` parameter: single claims that an application requests (OpenID Connect Core §5.5).

A requested claim about the account is granted as the scope that contains it: consent is asked for that scope, and user
information needs no stored list. Claims requested for the ID token are added to it by name.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from credence.oauth.tokens.standard_claims import CLAIMS


@dataclass(frozen=True, slots=True)
class RequestedClaims:
    """The requested claims that the service supports; others are ignored (§5.5.1)."""

    scopes: frozenset[str] = frozenset()
    """The scopes that contain the requested claims about the account."""
    in_id_token: tuple[str, ...] = ()
    """The names of the claims to be added to the ID token."""
    subject: str | None = None
    """The required `sub`; None for any."""
    classes: tuple[str, ...] = ()
    """The accepted authentication classes (`acr`), if they are an essential claim (§5.5.1.1); empty for any."""


class _RequestedClaims(msgspec.Struct, frozen=True):
    essential: bool = False
    value: Any = None
    values: tuple[Any, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The accepted values, as strings."""
        return tuple(str(value) for value in (*self.values, self.value) if value is not None)


_Members = dict[str, _RequestedClaims | None]


class _Parameter(msgspec.Struct, frozen=True):
    userinfo: _Members | None = None
    id_token: _Members | None = None


_decode = msgspec.json.Decoder(_Parameter).decode


def read_claims(text: str) -> RequestedClaims:
    """Return what the parameter requests; ValueError if it is not a JSON object of the form of §5.5."""
    try:
        requested = _decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise ValueError("not a claims parameter") from error
    in_id_token, at_userinfo = requested.id_token or {}, requested.userinfo or {}
    subjects = {text for each in (in_id_token, at_userinfo) for text in _texts(each.get("sub"))}
    if len(subjects) > 1:
        raise ValueError("two subjects")
    acr = in_id_token.get("acr")
    return RequestedClaims(
        scopes=frozenset(scope for scope, claims in CLAIMS.items() if claims.keys() & {*in_id_token, *at_userinfo}),
        in_id_token=tuple(name for claims in CLAIMS.values() for name in claims if name in in_id_token),
        subject=next(iter(subjects), None),
        classes=_texts(acr) if acr is not None and acr.essential else (),
    )


def _texts(requested: _RequestedClaims | None) -> tuple[str, ...]:
    return () if requested is None else requested.texts
