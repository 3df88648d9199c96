"""What may be set on an application, when it is made and later (D4, D5, D16, D25)."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
import typer

from credence.crypto.algorithms import ALGORITHMS
from credence.oauth.grants import GRANTS
from credence.store.contract import LONGEST_ACCESS_TOKEN, LONGEST_FAMILY
from credence.store.records import Application


class Inherited(StrEnum):
    """What an application takes from the settings of the service unless it has its own."""

    ALGORITHM = "algorithm"
    ACCESS_TOKEN_LIFETIME = "access-token-lifetime"  # noqa: S105 - the name of an option
    REFRESH_TOKEN_LIFETIME = "refresh-token-lifetime"  # noqa: S105 - the name of an option
    SPIKE_PER_MINUTE = "spike-per-minute"


Grants = Annotated[
    list[str] | None, typer.Option("--grant", help=f"A grant it may use; once for each: {', '.join(GRANTS)}.")
]
AlgorithmName = Annotated[
    str | None, typer.Option("--algorithm", help=f"Signs its access tokens: {', '.join(ALGORITHMS)}.")
]
AccessTokenLifetime = Annotated[int | None, typer.Option(min=1, max=LONGEST_ACCESS_TOKEN, help="In seconds.")]
RefreshTokenLifetime = Annotated[int | None, typer.Option(min=1, max=LONGEST_FAMILY, help="In seconds, from login.")]
SpikePerMinute = Annotated[int | None, typer.Option(min=0, help="Requests a minute, smoothed; 0: no spike arrest.")]
Inherit = Annotated[
    list[Inherited] | None, typer.Option("--inherit", help="Go back to the setting of the service; once for each.")
]


def configured(
    application: Application,
    grants: Sequence[str] | None,
    algorithm: str | None,
    access_token_lifetime: int | None,
    refresh_token_lifetime: int | None,
    spike_per_minute: int | None,
    inherited: Sequence[Inherited] = (),
) -> Application:
    """Return the application with what was said; ValueError for a grant or an algorithm that does not exist."""
    for grant in grants or ():
        _require_known("grant", grant, GRANTS)
    if algorithm is not None:
        _require_known("algorithm", algorithm, ALGORITHMS)
    values: dict[str, object] = {
        "grants": tuple(dict.fromkeys(grants)) if grants else None,
        "algorithm": algorithm,
        "access_token_lifetime": access_token_lifetime,
        "refresh_token_lifetime": refresh_token_lifetime,
        "spike_per_minute": spike_per_minute,
    }
    said = {name: value for name, value in values.items() if value is not None}
    return msgspec.structs.replace(application, **{each.name.lower(): None for each in inherited}, **said)


def _require_known(what: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ValueError(f"There is no {what} {name!r}: choose from {', '.join(known)}.")
