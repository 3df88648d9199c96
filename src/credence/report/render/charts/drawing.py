"""The parts every drawing is made of.

A drawing names what its shapes are by class and leaves the colours to the page, so that one drawing serves light, dark
and print. Amounts are placed by plain proportion; nothing is rounded before it is drawn.
"""

from collections.abc import Iterable
from html import escape

from credence.report.render.page.text import shown

WIDTH = 440
"""Units across. A drawing shrinks to 312 of a small telephone's pixels and is never wider than 560."""


def drawing(height: float, alt: str, parts: Iterable[str]) -> str:
    """Return a whole drawing with its text alternative."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-label="{escape(alt)}">{"".join(parts)}</svg>'
    )


def bar(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a bar; what it stands for is its kind."""
    return f'<rect class="{kind}" x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" rx="1.5"/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "axis") -> str:
    """Return a straight line."""
    return f'<path class="{kind}" d="M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}"/>'


def dot(x: float, y: float, kind: str, radius: float = 4) -> str:
    """Return a round mark."""
    return f'<circle class="{kind}" cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}"/>'


def label(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    """Return words in a drawing."""
    classes = f' class="{kind}"' if kind else ""
    return f'<text{classes} x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{escape(shown(text))}</text>'


def wide(text: str, units: float, size: float = 12) -> str:
    """Return the words cut to about so many units, by the width of an average letter."""
    room = int(units / (size * 0.52))
    return text if len(text) <= room else f"{text[: max(1, room - 1)].rstrip()}…"
