"""The colours of the bands: in order without colour, readable on screen and paper (WCAG 2.2, 1.4.3 and 1.4.11)."""

import re
from itertools import pairwise

import pytest

from credence.report.render.html import STYLE
from credence.report.render.pdf import TEMPLATE

CSS = STYLE.css
SEEN_BY = {
    "everybody": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "deuteranopes": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protanopes": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}
"""Matrices on linear light (Machado, Oliveira and Fernandes, 2009, severity 1.0)."""


def linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def luminance(colour: str, seen: tuple[tuple[float, ...], ...] = SEEN_BY["everybody"]) -> float:
    """Relative luminance (WCAG 2.2), as a person with this vision has it."""
    light = linear(colour)
    shown = (min(max(sum(w * x for w, x in zip(row, light, strict=True)), 0.0), 1.0) for row in seen)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), shown, strict=True))


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def on_the_screen() -> dict[str, str]:
    return {letter.upper(): colour for letter, colour in re.findall(r"--b([a-e]):\s*(#[0-9a-f]{6})", CSS)}


def on_paper() -> dict[str, str]:
    return dict(re.findall(r'([A-E]): rgb\("(#[0-9a-f]{6})"\)', TEMPLATE.decode()))


def test_screen_and_paper_have_the_same_five_colours() -> None:
    assert on_the_screen() == on_paper()
    assert list(on_paper()) == list("ABCDE")


@pytest.mark.parametrize("seen", SEEN_BY)
def test_each_band_is_darker_than_the_one_before_for_everybody(seen: str) -> None:
    values = [luminance(colour, SEEN_BY[seen]) for colour in on_paper().values()]
    assert all(contrast(lighter, darker) >= 1.25 and lighter > darker for lighter, darker in pairwise(values))


def test_the_letter_is_readable_on_its_band() -> None:
    for letter, colour in on_paper().items():
        assert contrast(luminance(colour), luminance("#16191f" if letter in "ABC" else "#ffffff")) >= 4.5


def test_the_outline_of_a_band_is_visible_on_every_card() -> None:
    """The colours of `--soft` and `--card` in light, dark and print."""
    for soft, card in (("#5b6472", "#ffffff"), ("#a3adb8", "#1b2027"), ("#4b535e", "#ffffff")):
        assert soft in CSS
        assert contrast(luminance(soft), luminance(card)) >= 3
