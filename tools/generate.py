"""Writes the pages of docs/ that are made from the code: `python -m tools.generate`.

With `--check` it writes nothing, says what is stale or missing, and exits with 1 if anything is.
"""

import sys
from pathlib import Path

from tools import (
    documentation_links,
    helm_chart,
    judgement_page,
    keys_page,
    man_page,
    patterns_page,
    rooms_drawing,
    rooms_page,
    rules_page,
    settings_page,
    tokens_life_page,
    ways_page,
    who_may_page,
)

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit code."""
    rule_map = rules_page.read_rule_map(ROOT)
    pages = {
        "docs/settings.md": settings_page.render(),
        "docs/keys.md": keys_page.render(),
        "docs/credence.1": man_page.render(),
        "docs/tokens-life.md": tokens_life_page.render(),
        "docs/patterns.md": patterns_page.render(ROOT),
        "docs/judgement.md": judgement_page.render(ROOT),
        "docs/who-may.md": who_may_page.render(),
        "docs/ways-to-the-book.md": ways_page.render(),
        "docs/rooms.md": rooms_page.render(),
        "docs/rooms.svg": rooms_drawing.render(),
        "docs/rules.md": rules_page.render(rule_map),
        **helm_chart.render(ROOT),
    }
    complaints = rules_page.problems(rule_map)
    if arguments == ["--check"]:
        complaints += stale(ROOT, pages) + documentation_links.stale(ROOT)
    elif arguments:
        complaints = ["usage: python -m tools.generate [--check]"]
    else:
        write(ROOT, pages)
        documentation_links.write(ROOT)
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints and arguments else 0


def stale(root: Path, pages: dict[str, str]) -> list[str]:
    """Return one line for each page that is not as the code makes it."""
    return [
        f"{name} is stale: run python -m tools.generate"
        for name, text in pages.items()
        if not (root / name).is_file() or (root / name).read_text(encoding="utf-8") != text
    ]


def write(root: Path, pages: dict[str, str]) -> None:
    """Write the pages."""
    for name, text in pages.items():
        (root / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
