"""The developer's applications: the list, and the form that makes one."""

from collections.abc import Mapping
from typing import Final

from credence import paths
from credence.blocks.values import Block, Cell, Facts, Links, Note, Table, moment
from credence.errors import InvalidInput
from credence.management.developers import KINDS, checked_name, kind_of
from credence.operations.applications import OwnApplicationBody, make_own_application
from credence.operations.perform import perform
from credence.refusals.refusal import Refused
from credence.settings import Environment
from credence.sites.developers.own import NEW, address, own_applications
from credence.sites.developers.snippets import snippets
from credence.sites.developers.trying import address_of
from credence.sites.kit.operation_forms import acting_on_site, form_of
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.store.records import Application

_READ_ON: Final = Facts(
    "Where to go next",
    [
        ("Send a request", Cell("Try each call from here, with a token for your application", paths.DEVELOPERS_TRY)),
        ("Build a program", Cell("Guide for developers: sign-in, reports, monitoring", f"{paths.DOCS}/developers.md")),
        ("Look up a call", Cell("Reference, with examples in curl, Python and JavaScript", paths.DOCS)),
        ("Generate a client", Cell("OpenAPI 3.1", paths.OPENAPI)),
        ("Ask a language model", Cell("The documentation as one list", paths.LLMS)),
    ],
)


def state_of(application: Application) -> Cell:
    """Return a coloured cell that says whether the application may get tokens."""
    return Cell("disabled", tone="warn") if application.disabled else Cell("enabled", tone="good")


async def read_list(visit: Visit) -> Page:
    """Return the developer's applications; without any, the form that makes the first one."""
    rows = [
        [
            Cell(each.name, address(each.client_id)),
            Cell(KINDS[kind_of(each)].name),
            Cell(each.client_id, code=True),
            moment(each.created_at),
            state_of(each),
        ]
        for each in await own_applications(visit)
    ]
    columns = ("Name", "Kind", "client_id", "Created", "State")
    return Page(
        "Your applications",
        [
            Links("", [("Create an application", NEW)], is_action=True),
            Table(
                "Applications",
                columns,
                rows,
                "You have no applications yet. Create one to get a client_id and a working program.",
            ),
            _READ_ON,
        ],
        "",
    )


async def read_empty(visit: Visit) -> Page:
    """Return the empty form that makes an application."""
    blocks: list[Block] = []
    if visit.service.settings.environment is not Environment.SANDBOX:
        text = "An operator reviews each new application and enables it. It cannot get tokens until then."
        blocks.append(Note(text))
    blocks.append(form_of(make_own_application, present={"kind": "machine"}, shows_command=False))
    return Page("Create an application", blocks, "", above=("Your applications", paths.DEVELOPERS))


async def create(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Make an application, and show its credentials, which no later page shows."""
    settings = visit.service.settings
    try:
        name = checked_name(values.get("name", ""))
    except InvalidInput as error:
        raise InvalidForm(str(error), "name") from None
    kind, uris = values.get("kind", ""), values.get("redirect_uris", "").split()
    if kind not in KINDS:
        raise InvalidForm("Choose the type of application.", "kind")
    if KINDS[kind].has_people and not uris:
        raise InvalidForm("Enter a redirect URI. People sign in to this type of application.", "redirect_uris")
    if uris and not KINDS[kind].has_people:
        raise InvalidForm(
            "Leave this empty. Machine-to-machine applications do not use redirect URIs.", "redirect_uris"
        )
    body = OwnApplicationBody(name, kind, uris)
    try:
        outcome = await perform(make_own_application, acting_on_site(visit), "", body)
    except InvalidInput as error:
        raise InvalidForm(str(error), "redirect_uris" if uris else "") from None
    except Refused as refused:
        if refused.reason != "manage.too_many":
            raise
        raise InvalidForm(refused.refusal.message) from None
    application = outcome.after
    secret = outcome.once.get("client_secret")
    shown = (f"client_secret of {application.client_id}", secret) if secret else None
    blocks: list[Block] = [snippets(settings, application, secret) if secret else snippets(settings, application)]
    next_link = [
        ("Try it", address_of("company_report")),
        ("The application", address(application.client_id)),
        ("Reference", paths.DOCS),
    ]
    page = Page(
        application.name, [*blocks, Links("Next", next_link)], "", above=("Your applications", paths.DEVELOPERS)
    )
    text = f"{name} created. Its client_id is {application.client_id}."
    if application.disabled:
        text += " It can get tokens once an operator has enabled it."
    return ActResult(text, shown, page)


LIST = Screen(paths.DEVELOPERS, "Applications", "developer", read_list)
FORM = Screen(
    NEW, "Create", "developer", read_empty, (Act(make_own_application.slug, "developer", create),), listed=False
)
