"""The band in words with what speaks against it, and the disagreement of published models (members of `Assessment`)."""

from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.report.schema.codes import RESERVATIONS


class DisagreementOfModels(msgspec.Struct, frozen=True):
    """Published models that say distress while the score says low risk; `Why` has the reasons for which they may differ."""

    Models: Annotated[tuple[str, ...], meaning("The published models that say distress.", example=("Taffler z-score",))]
    Sentence: Annotated[
        str,
        meaning("What both say.", example="The score says low risk (band B); 1 of 2 published models say distress."),
    ]
    Why: Annotated[
        tuple[str, ...],
        meaning("Why they may differ.", example=("Taffler z-score is meant for: Listed British industrial firms.",)),
    ]


class Reservation(msgspec.Struct, frozen=True):
    """Something in the report that speaks against the words of the band, and that no point of the score counts."""

    Code: Annotated[str, meaning("What speaks against the band.", values=RESERVATIONS, example="GROUP-WEAKER")]
    Words: Annotated[str, meaning("The same in words.", example="the group is weaker")]


class BandInWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """The band in words with everything that speaks against it: show `Words` wherever the band is shown."""

    Words: Annotated[
        str,
        meaning(
            "The band in words, and what speaks against it.",
            example="Very low risk, but the group is weaker and the suggested limit is 0",
        ),
    ]
    Reservations: Annotated[
        tuple[Reservation, ...], meaning("What speaks against the band; only of bands A to C.")
    ] = ()
