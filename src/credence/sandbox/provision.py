"""Provisions the sandbox: credit data, applications, accounts (D18, D24).

Existing data stays unchanged, so a start completes an interrupted one, and credentials that a developer copied stay
valid. `sandbox.json` is written last, so everything in it exists.
"""

import datetime as dt
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, date_of
from credence.crypto.randomness import new_password
from credence.datasets import catalogue
from credence.datasets.fact_kinds import ACCOUNTS, REGISTER
from credence.datasets.loading.load import load, load_register
from credence.files import OWNER_ONLY, write_atomically
from credence.identity import accounts, applications
from credence.identity.password_policy import hash_new_password
from credence.sandbox import book, examples, roles, sandbox_file
from credence.sandbox.certificates import authority_of
from credence.sandbox.roles import AccountRole, ApplicationRole
from credence.sandbox.sandbox_file import SandboxFile
from credence.sandbox.scenarios import Credentials, ScenarioValues, scenarios
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.portfolios import RuleSetting

REGISTER_SAMPLE = Path(__file__).parent / "data" / "register-sample-2020-05-01.zip"
"""4,537 real rows of the register of May 2020; not a current register."""

_DATED_DAYS = 30
"""How long the invented companies keep their dates from start to start: a register appears every month."""

POLICY = Path(__file__).parent / "data" / "trade-credit.toml"
"""The example policy that a new sandbox gets."""


async def provision(
    settings: Settings, store: Store, digest_key: bytes, now: Milliseconds, list_rules: tuple[RuleSetting, ...] = ()
) -> SandboxFile:
    """Make everything that is missing and return the content of `sandbox.json`.

    `list_rules` are the rules of the list of customers, which is made at the first start.

    Raises Damaged when the file is unreadable.
    """
    kept = sandbox_file.read(settings.sandbox_file)
    load_samples(settings.credit_folder, now)
    _install_policy(settings.policy_folder)

    async def ensure(role: ApplicationRole, had: Credentials | None) -> Credentials:
        return await _ensure_application(store, role, had, settings.environment.prefix, digest_key, now)

    main = await ensure(roles.MAIN, Credentials(kept.client_id, kept.client_secret) if kept else None)
    standard = await ensure(
        roles.STANDARD,
        Credentials(kept.standard_client_id, kept.standard_client_secret) if kept else None,
    )
    others = {
        key: await ensure(role, kept.applications.get(key) if kept else None)
        for key, role in roles.APPLICATIONS.items()
    }
    password, service_password = _passwords(kept)
    # Accounts with the same password share a hash.
    hashed = cache(partial(hash_new_password, settings.password_profile))
    for role in (roles.USER, *roles.SUPPORTING):
        await _ensure_account(store, role, lambda: hashed(password), main.client_id, now, reset=kept is None)
    await _ensure_account(
        store, roles.SERVICE, lambda: hashed(service_password), main.client_id, now, reset=kept is None
    )
    if kept is None:
        await book.ensure_book(store, main.client_id, list_rules, now)
    values = ScenarioValues(main, others, password, settings.support_email, settings.spike_status)
    contents = SandboxFile(
        base_url=settings.issuer,
        ca_file=str(authority) if (authority := authority_of(settings)) else None,
        client_id=main.client_id,
        client_secret=main.client_secret,
        standard_client_id=standard.client_id,
        standard_client_secret=standard.client_secret,
        made=_made(kept, date_of(now)),
        username=roles.USER.username,
        password=password,
        service_username=roles.SERVICE.username,
        service_password=service_password,
        company_number=examples.FIRST,
        real_company_number=examples.REAL,
        scenarios=scenarios(values),
        applications=others,
    )
    if contents != kept:
        sandbox_file.write(settings.sandbox_file, contents)
    return contents


def load_samples(folder: Path, now: Milliseconds) -> None:
    """Load the shipped data of each source that is neither loaded here nor published by another node."""
    found = catalogue.read(folder)
    loaded = {*found.sources, *found.pending}
    if REGISTER not in loaded:
        load_register([REGISTER_SAMPLE], folder, now)
    if ACCOUNTS.source not in loaded:
        # Imported late: a start with loaded data does not need the readers of accounts.
        from credence.sandbox import demonstration_accounts

        load(demonstration_accounts.SOURCE, [], folder, now)


def _made(kept: SandboxFile | None, today: dt.date) -> dt.date:
    """Return the day from which the invented companies are dated: that of an earlier start, unless it is too long ago."""
    made = kept.made if kept else None
    return today if made is None or not 0 <= (today - made).days <= _DATED_DAYS else made


def _install_policy(folder: Path) -> None:
    """Install the example policy, unless the folder of policies exists."""
    if not folder.exists():
        folder.mkdir(mode=0o700)
        write_atomically(folder / POLICY.name, POLICY.read_bytes(), OWNER_ONLY)


def _passwords(kept: SandboxFile | None) -> tuple[str, str]:
    return (kept.password, kept.service_password) if kept else (new_password(), new_password())


async def _ensure_application(
    store: Store, role: ApplicationRole, had: Credentials | None, prefix: str, digest_key: bytes, now: Milliseconds
) -> Credentials:
    """Return the credentials of an application, which is registered or gets a new secret unless it has those of `had`."""
    if had is not None and await store.application(had.client_id) is not None:
        return had
    # A start that was interrupted has registered it, but not written its secret to `sandbox.json`.
    incomplete = next((each for each in await store.applications() if each.name == role.name), None)
    if incomplete is not None:
        application, secret = applications.rotate_secret(incomplete, prefix, digest_key, now, old_until=now)
    else:
        application, secret = applications.register(role.name, prefix, digest_key, now)
        application = msgspec.structs.replace(
            application,
            access_token_lifetime=role.access_token_lifetime,
            spike_per_minute=role.spike_per_minute,
            authentication=role.authentication,
            grants=role.grants,
            rules=role.rules,
            owner=roles.USER.username if role.in_portal else "",
        )
    await store.save_application(application, now)
    return Credentials(application.client_id, secret)


async def _ensure_account(
    store: Store, role: AccountRole, password_hash: Callable[[], str], main: str, now: Milliseconds, *, reset: bool
) -> None:
    """Register an account, or reset its password; `main` is the client_id of the main application."""
    found = await store.account(role.username)
    if found is not None and not reset:
        return
    if found is not None:
        account = accounts.with_password(found, password_hash(), now)
    else:
        email, first_name, last_name = role.profile
        account = accounts.register(
            role.username,
            role.type,
            password_hash(),
            now,
            email=email,
            first_name=first_name,
            last_name=last_name,
        )
        account = msgspec.structs.replace(
            account,
            status=role.status,
            rules=role.rules,
            console_role=role.console_role,
            workbench_for=main if role.workbench else "",
        )
    await store.save_account(account, now)
