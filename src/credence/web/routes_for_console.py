"""The rows of the route table for the operator console, made from the table of its screens (D30).

They are served on the address of the management API alone (threats E1), and are not part of its OpenAPI document.
"""

from functools import partial

from credence import paths
from credence.web.console.screen import Screen
from credence.web.console.screens.table import SCREENS
from credence.web.console.serving import serve
from credence.web.console.sign_in import sign_in, sign_out, signed_in
from credence.web.messages.answer import HTML
from credence.web.routing.operation import Content, Operation
from credence.web.routing.route import Protection, Route


def _operation(name: str, summary: str) -> Operation:
    return Operation(name, "Console", summary, "A page for operators.", (Content(HTML),))


def _route(screen: Screen) -> Route:
    return Route(
        ("GET", "POST") if screen.acts else ("GET",),
        screen.path,
        Protection.BROWSER,
        partial(serve, SCREENS, screen),
        _operation(f"console{screen.title.replace(' ', '')}", screen.title),
        any_host=True,
    )


CONSOLE = (
    Route(
        ("GET",),
        paths.CONSOLE_SIGN_IN,
        Protection.BROWSER,
        sign_in,
        _operation("consoleSignIn", "Sign in"),
        any_host=True,
    ),
    Route(
        ("GET",),
        paths.CONSOLE_SIGNED_IN,
        Protection.BROWSER,
        partial(signed_in, SCREENS),
        _operation("consoleSignedIn", "Come back"),
        any_host=True,
    ),
    Route(
        ("POST",),
        paths.CONSOLE_SIGN_OUT,
        Protection.BROWSER,
        partial(sign_out, SCREENS),
        _operation("consoleSignOut", "Sign out"),
        any_host=True,
    ),
    *map(_route, SCREENS),
)
