"""What may be set on an application, when it is made and later (D4, D5, D16, D25): one row for each option."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from typer.models import OptionInfo

from credence.cli import authentication_options as authentication
from credence.crypto.algorithms import ALGORITHMS
from credence.errors import InvalidInput
from credence.identity.applications import settled
from credence.oauth.grants import GRANTS
from credence.oauth.parameters.scopes import SCOPES, check_resource, of_application
from credence.store.records import Application
from credence.token_lifetimes import MAX_ACCESS_TOKEN_SECONDS, MAX_LOGIN_SECONDS


def _itself(value: Any) -> object:
    return value


def _of(field: str) -> Callable[[Application], object]:
    return lambda application: getattr(application, field)


@dataclass(frozen=True, slots=True)
class Option:
    """One row. Typing nothing leaves the field as it is."""

    field: str
    """Of `Application`; also the name under which the value is shown."""
    kind: object
    """The type of what is typed."""
    declared: OptionInfo
    read: Callable[[Any], object] = _itself
    """Turns what was typed into the field's value; ValueError says what is wrong with it."""
    inherits: str | None = None
    """The word for `--inherit`, where the service has a setting that holds for applications without their own."""
    shown: Callable[[Application], object] | None = None
    """How the value is shown, where that is not as it is kept."""


def _known(what: str, names: Collection[str]) -> Callable[[str], str]:
    """Return what reads one of these names."""

    def read(name: str) -> str:
        if name not in names:
            raise InvalidInput(f"There is no {what} {name!r}: choose from {', '.join(names)}.")
        return name

    return read


def _each(read: Callable[[str], str]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return what reads an option that is typed once for each; each counts once."""
    return lambda texts: tuple(dict.fromkeys(read(text) for text in texts))


def _each_or_none(read: Callable[[str], str]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return the same for an option of which empty text alone means: none."""
    each = _each(read)
    return lambda texts: () if list(texts) == [""] else each(texts)


def _listed(field: str) -> Callable[[Application], object]:
    return lambda application: list(getattr(application, field))


OPTIONS = (
    Option(
        "grants",
        list[str],
        typer.Option("--grant", help=f"A grant it may use; once for each: {', '.join(GRANTS)}."),
        _each(_known("grant", GRANTS)),
        shown=_listed("grants"),
    ),
    Option(
        "scopes",
        list[str],
        typer.Option("--scope", help=f"A scope it may have; once for each: {', '.join(SCOPES)}. '': none."),
        _each_or_none(_known("scope", SCOPES)),
        inherits="scope",
        shown=lambda application: list(of_application(application)),
    ),
    Option(
        "audiences",
        list[str],
        typer.Option("--resource", help="A resource beside the service that it may ask tokens for; once for each."),
        _each_or_none(check_resource),
        shown=_listed("audiences"),
    ),
    Option(
        "authentication",
        str,
        typer.Option("--authentication", help=f"How it proves itself: {', '.join(authentication.METHODS)}."),
        _known("method of authentication", authentication.METHODS),
    ),
    Option(
        "keys",
        Path,
        typer.Option("--jwks", help="File with its public keys, a JWK Set, in place of those before."),
        authentication.read_keys,
        shown=authentication.keys_shown,
    ),
    Option(
        "certificate_name",
        str,
        typer.Option(
            "--certificate-name", help="KIND=VALUE: subject_dn, san_dns, san_uri, san_ip, san_email. '': none."
        ),
        authentication.read_certificate_name,
        shown=authentication.certificate_name_shown,
    ),
    Option(
        "certificate_bound_tokens",
        bool,
        typer.Option(
            "--certificate-bound-tokens/--no-certificate-bound-tokens",
            help="Whether its tokens are good over connections with its certificate alone (RFC 8705 §3).",
        ),
    ),
    Option(
        "dpop_required",
        bool,
        typer.Option("--dpop-required/--no-dpop-required", help="Whether it must prove a key for every token."),
    ),
    Option(
        "introspects",
        list[str],
        typer.Option("--introspects", help="A resource that it guards, about whose tokens it may ask; once for each."),
        _each_or_none(check_resource),
        shown=_listed("introspects"),
    ),
    Option(
        "algorithm",
        str,
        typer.Option("--algorithm", help=f"Signs its access tokens: {', '.join(ALGORITHMS)}."),
        _known("algorithm", ALGORITHMS),
        inherits="algorithm",
    ),
    Option(
        "id_token_algorithm",
        str,
        typer.Option("--id-token-algorithm", help=f"Signs its ID tokens: {', '.join(ALGORITHMS)}."),
        _known("algorithm", ALGORITHMS),
        inherits="id-token-algorithm",
    ),
    Option(
        "access_token_lifetime",
        int,
        typer.Option("--access-token-lifetime", min=1, max=MAX_ACCESS_TOKEN_SECONDS, help="In seconds."),
        inherits="access-token-lifetime",
    ),
    Option(
        "refresh_token_lifetime",
        int,
        typer.Option("--refresh-token-lifetime", min=1, max=MAX_LOGIN_SECONDS, help="In seconds, from login."),
        inherits="refresh-token-lifetime",
    ),
    Option(
        "spike_per_minute",
        int,
        typer.Option("--spike-per-minute", min=0, help="Requests a minute, smoothed; 0: no spike arrest."),
        inherits="spike-per-minute",
    ),
)
"""Everything that may be set, in the order in which it is shown and asked for."""

INHERITED: Mapping[str, str] = {option.inherits: option.field for option in OPTIONS if option.inherits}
"""By the word for `--inherit`, the field that goes back to the setting of the service."""

Inherit = Annotated[
    list[str] | None,
    typer.Option("--inherit", help=f"Go back to the setting of the service; once for each: {', '.join(INHERITED)}."),
]


def takes_options(command: Callable[..., None], only: Collection[str] | None = None) -> Callable[..., None]:
    """Let a command take every option of the table, or those for these fields, as its last parameter `**typed`."""
    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    rows = [
        inspect.Parameter(
            option.field,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=None,
            # Made here, so no checker can read it; Typer does.
            annotation=Annotated[option.kind | None, option.declared],  # type: ignore[operator]
        )
        for option in OPTIONS
        if only is None or option.field in only
    ]
    first = [each for each in own if each.default is inspect.Parameter.empty]
    last = [each for each in own if each.default is not inspect.Parameter.empty]
    # Looked at by inspect.signature before anything else (PEP 362); the type of a function does not say so.
    command.__signature__ = signature.replace(parameters=[*first, *rows, *last])  # type: ignore[attr-defined]
    return command


def configured(application: Application, typed: Mapping[str, Any], inherited: Sequence[str] = ()) -> Application:
    """Return the application with what was typed, by field; ValueError for a value that does not exist or cannot work."""
    back = {INHERITED[_known("setting to inherit", INHERITED)(word)]: None for word in inherited}
    said = read_typed(typed)
    return authentication.able_to_prove_itself(
        msgspec.structs.replace(settled(application, (*back, *said)), **back, **said)
    )


def read_typed(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed, by field; ValueError for a value that does not exist."""
    return {
        option.field: option.read(typed[option.field])
        for option in OPTIONS
        if typed.get(option.field) not in (None, [])
    }


def options_shown(application: Application) -> dict[str, object]:
    """Return every option of an application by the name of its field."""
    return {option.field: (option.shown or _of(option.field))(application) for option in OPTIONS}
