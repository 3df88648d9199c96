"""Measures the screens of the developer portal and of the credit workbench in the deployment of `screens` (D30)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from credence.clock import DAY_MS
from credence.crypto.randomness import new_portfolio_id
from credence.datasets.loading.load import load_register
from credence.identity.sessions import new_session
from credence.monitoring.portfolios import watch
from credence.monitoring.rows import company_of
from credence.monitoring.rules import DEFAULT_RULES
from credence.settings import Settings
from credence.sites.developers.site import DEVELOPERS
from credence.sites.kit.screen import Site
from credence.sites.kit.session import cookie_of
from credence.sites.workbench.site import WORKBENCH
from credence.store.contract import Store
from credence.store.portfolios import Portfolio
from credence.store.records import Account, Application
from tests.datasets.snapshots import company, write
from tests.deployment import NOW, Deployment

OWN = 20
"""Applications of the developer, the most that one may have; the others are of other people."""

COMPANIES = 3_000
"""Companies of the list, the most that a page sorts."""

_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Visited:
    """The paths of a site, and the field with the cookie of a person who is signed in there."""

    site: Site
    paths: Sequence[str]
    fields: Sequence[tuple[str, str]]


def load_companies(folder: Path) -> None:
    """Load a register with the companies of the list, before the deployment opens it."""
    rows = (
        company(number, f"COMPANY {number} LIMITED", CompanyCategory="Private Limited Company") for number in _numbers()
    )
    credit = Settings(data_dir=folder).credit_folder
    credit.mkdir(parents=True, exist_ok=True)
    load_register([write(folder / "register.csv", *rows)], credit, NOW)


def owned(applications: Sequence[Application], owner: str) -> list[Application]:
    """Return the applications, of which the first ones belong to a developer."""
    return [
        msgspec.structs.replace(each, owner=owner, grants=("client_credentials",)) if place < OWN else each
        for place, each in enumerate(applications)
    ]


async def visited(main: Deployment, person: Account, client_id: str, request_id: str) -> list[Visited]:
    """Make the list of the person, and return both sites with every path that shows something."""
    store = main.store
    await store.save_account(msgspec.structs.replace(person, workbench_for=client_id), NOW)
    list_id = await _filled_list(store, client_id)
    number = next(iter(_numbers()))
    values = {
        "client_id": client_id,
        "request_id": request_id,
        "operation": "company_report",
        "portfolio": list_id,
        "company": number,
        "company_number": number,
        "tab": "accounts",
    }
    further = {
        WORKBENCH: (f"{WORKBENCH.home}?q=company+000", f"{WORKBENCH.home}/lists/{list_id}?order=name&q=999"),
        DEVELOPERS: (f"{DEVELOPERS.home}/log?q=status:4xx+since:1d",),
    }
    found = []
    for site in (DEVELOPERS, WORKBENCH):
        known = [each.path for each in site.screens if not {"webhook", "number", "event"} & _names(each.path)]
        paths = [each.format_map(values) for each in known if _names(each) <= values.keys()]
        session, cookie = new_session(
            main.service.authority.secrets.refresh,
            person,
            "pwd otp",
            "bench",
            NOW,
            DAY_MS,
            site.application.site,
        )
        await store.open_session(session, msgspec.structs.replace(person, workbench_for=client_id))
        found.append(Visited(site, [*paths, *further[site]], [("Cookie", f"{cookie_of(site)}={cookie}")]))
    return found


async def _filled_list(store: Store, client_id: str) -> str:
    made = Portfolio(new_portfolio_id(), client_id, "Customers", NOW, rules=DEFAULT_RULES)
    await store.save_portfolio(made)
    numbers = list(_numbers())
    for start in range(0, COMPANIES, _AT_ONCE):
        rows = [
            company_of(each, f"C-{each}", str(int(each) * 7 % 90_000), "GBP", "")
            for each in numbers[start : start + _AT_ONCE]
        ]
        await watch(store, made.id, rows, start)
    return made.id


def _numbers() -> Sequence[str]:
    return [f"{1_000_000 + number:08}" for number in range(COMPANIES)]


def _names(path: str) -> set[str]:
    return {part.strip("{}") for part in path.split("/") if part.startswith("{")}
