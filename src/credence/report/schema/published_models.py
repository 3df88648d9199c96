"""The published models (member of `Assessment`, D21)."""

import msgspec


class ModelInput(msgspec.Struct, frozen=True):
    """One line a published model took. `Method` is reported, repaired or derived."""

    Line: str
    Value: int | float
    Method: str


class PublishedModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a published model says of the newest accounts: `Value` is there or `NotComputable` says why not."""

    Name: str
    Source: str
    Formula: str
    MeantFor: str
    Zones: str
    Inputs: tuple[ModelInput, ...] = ()
    Value: float | None = None
    Zone: str | None = None
    Probability: float | None = None
    NotComputable: str = ""
