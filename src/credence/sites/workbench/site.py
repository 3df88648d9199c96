"""The credit workbench as a site of screens."""

from typing import Final

from credence.management import site_applications
from credence.report.render.html import BLOCKS_STYLE
from credence.sites.kit.screen import Site
from credence.sites.workbench.reader import admit
from credence.sites.workbench.table import SCREENS
from credence.store.records import Account


def _how_to_get_in(account: Account) -> str:
    if not account.workbench_for:
        return (
            "You do not have access to the workbench yet. An operator can give you access on the command line: "
            f"credence account workbench {account.username} CLIENT_ID"
        )
    return (
        f"The application {account.workbench_for}, for which you work here, may not do this. The operator of the service "
        "gives scopes to applications, and enables those that are disabled."
    )


WORKBENCH: Final = Site(
    site_applications.WORKBENCH,
    "workbench",
    admit,
    _how_to_get_in,
    SCREENS,
    under=(BLOCKS_STYLE,),
    over=(("credence.sites.workbench", "workbench.css"),),
    script=("credence.sites.workbench", "suggest.js"),
)
