"""Registers the sites as applications of this service, so that people sign in to them as to any application (D27, D30)."""

from dataclasses import dataclass
from typing import Final

import msgspec

from credence import paths
from credence.clock import Milliseconds
from credence.crypto.randomness import credential_prefix
from credence.identity.sessions import SiteName
from credence.management.application_fields import SIGN_IN_POLICIES
from credence.settings import Environment, Settings
from credence.store.contract import Conflict, Store
from credence.store.records import Application, SignInPolicy

MOST_ADDRESSES = 32
"""The largest number of addresses of one site, those of nodes that are gone included."""

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class SiteApplication:
    """The registration of a site.

    The site gets no tokens: a code proves who signed in, and the site redeems it in its own process.
    """

    site: SiteName
    name: str
    path: str
    """The path of its first screen; the paths of its sign-in are below it."""
    apart: bool = False
    """Whether it is served at the address of the management API."""
    sign_in: SignInPolicy = "password"
    """The least authentication of its people outside the sandbox."""

    @property
    def signed_in_path(self) -> str:
        """The path to which people return after signing in."""
        return f"{self.path}/signed-in"

    def client_id(self, settings: Settings) -> str:
        """Return the site's client_id, which is the same for the life of a deployment."""
        return f"{credential_prefix(settings.environment.prefix, 'app')}{self.site}"

    def redirect_uri(self, settings: Settings) -> str:
        """Return the redirect URI, to which people return after signing in."""
        return f"{settings.console_url if self.apart else settings.issuer}{self.signed_in_path}"

    def redirect_uris(self, settings: Settings, registered: tuple[str, ...]) -> tuple[str, ...]:
        """Return the redirect URIs of all nodes: those that are registered, and that of this node.

        Only at the address of the management API do nodes of a shared store differ. If there are too many, the oldest leave.
        """
        own = self.redirect_uri(settings)
        if not self.apart or not settings.store:
            return (own,)
        known = tuple(each for each in registered if each.endswith(self.signed_in_path))
        return known if own in known else (*known, own)[-MOST_ADDRESSES:]


CONSOLE: Final = SiteApplication("console", "Operator console", paths.CONSOLE, apart=True, sign_in="factor")
DEVELOPERS: Final = SiteApplication("developers", "Developer portal", paths.DEVELOPERS)

WORKBENCH: Final = SiteApplication("workbench", "Credit workbench", paths.WORKBENCH)


SITES: Final = (CONSOLE, DEVELOPERS, WORKBENCH)


def site_of(application: Application, settings: Settings) -> SiteApplication | None:
    """Return the site whose application this is; None for any other application."""
    return next((site for site in SITES if site.client_id(settings) == application.client_id), None)


def as_registered(site: SiteApplication, settings: Settings, found: Application) -> Application:
    """Return the site's application with what operators may set taken from `found`, and all else as the site needs it.

    Operators may set networks, hours, rate and a stronger sign-in, disable it, end its logins, and take away addresses of
    other nodes.
    """
    least: SignInPolicy = "password" if settings.environment is Environment.SANDBOX else site.sign_in
    return Application(
        found.client_id,
        site.name,
        (),
        created_at=found.created_at,
        version=found.version,
        authentication="none",
        grants=("authorization_code",),
        scopes=("openid",),
        redirect_uris=site.redirect_uris(settings, found.redirect_uris),
        sign_in=max(found.sign_in, least, key=SIGN_IN_POLICIES.index),
        first_party=True,
        spike_per_minute=found.spike_per_minute,
        rules=found.rules,
        disabled=found.disabled,
        not_before=found.not_before,
    )


async def register_site(store: Store, settings: Settings, site: SiteApplication, now: Milliseconds) -> None:
    """Register a site, or repair its registration; what operators may set is kept (D40)."""
    client_id = site.client_id(settings)
    for attempt in range(_ATTEMPTS):
        found = await store.application(client_id)
        changed = as_registered(site, settings, found or Application(client_id, site.name, (), created_at=now))
        if changed == found:
            return
        if found is not None:
            changed = msgspec.structs.replace(changed, version=found.version + 1)
        try:
            await store.save_application(changed, now)
        except Conflict:  # another process registers it, perhaps with another address
            if attempt == _ATTEMPTS - 1:
                raise
        else:
            return
