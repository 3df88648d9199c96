"""The published models (member of `Assessment`, D21)."""

import msgspec


class ModelInput(msgspec.Struct, frozen=True):
    """One input of a published model. `Method` is reported, repaired or derived."""

    Line: str
    Value: int | float
    Method: str


class PublishedModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A published model on the newest accounts: either `Value`, or the reason in `NotComputable`."""

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
