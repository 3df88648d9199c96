"""The desired state of a deployment: a file that lists applications, accounts and trusted issuers as they should be (D30).

The whole file is read and checked before anything is changed. A member that the file omits has its default, so the file is
the complete choice of the operator; it contains no secrets and passwords. Those that the file does not list are unchanged,
unless the operator prunes. Applying a file twice changes nothing.

The operator who applies a file counts as an owner. Applications of the product's own sites and accounts of owners are
never pruned, and what the product has set of the former cannot be changed (`protected.py`).
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from credence.clock import Milliseconds
from credence.errors import OperatorError, UnusableContent
from credence.identity.usernames import check_login_name
from credence.management import accounts, applications, issuers
from credence.management.application_schema import ApplicationBody
from credence.management.issuer_schema import IssuerBody
from credence.management.protected import is_protected, require_changeable
from credence.management.schema import AccountBody
from credence.oauth.trusted_issuers.verifying import are_apart
from credence.settings import Settings
from credence.store.records import Account, Application
from credence.store.trusted_issuers import TrustedIssuer

MAX_FILE_BYTES = 4_000_000

Act = Literal["create", "change", "disable", "suspend"]
Record = Application | Account | TrustedIssuer
Body = ApplicationBody | AccountBody | IssuerBody


class DesiredApplication(ApplicationBody, forbid_unknown_fields=True, kw_only=True):
    """An application of the file, found by its client_id, else by its name."""

    client_id: str | UnsetType = UNSET


class DesiredState(msgspec.Struct, frozen=True):
    """The content of a file."""

    applications: tuple[DesiredApplication, ...]
    accounts: tuple[tuple[str, AccountBody], ...]
    """The accounts by login name."""
    issuers: tuple[tuple[str, IssuerBody], ...] | None = None
    """The trusted issuers by short name; None for a file without that table, as files were before there was one."""


class Present(NamedTuple):
    """What the deployment has."""

    applications: Sequence[Application]
    accounts: Sequence[Account]
    issuers: Sequence[TrustedIssuer] = ()


@dataclass(frozen=True, slots=True)
class MemberChange:
    """One member that differs."""

    member: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class Step:
    """One application, account or trusted issuer that must be made or changed."""

    act: Act
    found: Record | None
    """The present one; None for a new one."""
    body: Body
    """The desired configuration."""
    name: str
    """The login name of an account, the name of an application, the short name of an issuer."""
    changes: tuple[MemberChange, ...] = ()

    @property
    def kind(self) -> str:
        """What it is about."""
        if isinstance(self.body, IssuerBody):
            return "issuer"
        return "account" if isinstance(self.body, AccountBody) else "application"


def read_desired(content: bytes) -> DesiredState:
    """Return the content of a TOML file; raises UnusableContent, which names the unusable entry."""
    try:
        file = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnusableContent(f"The file is not TOML: {error}") from None
    unknown = sorted(file.keys() - set(DesiredState.__struct_fields__))
    if unknown:
        raise UnusableContent(f"The file has tables applications, accounts and issuers, and no {unknown[0]!r}.")
    trusted = ((name, _converted(table, IssuerBody, f"issuers.{name}")) for name, table in _tables(file, "issuers"))
    found = DesiredState(
        tuple(
            _converted({"name": name, **table}, DesiredApplication, f"applications.{name}")
            for name, table in _tables(file, "applications")
        ),
        tuple(
            (check_login_name(name), _converted(table, AccountBody, f"accounts.{name}"))
            for name, table in _tables(file, "accounts")
        ),
        tuple(trusted) if "issuers" in file else None,
    )
    _require_different((name for name, _ in found.accounts), "username")
    return found


def plan(
    state: DesiredState,
    present: Present,
    settings: Settings,
    now: Milliseconds,
    *,
    prune: bool = False,
) -> list[Step]:
    """Return the steps that make the deployment as desired, in the order of the file; empty if it is.

    With `prune`, applications and issuers that the file does not list are disabled, and active accounts suspended: none is
    deleted, and all can be undone; `kept_from_pruning` names those that stay. A file without a table of issuers disables
    none, because passwords set here would count again. Raises UnusableContent for an entry that cannot work.
    """
    known = {each.username: each for each in present.accounts}
    steps, named = list[Step](), set[str]()
    for desired in state.applications:
        found = _named(desired, present.applications)
        if found is not None and found.client_id in named:
            raise UnusableContent(f"The file has two entries for the application {desired.name!r}.")
        named.add(found.client_id if found else "")
        with_name = f"applications.{desired.name}"
        steps += _step_for_application(found, _body(desired), settings, now, with_name)
    _require_different((each.name for each in state.applications if each.client_id is UNSET), "application")
    for username, body in state.accounts:
        steps += _step_for_account(known.get(username), username, body, now)
    steps += _steps_for_issuers(state.issuers or (), present.issuers, now)
    if prune:
        unlisted = [each for each in _unlisted(state, present) if not is_protected(each, settings)]
        steps += [_pruning(each) for each in (*unlisted, *_unlisted_issuers(state, present))]
    return steps


def kept_from_pruning(state: DesiredState, present: Present, settings: Settings) -> list[str]:
    """Return what the file does not list and pruning leaves as it is, each with the reason."""
    reasons = [
        f"the account {each.username}, which is an owner's"
        if isinstance(each, Account)
        else f"the application {each.name}, which the service itself made"
        for each in _unlisted(state, present)
        if is_protected(each, settings)
    ]
    if state.issuers is None:
        no_table = "because the file has no table issuers"
        reasons += [f"the issuer {each.id}, {no_table}" for each in present.issuers if not each.disabled]
    return [f"Not pruned: {each}." for each in reasons]


def _step_for_application(
    found: Application | None, body: ApplicationBody, settings: Settings, now: Milliseconds, place: str
) -> Iterator[Step]:
    try:
        prefix = settings.environment.prefix
        if found is None:
            desired = applications.new_application(body, prefix, now)
        else:
            desired = applications.configured_by(found, body, settings, now)
            require_changeable(found, desired, settings, by_owner=True)
        applications.require_offered(settings, desired)
    except OperatorError as error:
        raise UnusableContent(f"{place}: {error}") from None
    if found is None:
        yield Step("create", None, body, body.name, _changes(None, applications.body_of(desired)))
    elif desired != found:
        changes = _changes(applications.body_of(found), applications.body_of(desired))
        yield Step("change", found, body, found.name, changes)


def _step_for_account(found: Account | None, username: str, body: AccountBody, now: Milliseconds) -> Iterator[Step]:
    try:
        desired = accounts.configured_by(found, body, now) if found else accounts.new_account(username, body, "", now)
    except OperatorError as error:
        raise UnusableContent(f"accounts.{username}: {error}") from None
    if found is None:
        yield Step("create", None, body, username, _changes(None, accounts.body_of(desired)))
    elif desired != found:
        yield Step("change", found, body, username, _changes(accounts.body_of(found), accounts.body_of(desired)))


def _steps_for_issuers(
    wanted: Sequence[tuple[str, IssuerBody]], present: Sequence[TrustedIssuer], now: Milliseconds
) -> Iterator[Step]:
    """Yield the steps for trusted issuers. Raises UnusableContent also if a token could be of two of them."""
    known = {each.id: each for each in present}
    after = dict(known)
    for identity, body in wanted:
        found = known.get(identity)
        try:
            made = issuers.new_issuer(identity, body, now) if found is None else issuers.reconfigured_by(found, body)
        except OperatorError as error:
            raise UnusableContent(f"issuers.{identity}: {error}") from None
        if any(each.id != identity and not are_apart(each, made) for each in after.values()):
            raise UnusableContent(
                f"issuers.{identity}: another has this issuer, and no required claim distinguishes them."
            )
        after[identity] = made
        if found is None:
            yield Step("create", None, body, identity, _changes(None, issuers.body_of(made)))
        elif made != found:
            yield Step("change", found, body, identity, _changes(issuers.body_of(found), issuers.body_of(made)))


def _unlisted(state: DesiredState, present: Present) -> Iterator[Application | Account]:
    """Yield the enabled applications and active accounts that the file does not list."""
    listed = [_named(desired, present.applications) for desired in state.applications]
    client_ids = {each.client_id for each in listed if each is not None}
    yield from (each for each in present.applications if each.client_id not in client_ids and not each.disabled)
    usernames = {username for username, _ in state.accounts}
    yield from (each for each in present.accounts if each.username not in usernames and each.status == "active")


def _unlisted_issuers(state: DesiredState, present: Present) -> Iterator[TrustedIssuer]:
    """Yield the enabled issuers that the table of issuers lacks; none for a file without that table."""
    if state.issuers is not None:
        listed = {identity for identity, _ in state.issuers}
        yield from (each for each in present.issuers if each.id not in listed and not each.disabled)


def _pruning(unlisted: Record) -> Step:
    if isinstance(unlisted, TrustedIssuer):
        off = msgspec.structs.replace(issuers.body_of(unlisted), disabled=True)
        return Step("disable", unlisted, off, unlisted.id, (MemberChange("disabled", False, True),))
    if isinstance(unlisted, Account):
        suspended = msgspec.structs.replace(accounts.body_of(unlisted), status="suspended")
        change = MemberChange("status", "active", "suspended")
        return Step("suspend", unlisted, suspended, unlisted.username, (change,))
    disabled = msgspec.structs.replace(applications.body_of(unlisted), disabled=True)
    return Step("disable", unlisted, disabled, unlisted.name, (MemberChange("disabled", False, True),))


def _changes(before: Body | None, desired: Body) -> tuple[MemberChange, ...]:
    """Return the members that differ, with both values, including defaults; for something new, the members given."""
    if before is None:
        return tuple(MemberChange(name, None, value) for name, value in msgspec.to_builtins(desired).items())
    had, has = _members(before), _members(desired)
    return tuple(MemberChange(name, had.get(name), value) for name, value in has.items() if had.get(name) != value)


def _members(body: Body) -> dict[str, Any]:
    """Return every member, including those with their default."""
    return {
        name: None if value is UNSET else msgspec.to_builtins(value)
        for name, value in msgspec.structs.asdict(body).items()
    }


def _named(desired: DesiredApplication, present: Sequence[Application]) -> Application | None:
    if desired.client_id is not UNSET:
        for each in present:
            if each.client_id == desired.client_id:
                return each
        raise UnusableContent(f"There is no application {desired.client_id!r}: leave client_id out to have it made.")
    found = [each for each in present if each.name == desired.name]
    if len(found) > 1:
        raise UnusableContent(f"Several applications have the name {desired.name!r}: say which by client_id.")
    return found[0] if found else None


def _body(desired: DesiredApplication) -> ApplicationBody:
    values = msgspec.structs.asdict(desired)
    del values["client_id"]
    return ApplicationBody(**values)


def _tables(file: Mapping[str, Any], name: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    tables = file.get(name, {})
    if not isinstance(tables, dict) or not all(isinstance(each, dict) for each in tables.values()):
        raise UnusableContent(f"{name} has one table for each entry, such as [{name}.Ledger].")
    return tables.items()


def _converted(table: Mapping[str, Any], model: Any, place: str) -> Any:
    try:
        return msgspec.convert(table, model)
    except msgspec.ValidationError as error:
        raise UnusableContent(f"{place}: {error}") from None


def _require_different(names: Iterable[str], kind: str) -> None:
    seen = set[str]()
    for name in names:
        if name in seen:
            raise UnusableContent(f"The file has two entries for the {kind} {name!r}.")
        seen.add(name)
