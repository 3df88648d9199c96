"""The score as clients of the wire read it (report schema §3): every field is a text."""

import msgspec


class LtdCommercialDelphi(msgspec.Struct, frozen=True, omit_defaults=True):
    """Score, band, limit and the principal reasons. A limit that cannot be computed is absent; "0" means none."""

    CommDelphiScore: str
    CommDelphiBand: str
    CommDelphiBandText: str
    ConclusionText: str
    CreditLimit: str | None = None
    CreditRating: str | None = None
    StabilityOdds: str | None = None
    CreditTextLine1: str | None = None
    CreditTextLine2: str | None = None
    CreditTextLine3: str | None = None
    CreditTextLine4: str | None = None
    CreditTextLine5: str | None = None
    OverrideIndicator: str | None = None
    CreditLimitOverrideIndicator: str | None = None
    CreditRatingOverrideIndicator: str | None = None
    CreditTextOverrideIndicator: str | None = None
