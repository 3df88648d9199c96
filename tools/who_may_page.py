"""`docs/who-may.md`: who may do each operation, and how, from the declarations of `operations/`."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from credence.operations.operation import Operation
from credence.operations.reading import Reading
from credence.operations.table import OPERATIONS
from credence.sites.console.table import CONSOLE
from credence.sites.developers.site import DEVELOPERS
from credence.sites.kit.screen import Site
from tools.ways_page import api_of

_PAGE = """\
# Who may do what

Generated from the declarations in `operations/` by `python -m tools.generate`.

An operation is the same by command, management API, console and portal (D41): its declaration says who may do it.

- *Scope*: what an access token needs at the API: the [management API](management.md), or the one in which applications \
act on what is their own.
- *Role*: what a person needs in the [console](console.md), and with an access token as well; each role may do what those \
before it may: `reader`, `support`, `operator`, `owner`.
- *Sign-in*: what a person needs who must have signed in within the last ten minutes.
- *Developers*: who may do it in the [portal](developers.md) as well, with what they made themselves.
- *Forms*: the sites that have a form or button for it.
- Who replaces or changes an object as a whole also needs what the change of each part needs.
- The command line of the machine may do everything: who runs it can read the keys.

Limits of single objects come on top: no one acts on an account with a stronger role than their own, only who may manage \
the service touches an application that may, and what belongs to the product's own sites is \
[protected](management.md#what-is-protected).

{tables}
"""

_SUBJECTS = {
    "app": "Applications",
    "account": "Accounts",
    "clock": "Test clocks",
    "keys": "Signing keys",
    "score": "Scoring runs",
    "policy": "Policies",
    "signal": "Streams of signals",
    "webhook": "Webhooks",
    "portfolio": "Portfolios",
    "alert": "Alerts",
    "limit": "Approved limits",
    "book": "The book",
    "settings": "The service",
    "doctor": "The service",
}
_COLUMNS = ("Operation", "Command", "API", "Scope", "Role", "Sign-in", "Developers", "Forms")


def render() -> str:
    """Return the page."""
    tables = groupby(OPERATIONS, key=_subject)
    parts: dict[str, list[Operation | Reading]] = {}
    for subject, found in tables:
        parts.setdefault(subject, []).extend(found)
    return _PAGE.format(tables="\n\n".join(f"## {subject}\n\n{_table(found)}" for subject, found in parts.items()))


def _subject(declared: Operation | Reading) -> str:
    return _SUBJECTS.get((declared.name.split(" ")[0] or str(declared.api)), "Sources of credit data")


def _table(found: Sequence[Operation | Reading]) -> str:
    rows = [_COLUMNS, ["---"] * len(_COLUMNS), *map(_row, found)]
    reasons = list(_reasons(found))
    lines = ["| " + " | ".join(each) + " |" for each in rows]
    return "\n".join([*lines, *(["", *reasons] if reasons else [])])


def _row(declared: Operation | Reading) -> list[str]:
    access = declared.access
    site = declared.site_only if isinstance(declared, Operation) else ""
    method, _, path = api_of(declared).partition(" ")
    return [
        declared.title,
        f"`{declared.name}`" if declared.is_command else "",
        f"`{method} {declared.on.base}/{path}`" if path else "",
        f"`{access.scope}`" if path else "",
        access.role if not site else "",
        "ten minutes" if access.recent else "",
        "their own" if access.owner and site != "workbench" else "",
        site or (", ".join(_sites(declared)) if isinstance(declared, Operation) else ""),
    ]


def _sites(declared: Operation) -> Iterator[str]:
    for site in (CONSOLE, DEVELOPERS):
        if _has_form(site, declared):
            yield site.name


def _has_form(site: Site, declared: Operation) -> bool:
    if any(
        isinstance(each, Operation) and (each.slug, each.site_only) == (declared.slug, site.name) for each in OPERATIONS
    ):
        return False  # the form is that of another operation
    return any(act.name == declared.slug for screen in site.screens for act in screen.acts) and declared.is_command


def _reasons(found: Sequence[Operation | Reading]) -> Iterator[str]:
    """Yield why operations are not in the management API."""
    for each in found:
        if isinstance(each, Operation) and each.here_only:
            yield f"- *{each.title}*: {each.here_only}"
