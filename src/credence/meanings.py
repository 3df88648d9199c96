"""The meaning of each member of an answer, next to its type, for OpenAPI, JSON Schema and `/docs`.

`tests/web/test_every_member_is_explained.py` requires a meaning for every member.
"""

from collections.abc import Mapping

from msgspec import Meta


def meaning(text: str, *, unit: str = "", values: Mapping[str, str] | None = None, example: object = None) -> Meta:
    """Return the annotation of a member.

    `text` is one sentence or more. `values` maps every code to its description. `example` is for a member that is in no
    example body; for the others the value in the example body is shown.
    """
    codes = f" {', '.join(f'`{code}` {words}' for code, words in values.items())}." if values else ""
    extra: dict[str, object] = {}
    if unit:
        extra["x-unit"] = unit
    if values:
        extra["enum"] = list(values)
    return Meta(
        description=f"{text}{codes}{f' Unit: {unit}.' if unit else ''}",
        examples=None if example is None else [example],
        extra_json_schema=extra or None,
    )


YES_NO = {"Y": "yes", "N": "no"}
"""The codes of flags."""

CURRENCY = "units of the currency"
PER_CENT = "per cent"
MONTHS = "whole months"
