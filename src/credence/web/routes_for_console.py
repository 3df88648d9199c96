"""The rows of the route table for the operator console, made from the table of its screens (D30).

They are served on the address of the management API alone (threats E1), and are not part of its OpenAPI document.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain

from credence import paths
from credence.web.console.screen import Screen
from credence.web.console.screens.table import SCREENS
from credence.web.console.serving import CSV_ENDING, serve
from credence.web.console.sign_in import sign_in, sign_out, signed_in
from credence.web.messages.answer import HTML
from credence.web.routes import ROUTES
from credence.web.routes_for_management import MANAGEMENT
from credence.web.routing.operation import Content, Operation
from credence.web.routing.route import Protection, Route


def _operation(name: str, summary: str) -> Operation:
    return Operation(name, "Console", summary, "A page for operators.", (Content(HTML),))


def _routes(screen: Screen) -> Iterator[Route]:
    endpoint = partial(serve, SCREENS, (*ROUTES, *MANAGEMENT), screen)
    name = f"console{screen.title.replace(' ', '')}"
    methods = ("GET", "POST") if screen.acts else ("GET",)
    yield Route(methods, screen.path, Protection.BROWSER, endpoint, _operation(name, screen.title), any_host=True)
    if screen.export is not None:
        operation = _operation(f"{name}Export", f"{screen.title} as CSV")
        path = f"{screen.path}{CSV_ENDING}"
        yield Route(("GET",), path, Protection.BROWSER, endpoint, operation, any_host=True)


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
    *chain.from_iterable(map(_routes, SCREENS)),
)
