"""The declaration of a site and its screens: paths, required roles, readers and acts."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from credence.blocks.values import Block
from credence.identity.gate import Facts
from credence.management.site_applications import SiteApplication
from credence.operations.audit_changes import NO_CHANGES
from credence.operations.reading import Reading
from credence.request_context import RequestContext
from credence.service import Service
from credence.sites.kit.access import Admitted
from credence.store.records import Account
from credence.store.sign_ins import Session
from credence.web.messages.answer import Answer
from credence.web.messages.recorded import record_act
from credence.web.routing.route import Route


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a screen."""

    title: str
    blocks: Sequence[Block]
    command: str
    """The command of the command line that prints the same."""
    lead: str = ""
    above: tuple[str, str] | None = None
    """Title and address of the parent screen."""
    links: Sequence[tuple[str, str]] = field(default=())
    """Text and address of links to the log lines and audit lines about the same object."""
    is_followed: bool = False
    """Whether the table at the end can be kept current by the script of the page."""
    reload_seconds: int = 0
    """Seconds after which the page reloads, if the operator has switched that on; 0 for never."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a person who is signed in to a site."""

    service: Service
    request: RequestContext
    site: "Site"
    account: Account
    session: Session
    facts: Facts
    """What the gate has decided about, and decides about again before an act that needs more."""
    rows: Sequence[Route]
    """All routes of the service, from which the checks of a logged request are derived."""
    admitted: Admitted

    def has(self, needed: str) -> bool:
        """Return whether the person has this role or scope, such as the one that a screen needs."""
        return needed in self.admitted.rights

    def parameter(self, name: str) -> str:
        """Return a parameter of the query; empty if it is missing."""
        return self.request.parameters.get(name, "").strip()

    async def record(self, act: str, **fields: str) -> None:
        """Write the audit line of an act that is no operation, before the act and after its checks (threats F2)."""
        await record_act(self.service, self.request, self.account.username, self.site.name, act, NO_CHANGES, **fields)


@dataclass(frozen=True, slots=True)
class ActResult:
    """The result of an act: text for the person, and a secret that only this answer shows."""

    text: str
    secret: tuple[str, str] | None = None
    """The label of the secret, and the secret."""
    page: Page | None = None
    """The page to show instead of the screen."""
    next_url: str = ""
    """The address of another screen to continue with."""
    answer: Answer | None = None
    """The answer to send instead of a page."""
    act: str = ""
    """The act whose form shows `typed` again: a preview, or an act before which the person had to sign in."""
    typed: Mapping[str, str] = field(default_factory=dict)
    """What the person has typed into it."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Rows for a spreadsheet."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class InvalidForm(Exception):
    """An invalid form: the act is not done. `field` names the invalid field; it is empty if the whole form is invalid.

    `details` are shown above the rest of the page.
    """

    def __init__(self, message: str, field: str = "", details: Sequence[Block] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.details = details


class Changed(InvalidForm):
    """The object of the form was changed by another person since it was opened. The message gives its present state."""


@dataclass(frozen=True, slots=True)
class Act:
    """An act on a screen. `run` writes the audit line, then acts; it raises InvalidForm or Refused."""

    name: str
    needs: str
    """The role or scope that a person needs (`access.py`)."""
    run: Callable[[Visit, Mapping[str, str]], Awaitable[ActResult]]
    needs_recent_sign_in: bool = False
    """Whether the person must have signed in within `RECENT_SIGN_IN_MS`."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One row of the table of a site."""

    path: str
    title: str
    needs: str
    """The role or scope that a person needs (`access.py`)."""
    read: Callable[[Visit], Awaitable[Page | Answer]]
    """Returns the page, or an answer to send instead."""
    acts: tuple[Act, ...] = ()
    listed: bool = True
    """Whether the navigation lists the screen."""
    export: Callable[[Visit], Awaitable[Exported]] | None = None
    """Returns the content of the screen as rows, for its path followed by `.csv`."""
    shows: tuple[Reading, ...] = ()
    """The readings that programs have of what it shows."""
    max_body: int | None = None
    """The most bytes of a form, if more than usual; it is read only for a signed-in person."""
    takes_bytes: bool = False
    """Whether the value of a file is its bytes and not its text (`sign_in/browser/forms.py`)."""

    def act(self, name: str) -> Act | None:
        """Return the act of this name."""
        return next((each for each in self.acts if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Site:
    """Screens with one navigation, one sign-in and sessions of their own, such as the operator console."""

    application: SiteApplication
    title: str
    """The title of the site, after the operator's name, on each page."""
    admit: Callable[[Service, RequestContext, Session, Account], Awaitable[Admitted]]
    """Returns what the person may do here; raises Refused where limits or rules forbid the request (`access.py`)."""
    how_to_get_in: Callable[[Account], str]
    """Returns the text for a person who may not see a screen."""
    screens: tuple[Screen, ...]
    setting: str | None = None
    """The setting that enables the site."""
    over: tuple[tuple[str, str], ...] = ()
    """Pairs of package and style sheet to include after the shared one."""
    sign_up: tuple[str, str] | None = None
    """The setting that allows people to make their own account, and the path of that page."""
    welcome: str = ""
    """What people can do here, for those who have not signed in."""
    scripts: tuple[tuple[str, str], ...] = ()
    """Pairs of package and script that the pages run besides those of every site."""

    @property
    def name(self) -> str:
        """The name of the site, also in the audit trail."""
        return self.application.site

    @property
    def home(self) -> str:
        """The path of the first screen."""
        return self.application.path

    @property
    def sign_in_path(self) -> str:
        """The path at which the sign-in begins."""
        return f"{self.home}/sign-in"

    @property
    def sign_out_path(self) -> str:
        """The path that ends a session."""
        return f"{self.home}/sign-out"
