"""Operations of developers on their own applications in the portal, and the kinds of applications (D25, D30)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec

from credence.clock import Milliseconds
from credence.errors import InvalidInput
from credence.identity import applications
from credence.management.application_fields import configured
from credence.oauth.parameters.scopes import API_SCOPES, EMAIL, MONITOR, OFFLINE_ACCESS, OPENID, PROFILE
from credence.settings import Environment, Settings
from credence.store.contract import Store
from credence.store.records import Account, Application

MAX_APPLICATIONS = 20
"""Maximum number of applications of one developer.

A page lists them all, and a search of the log uses an index of each.
"""

MAX_NAME_CHARACTERS = 80

_ALGORITHM = "ES256"
"""Signs access tokens of applications made here, unless the operator chose another algorithm for all of them (D5).

None of the kinds has the password grant, whose existing clients check for RS256.
"""

_PEOPLE = ("authorization_code", "refresh_token")
_OF_PEOPLE = (OPENID, PROFILE, EMAIL, OFFLINE_ACCESS, *API_SCOPES)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of application, and the grants and authentication that it gets."""

    name: str
    what: str
    grants: tuple[str, ...]
    authentication: str
    application_type: str = "web"
    scopes: tuple[str, ...] = _OF_PEOPLE

    @property
    def text(self) -> str:
        """The name, and what the kind is for."""
        return f"{self.name}: {self.what}"

    @property
    def has_people(self) -> bool:
        """Whether people sign in to it, so that it needs redirect URIs."""
        return "authorization_code" in self.grants


KINDS: Mapping[str, Kind] = {
    "machine": Kind(
        "Machine-to-machine",
        "a service that calls the API for itself",
        ("client_credentials",),
        "client_secret_basic",
        scopes=(*API_SCOPES, MONITOR),
    ),
    "web": Kind(
        "Web",
        "a server that people sign in to",
        _PEOPLE,
        "client_secret_basic",
        scopes=(*_OF_PEOPLE, MONITOR),
    ),
    "page": Kind("Single-page app", "a page in the browser, without a server", _PEOPLE, "none"),
    "native": Kind("Native app", "a program on a phone or computer", _PEOPLE, "none", "native"),
}


def may_develop(settings: Settings, account: Account) -> bool:
    """Return whether the person may use the developer portal."""
    if account.type != "user" or settings.developer_access == "off":
        return False
    domain = (account.email or "").rpartition("@")[2].casefold()
    return (
        settings.developer_access == "all"
        or account.developer
        or domain in map(str.casefold, settings.developer_domains)
    )


def kind_of(application: Application) -> str:
    """Return the name of the kind that is most similar to the application."""
    if "authorization_code" not in application.grants:
        return "machine"
    if not applications.is_public(application):
        return "web"
    return "native" if application.application_type == "native" else "page"


async def applications_of(store: Store, username: str) -> list[Application]:
    """Return the applications that this person made, the newest first."""
    return sorted(await store.applications_owned_by(username), key=lambda each: each.created_at, reverse=True)


def make(settings: Settings, owner: str, kind: str, name: str, uris: Sequence[str], now: Milliseconds) -> Application:
    """Return a new application of this kind, without a secret; InvalidInput for an impossible combination.

    Outside the sandbox it is disabled until an operator has reviewed it.
    """
    chosen, environment = KINDS[kind], settings.environment.prefix
    values: dict[str, object] = {
        "grants": chosen.grants,
        "scopes": chosen.scopes,
        "authentication": chosen.authentication,
        "application_type": chosen.application_type,
    }
    if settings.algorithm == "RS256" and _ALGORITHM in settings.algorithms:
        values["algorithm"] = _ALGORITHM
    if chosen.has_people:
        values["redirect_uris"] = uris
    if kind == "page":
        values["origins"] = tuple(map(_origin, uris))
    application = configured(applications.without_secret(name, environment, now), values)
    disabled = settings.environment is not Environment.SANDBOX
    return msgspec.structs.replace(application, owner=owner, disabled=disabled)


def checked_name(text: str) -> str:
    """Return a valid name for an application; raises InvalidInput with the reason."""
    name = text.strip()
    if not name:
        raise InvalidInput("An application needs a name.")
    if len(name) > MAX_NAME_CHARACTERS:
        raise InvalidInput(f"A name has at most {MAX_NAME_CHARACTERS} characters.")
    if not name.isprintable():
        raise InvalidInput("A name is text of one line, without characters that draw nothing.")
    return name


def _origin(uri: str) -> str:
    try:
        parts = urlsplit(uri)
    except ValueError:  # brackets without an address between them
        return uri
    return f"{parts.scheme}://{parts.netloc}"
