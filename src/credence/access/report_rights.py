"""Rights that say which companies: the authorization detail of the type `credit_report` (RFC 9396 §2).

A token with such rights reads reports on these companies alone. So does every token of an application that an operator has
given rights as a ceiling. Rights only narrow: what the scope does not open, they do not open either.
"""

import datetime as dt
from collections.abc import Collection
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from credence.meanings import meaning

TYPE: Final = "credit_report"
"""The value of `type` (RFC 9396 §2)."""

EXAMPLE = '[{"type":"credit_report","companies":["01234567"]}]'
"""The parameter `authorization_details` with one company."""

MAX_COMPANIES = 50
"""A person reads all of them on the consent page, and a token has all of them."""

_Number = Annotated[str, Meta(pattern="^[A-Z0-9]{8}$")]


class ReportRights(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Reports on these companies, this many, until this day. A member that is absent does not restrict."""

    type: Annotated[Literal["credit_report"], meaning("The type of the details.")]
    companies: Annotated[
        tuple[_Number, ...],
        Meta(min_length=1, max_length=MAX_COMPANIES),
        meaning("Company numbers as the register writes them; absent for every company.", example=("01234567",)),
    ] = ()
    purpose: Annotated[
        str,
        Meta(min_length=1, max_length=120),
        meaning("For what the reports are, in words of the application.", example="Terms for a new customer"),
    ] = ""
    until: Annotated[dt.date | None, meaning("The last day, in London.", example="2026-12-31")] = None
    count: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        meaning("How many reports may be requested with the login, or with the token of an application.", example=10),
    ] = None


def narrowed(requested: ReportRights, ceiling: ReportRights) -> ReportRights | None:
    """Return the requested rights, with what they leave open from the ceiling; None if they exceed the ceiling."""
    both = shared(requested, ceiling)
    exceeds = (
        (requested.companies and both.companies != requested.companies)
        or (requested.until is not None and both.until != requested.until)
        or (requested.count is not None and both.count != requested.count)
    )
    return None if exceeds else both


def shared(one: ReportRights, other: ReportRights) -> ReportRights:
    """Return the rights that both give. If they name companies and none in common, that is `NO_COMPANY`."""
    companies = one.companies or other.companies
    if one.companies and other.companies:
        companies = tuple(each for each in one.companies if each in other.companies) or (NO_COMPANY,)
    return ReportRights(
        TYPE,
        companies,
        one.purpose or other.purpose,
        _earlier(one.until, other.until),
        _fewer(one.count, other.count),
    )


NO_COMPANY = "00000000"
"""A number that no company has: an empty list would mean every company."""


def lacking(rights: ReportRights, companies: Collection[str], today: dt.date) -> str | None:
    """Return the reason code if the rights do not include a report on each of these companies today; the number is not
    checked. `companies` are normalised numbers."""
    if rights.until is not None and today > rights.until:
        return "rights.until"
    if rights.companies and not set(companies) <= set(rights.companies):
        return "rights.company"
    return None


def _earlier(one: dt.date | None, other: dt.date | None) -> dt.date | None:
    return min((each for each in (one, other) if each is not None), default=None)


def _fewer(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)
