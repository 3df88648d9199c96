"""How a screen is declared: its path, who may see it, what it reads, and what may be done on it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import Account, ConsoleRole, Session
from credence.web.console.blocks import Page
from credence.web.routing.route import Route

CONSOLE = "console"
"""What the audit trail names as that by which an operator acted."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of an operator who is signed in."""

    service: Service
    request: RequestContext
    operator: Account
    session: Session
    rows: Sequence[Route] = ()
    """Every route of the service, which says what a request in the log had to pass."""

    def asked(self, name: str) -> str:
        """Return a parameter of the query; empty without it."""
        return self.request.parameters.get(name, "").strip()


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did: text for the operator, and a secret that this answer alone shows."""

    text: str
    secret: tuple[str, str] | None = None
    """What it is, and the secret."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Rows for a table calculation."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Wrong(Exception):
    """An invalid form: the act is not done. `field` names the invalid field; it is empty when the whole form is invalid."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


@dataclass(frozen=True, slots=True)
class Act:
    """Something to be done on a screen. `run` writes the line of the audit trail, then acts; it raises Wrong or Refused."""

    name: str
    role: ConsoleRole
    run: Callable[[Visit, Mapping[str, str]], Awaitable[Done]]
    grave: bool = False
    """Whether the operator must have signed in within the last minutes."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One row of the table."""

    path: str
    title: str
    role: ConsoleRole
    read: Callable[[Visit], Awaitable[Page]]
    acts: tuple[Act, ...] = ()
    listed: bool = True
    """Whether the navigation has it."""
    export: Callable[[Visit], Awaitable[Exported]] | None = None
    """Returns what the screen shows as rows; the path followed by `.csv` gives them."""

    def act(self, name: str) -> Act | None:
        """Return the act of this name."""
        return next((each for each in self.acts if each.name == name), None)
