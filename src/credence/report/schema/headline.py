"""The band in words with what speaks against it, and the disagreement of published models (members of `Assessment`)."""

from typing import Annotated

import msgspec

from credence.meanings import CURRENCY, meaning
from credence.report.schema.codes import RESERVATIONS


class DisagreementOfModels(msgspec.Struct, frozen=True):
    """Published models that indicate distress while the score says low risk; `Why` has reasons why they may differ."""

    Models: Annotated[
        tuple[str, ...], meaning("The published models that indicate distress.", example=("Taffler z-score",))
    ]
    Sentence: Annotated[
        str,
        meaning(
            "What both say.", example="The score says low risk (band B); 1 of 2 published models indicate distress."
        ),
    ]
    Why: Annotated[
        tuple[str, ...],
        meaning("Why they may differ.", example=("Taffler z-score is meant for: Listed British industrial firms.",)),
    ]


class Reservation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact that is on record against the company in addition to the points of its score (docs/judgement.md)."""

    Code: Annotated[str, meaning("A reason for caution.", values=RESERVATIONS, example="GROUP-WEAKER")]
    Words: Annotated[str, meaning("The same in words.", example="the group is weaker")]
    Sentence: Annotated[
        str,
        meaning(
            "The same in a sentence, with its day.",
            example="On 31 March 2026 the company's liabilities exceeded its assets by £4,200.",
        ),
    ] = ""
    Amount: Annotated[
        int | None, meaning("The amount that it is about, without a sign.", unit=CURRENCY, example=4200)
    ] = None


class BandInWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """The band in words with everything that is on record against it: show `Words` wherever the band is shown."""

    Words: Annotated[
        str,
        meaning(
            "The band in words, or the range of bands if what is unknown makes it wide, or that there is no score, "
            "and the reasons for caution.",
            example="Very low risk, but the group is weaker and the suggested limit is 0",
        ),
    ]
    Reservations: Annotated[tuple[Reservation, ...], meaning("The reasons for caution, the gravest first.")] = ()
