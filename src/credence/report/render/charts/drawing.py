"""The SVG elements of every chart.

Shapes have classes, and the style of the page gives the colours, so one drawing serves light and dark screens and print.
Coordinates are proportional to amounts; nothing is rounded before it is drawn.
"""

from collections.abc import Iterable
from html import escape

from credence.blocks.text import shown

WIDTH = 440
"""The width of a drawing in its own units; on a page a drawing is 312 to 560 pixels wide."""


def drawing(height: float, alt: str, parts: Iterable[str], width: float = WIDTH) -> str:
    """Return an SVG with a text alternative; its height is in the units of its width."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(alt)}">{"".join(parts)}</svg>'
    )


def bar(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a bar of the class `kind`."""
    return f'<rect class="{kind}" x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" rx="1.5"/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "axis") -> str:
    """Return a straight line of the class `kind`."""
    return f'<path class="{kind}" d="M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}"/>'


def dot(x: float, y: float, kind: str, radius: float = 4) -> str:
    """Return a filled circle of the class `kind`."""
    return f'<circle class="{kind}" cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}"/>'


def label(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    """Return escaped text of the class `kind`."""
    classes = f' class="{kind}"' if kind else ""
    return f'<text{classes} x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{escape(shown(text))}</text>'


def fitted(text: str, units: float, size: float = 12) -> str:
    """Return text cut to a width of about `units`, computed from the average letter width of the font size."""
    room = int(units / (size * 0.52))
    return text if len(text) <= room else f"{text[: max(1, room - 1)].rstrip()}…"
