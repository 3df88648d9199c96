"""The published models (member of `Assessment`, D21)."""

from typing import Annotated

import msgspec

from credence.meanings import CURRENCY, meaning
from credence.report.schema.codes import METHODS


class ModelInput(msgspec.Struct, frozen=True):
    """One input of a published model. `Method` is reported, repaired or derived."""

    Line: Annotated[str, meaning("The input in words.")]
    Value: Annotated[int | float, meaning("Its value.", unit=CURRENCY)]
    Method: Annotated[str, meaning("How it was found.", values=METHODS)]


class PublishedModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A published model on the newest accounts: either `Value`, or the reason in `NotComputable`."""

    Name: Annotated[str, meaning("Name of the model.")]
    Source: Annotated[str, meaning("The publication.")]
    Formula: Annotated[str, meaning("The formula in words.")]
    MeantFor: Annotated[str, meaning("The companies for which it was published.")]
    Zones: Annotated[str, meaning("Its boundaries in words.")]
    Inputs: Annotated[tuple[ModelInput, ...], meaning("The inputs from the newest accounts.")] = ()
    Value: Annotated[float | None, meaning("The result; absent if it cannot be computed.")] = None
    Zone: Annotated[str | None, meaning("The zone of the result in words.")] = None
    Probability: Annotated[
        float | None, meaning("Probability of failure by the model, as a share from 0 to 1; most models give none.")
    ] = None
    NotComputable: Annotated[str, meaning("Why there is no result.")] = ""
