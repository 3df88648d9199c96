"""Links to the pages of docs/ in src/credence/documentation/, so that the wheel has them and the service can show them.

A link and no copy: the wheel gets the content, the repository has it once.
"""

from pathlib import Path

FOLDER = "src/credence/documentation"


def stale(root: Path) -> list[str]:
    """Return one line for each link that is missing or leads nowhere."""
    return [
        f"{link} is stale: run python -m tools.generate"
        for link, target in _wanted(root).items()
        if _target(link) != target
    ] + [f"{link} leads nowhere: run python -m tools.generate" for link in _superfluous(root)]


def write(root: Path) -> None:
    """Make the links, and remove those of pages that are gone."""
    for link in _superfluous(root):
        link.unlink()
    for link, target in _wanted(root).items():
        if _target(link) != target:
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(target)


def _wanted(root: Path) -> dict[Path, str]:
    """Return each link with what it leads to, relative to its folder."""
    docs, folder = root / "docs", root / FOLDER
    wanted = {}
    for page in sorted(docs.rglob("*.md")):
        place = page.relative_to(docs)
        upwards = "../" * (len(Path(FOLDER).parts) + len(place.parts) - 1)
        wanted[folder / place] = f"{upwards}docs/{place.as_posix()}"
    return wanted


def _superfluous(root: Path) -> list[Path]:
    wanted = _wanted(root)
    return [link for link in sorted((root / FOLDER).rglob("*.md")) if link not in wanted]


def _target(link: Path) -> str | None:
    return str(link.readlink()) if link.is_symlink() else None
