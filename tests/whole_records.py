"""An application and an account in which every field that no operator chooses has a value other than its default (D40).

A test that changes such a record by an act of management compares these fields before and after.
"""

from typing import Any, TypeVar

import msgspec

from credence.management.application_fields import OPTIONS
from credence.store.records import Account, Application, ApplicationClock, ClientSecret, ClockMove, Registration

T = TypeVar("T", Account, Application)

MADE = 1_600_000_000_000

KEPT_OF_APPLICATION: dict[str, Any] = {
    "client_id": "crd_sbx_app_kept",
    "secrets": (ClientSecret(b"s" * 32, MADE), ClientSecret(b"t" * 32, MADE - 1, MADE + 1)),
    "created_at": MADE,
    "registration": Registration(b"r" * 32, ("client_credentials",), ("credit:report",), ("sign_in",), unverified=True),
    "document_digest": b"d" * 16,
    "owner": "grace",
    "clock": ApplicationClock((ClockMove(MADE, 60_000),), resets=3),
    "not_before": MADE + 5,
}
"""The fields of an application that no operator chooses, except its version."""

CHOSEN_OF_APPLICATION = {"name", "disabled", "rules", *(option.field for option in OPTIONS)}

KEPT_OF_ACCOUNT: dict[str, Any] = {
    "username": "kept",
    "password_hash": "$scrypt$none",
    "created_at": MADE,
    "password_version": 7,
    "profile_updated_at": MADE + 3,
    "console_role": "support",
    "workbench_for": "crd_sbx_app_kept",
    "developer": True,
    "issuers": "employer",
    "not_before": MADE + 5,
}
"""The fields of an account that no option of an operator sets, except its version."""

OF_ANOTHER_ADDRESS = ("profile_updated_at",)
"""What a change of the mail address changes too."""

CHOSEN_OF_ACCOUNT = {"type", "status", "sign_in", "email", "email_verified", "first_name", "last_name", "rules"}


def whole_application() -> Application:
    """Return an application that has a value in every field that no operator chooses."""
    _require_all(Application, KEPT_OF_APPLICATION, CHOSEN_OF_APPLICATION)
    return Application(name="Kept", grants=("client_credentials",), scopes=("credit:report",), **KEPT_OF_APPLICATION)


def whole_account() -> Account:
    """Return an account that has a value in every field that no option of an operator sets."""
    _require_all(Account, KEPT_OF_ACCOUNT, CHOSEN_OF_ACCOUNT)
    return Account(type="user", **KEPT_OF_ACCOUNT)


def require_kept(before: T, after: T | None, *changed: str) -> T:
    """Fail unless `after` has all that no operator chooses from `before`, except the fields that the act is to change."""
    assert after is not None
    assert after.version > before.version, "the act has changed nothing"
    kept = KEPT_OF_ACCOUNT if isinstance(before, Account) else KEPT_OF_APPLICATION
    for name in kept.keys() - set(changed):
        found, had = getattr(after, name), getattr(before, name)
        if name == "registration":  # what the operator sets is marked there (threats E10)
            found, had = (msgspec.structs.replace(each, settled=()) for each in (found, had))
        assert found == had, name
    return after


def _require_all(kind: Any, kept: dict[str, Any], chosen: set[str]) -> None:
    """Fail if a field of the record is in neither list, or in both, or has its default here."""
    fields = {each.name: each.default for each in msgspec.structs.fields(kind)}
    assert kept.keys() | chosen | {"version"} == fields.keys()
    assert not kept.keys() & chosen
    assert not [name for name, value in kept.items() if value == fields[name]]
