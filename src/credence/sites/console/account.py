"""The screen of one account: status, factors, sessions, logins and wrong passwords, and the acts of support (D14, D28)."""

from collections.abc import Mapping
from urllib.parse import quote

import msgspec

from credence import paths
from credence.blocks.values import Block, Cell, Facts, moment
from credence.identity.usernames import login_name
from credence.management.accounts import body_of
from credence.management.rules import described as rules_described
from credence.operations.access_rules import TypedRules
from credence.operations.account_access import end_all, let_into_portal, unlock
from credence.operations.accounts import close, set_profile, set_rules, set_sign_in, set_status
from credence.operations.incidents import end_everything_of_account
from credence.operations.inputs import members_of, plain_name
from credence.operations.logins import end_login, end_session, remove_factors, withdraw_consent
from credence.operations.operation import Operation
from credence.operations.password_links import reset_link
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.console import account_tables as tables
from credence.sites.console.accounts import LIST, STATUS_TONES
from credence.sites.kit.operation_forms import acts_of, dangerous_last, form_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.records import Account

PATH = f"{LIST}/{{username}}"
FORMS = (
    set_status,
    end_all,
    reset_link,
    remove_factors,
    set_profile,
    set_sign_in,
    set_rules,
    let_into_portal,
    end_everything_of_account,
    close,
)
_RULES = {each.name: each.label for each in members_of(TypedRules)}
"""Member of the rules -> what their form calls it."""

BUTTONS = (end_session, end_login, withdraw_consent, unlock)
"""The acts of the tables."""


async def read(visit: Visit) -> Page:
    """Return the screen of one account with its sessions, logins and consents."""
    found = await _found(visit)
    blocks: list[Block] = [
        Facts(
            "State",
            [
                ("State", Cell(found.status, tone=STATUS_TONES.get(found.status, "soft"))),
                ("Name", Cell(" ".join(each for each in (found.first_name, found.last_name) if each))),
                ("Email address", Cell(found.email or "")),
                ("Type", Cell("person" if found.type == "user" else "service")),
                ("A sign-in needs at least", Cell(found.sign_in)),
                ("Role in this console", Cell(found.console_role)),
                ("Registered", moment(found.created_at)),
                ("Tokens valid from", moment(found.not_before or None)),
                *(
                    (_RULES.get(name, plain_name(name)), Cell(_text(value)))
                    for name, value in rules_described(found.rules).items()
                ),
            ],
        ),
        await tables.guesses_of(visit, found),
        await tables.sessions_of(visit, found),
        await tables.logins_of(visit, found),
        await tables.consents_of(visit, found),
        await tables.factors_of(visit, found),
    ]
    blocks += _forms(found)
    return Page(
        found.username,
        blocks,
        f"credence account show {found.username}",
        above=("Accounts", LIST),
        links=(
            ("Requests in the log", f"{paths.CONSOLE}/log?q={quote(f'account:{found.username}')}"),
            ("Changes in the audit trail", f"{paths.CONSOLE}/audit?q={quote(found.username)}"),
        ),
    )


def _forms(found: Account) -> list[Block]:
    if found.status == "closed":
        return []
    rules = msgspec.to_builtins(body_of(found).rules)
    present: dict[Operation, Mapping[str, object]] = {
        set_status: {"status": found.status},
        set_sign_in: {"policy": found.sign_in},
        set_profile: msgspec.to_builtins(body_of(found)),
        let_into_portal: {"invited": found.developer},
        set_rules: rules,
    }
    return [*dangerous_last(form_of(each, found.username, present=present.get(each)) for each in FORMS)]


async def _found(visit: Visit) -> Account:
    found = await visit.service.authority.store.account(login_name(visit.request.segment))
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return found


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


ACCOUNT = Screen(
    PATH,
    "Account",
    "support",
    read,
    acts_of(PATH, *FORMS, *BUTTONS),
    listed=False,
)
