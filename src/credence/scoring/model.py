"""The scoring model: its files, their checks, and one hash over them (credit §7.1, §10 model governance)."""

import hashlib
import tomllib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TypeVar

import msgspec

from credence.scoring.basis.ratios import RATIOS
from credence.scoring.basis.sectors import SectorRates
from credence.scoring.conduct import CONDUCT
from credence.scoring.legal import LegalRules
from credence.scoring.limit import Terms
from credence.scoring.points import PointsTable, check
from credence.scoring.reservations.found import RULES
from credence.scoring.reservations.table import ReservationTable

NAME = "Credence UK company score"
VERSION = "2026.11.9"
"""The version of the model, which changes with every change of a file in FILES."""

FILES = {
    "short": "ratio-points-short-2026-11.4.json",
    "full": "ratio-points-full-2026-11.4.json",
    "with-profit": "ratio-points-with-profit-2026-11.4.json",
    "conduct": "register-points-2026-11.toml",
    "sectors": "sector-rates-2026-05.toml",
    "legal": "legal-rules-2026-11.toml",
    "reservations": "reservations-2026-11.toml",
    "terms": "terms-2026-11.toml",
}
"""The files of the model in `data/`."""

RATIO_TABLES = ("short", "full", "with-profit")
"""The tables of ratios: those of every balance sheet, those that a full one adds, and those of a profit and loss account."""

T = TypeVar("T")


class Model(msgspec.Struct, frozen=True):
    """Every table that a score is computed from."""

    name: str
    version: str
    hash: str
    """SHA-256 over the files, in the order of `FILES`, as 64 hexadecimal digits."""
    ratios: tuple[PointsTable, ...]
    """The tables of ratios in the order of RATIO_TABLES; each adds to those before it."""
    conduct: PointsTable
    sectors: SectorRates
    legal: LegalRules
    reservations: ReservationTable
    terms: Terms


@cache
def current_model() -> Model:
    """Return the model that ships with this version. Raises ValueError for an invalid file."""
    folder = resources.files("credence.scoring") / "data"
    contents = {part: (folder / file).read_bytes() for part, file in FILES.items()}
    model = Model(
        NAME,
        VERSION,
        hashlib.sha256(b"".join(contents.values())).hexdigest(),
        ratios=tuple(_read(folder / FILES[name], PointsTable) for name in RATIO_TABLES),
        conduct=_read(folder / FILES["conduct"], PointsTable),
        sectors=_read(folder / FILES["sectors"], SectorRates),
        legal=_read(folder / FILES["legal"], LegalRules),
        reservations=_read(folder / FILES["reservations"], ReservationTable),
        terms=_read(folder / FILES["terms"], Terms),
    )
    for tables, known in ((model.ratios, RATIOS), ((model.conduct,), CONDUCT)):
        check(tables)
        if unknown := {factor.code for table in tables for factor in table.factors} - known.keys():
            raise ValueError(f"No function computes the factors {', '.join(sorted(unknown))}.")
    if unknown := {row.find for row in model.reservations.rows if row.find} - RULES.keys():
        raise ValueError(f"No function finds the reservations {', '.join(sorted(unknown))}.")
    return model


def _read(file: Traversable, kind: type[T]) -> T:
    content = file.read_bytes()
    values = tomllib.loads(content.decode()) if file.name.endswith(".toml") else msgspec.json.decode(content)
    return msgspec.convert(values, kind)
