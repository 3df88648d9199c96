"""How a site and its screens are declared: paths, who may see them, what they read, and what may be done on them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from credence.management.site_applications import SiteApplication
from credence.request_context import RequestContext
from credence.service import Service
from credence.settings import Settings
from credence.store.records import Account, Application
from credence.store.sign_ins import Session
from credence.web.messages.answer import Answer
from credence.web.routing.route import Route
from credence.web.screens.blocks import Page


@dataclass(frozen=True, slots=True)
class Admitted:
    """What a site lets a person do who works for an application: its scopes are the roles that they reach."""

    application: Application
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a person who is signed in to a site."""

    service: Service
    request: RequestContext
    site: "Site"
    account: Account
    session: Session
    rows: Sequence[Route] = ()
    """Every route of the service, which says what a request in the log had to pass."""
    admitted: Admitted | None = None

    @property
    def role(self) -> str:
        """The role of the person on the site; on one for applications, the name of the application."""
        if self.site.admit is not None:
            return self.admitted.application.name if self.admitted else ""
        return self.site.role_of(self.service.settings, self.account)

    def may(self, needed: str) -> bool:
        """Return whether the person reaches what needs this role or scope."""
        if self.site.admit is not None:
            return self.admitted is not None and needed in self.admitted.scopes
        return self.site.may(self.role, needed)

    def asked(self, name: str) -> str:
        """Return a parameter of the query; empty without it."""
        return self.request.parameters.get(name, "").strip()


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did: text for the person, and a secret that this answer alone shows."""

    text: str
    secret: tuple[str, str] | None = None
    """What it is, and the secret."""
    page: Page | None = None
    """What is shown instead of the screen."""
    events: tuple[str, ...] = ()
    """What the audit trail records of it, where the act did not write its line before."""
    onward: str = ""
    """The address of the screen that is shown next, instead of this one."""
    answer: Answer | None = None
    """What is sent instead of a page."""


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


class Changed(Wrong):
    """Another person has changed what a form is about since it was opened. The message says how it is now."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something to be done on a screen. `run` writes the line of the audit trail, then acts; it raises Wrong or Refused."""

    name: str
    role: str
    run: Callable[[Visit, Mapping[str, str]], Awaitable[Done]]
    grave: bool = False
    """Whether the person must have signed in within the last minutes."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One row of the table of a site. `role` is the weakest that may see it, or the scope that it needs."""

    path: str
    title: str
    role: str
    read: Callable[[Visit], Awaitable[Page | Answer]]
    """Returns the page, or what is sent instead of one."""
    acts: tuple[Act, ...] = ()
    listed: bool = True
    """Whether the navigation has it."""
    export: Callable[[Visit], Awaitable[Exported]] | None = None
    """Returns what the screen shows as rows; the path followed by `.csv` gives them."""
    max_body: int | None = None
    """The octets of a form, if it may be larger than others; it is read for a person who is signed in alone."""

    def act(self, name: str) -> Act | None:
        """Return the act of this name."""
        return next((each for each in self.acts if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Site:
    """Screens with one navigation, one sign-in and sessions of their own, such as the operator console."""

    application: SiteApplication
    title: str
    """What follows the name of the operator of the service on each page."""
    roles: tuple[str, ...]
    """Weakest first: each may do what those before it may. The first one reaches nothing."""
    role_of: Callable[[Settings, Account], str]
    how_to_get_a_role: Callable[[Account], str]
    """Returns the text for a person who does not reach a screen."""
    screens: tuple[Screen, ...]
    setting: str | None = None
    """The setting without which the site is not served."""
    admit: Callable[[Service, RequestContext, Session, Account], Awaitable[Admitted | None]] | None = None
    """Checks limits and rules, and returns for which application the person works; then the screens need scopes of it."""
    under: tuple[tuple[str, str], ...] = ()
    """Packages and style sheets that precede that of all sites; `over` those that follow it."""
    over: tuple[tuple[str, str], ...] = ()
    sign_up: tuple[str, str] | None = None
    """The setting by which new people make themselves an account, and the path where they do."""
    script: tuple[str, str] | None = None
    """Package and file of the one script that its pages may run."""

    @property
    def name(self) -> str:
        """The name of the site, in the audit trail too."""
        return self.application.site

    @property
    def home(self) -> str:
        """The path of its first screen."""
        return self.application.path

    @property
    def sign_in_path(self) -> str:
        """Where its sign-in begins."""
        return f"{self.home}/sign-in"

    @property
    def sign_out_path(self) -> str:
        """Where its sessions end."""
        return f"{self.home}/sign-out"

    def may(self, role: str, needed: str) -> bool:
        """Return whether a role reaches what needs another."""
        return self.roles.index(role) >= self.roles.index(needed)
