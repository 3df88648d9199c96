"""A bar on standard error for what takes long; nothing where no person watches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

Tell = Callable[..., None]
"""Takes how much is done and, where it is known, how much there is."""


@contextmanager
def progress_bar(description: str, unit: str = "rows") -> Iterator[Tell]:
    """Yield what tells the bar how far it is."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(f"{{task.completed:,}} {unit}"),
        TimeElapsedColumn(),
    )
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        task = progress.add_task(description, total=None)

        def tell(done: int, total: int | None = None) -> None:
            progress.update(task, completed=done, total=total)

        yield tell
