"""A notice of the Gazette (member of `Assessment`)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning


class GazetteNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One notice of the Gazette about the insolvency of the company, also if no event follows from it."""

    Published: Annotated[dt.date, meaning("The day of publication.")]
    Kind: Annotated[str, meaning("The kind of notice in words.", example="Meetings of Creditors")]
    Code: Annotated[str, meaning("The code of the Gazette for this kind.", example="2442")]
    Id: Annotated[str, meaning("The number of the notice at the Gazette.", example="3534076")]
    Event: Annotated[
        str | None, meaning("The event that follows from it; absent if none does.", example="meeting of creditors")
    ] = None
