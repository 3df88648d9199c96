"""The rows of the route table for a site, derived from the table of its screens. OpenAPI documents do not have them."""

from collections.abc import Iterator, Sequence
from functools import partial

from credence.sites.kit.gate import pass_gate
from credence.sites.kit.screen import Site
from credence.sites.kit.serving import CSV_ENDING, serve
from credence.sites.kit.sign_in import begin_sign_in, finish_sign_in, sign_out
from credence.web.messages.answer import HTML
from credence.web.routing.operation import Content, Operation
from credence.web.routing.route import Protection, Route


def routes_of(site: Site, rows: Sequence[Route]) -> tuple[Route, ...]:
    """Return the routes of a site: its sign-in and its screens.

    `rows` are the other routes whose requests the log may contain.
    """
    own = tuple(_routes(site, rows))
    return tuple(_routes(site, (*rows, *own)))  # the log screens also explain requests for screens


def _routes(site: Site, rows: Sequence[Route]) -> Iterator[Route]:
    row = partial(Route, any_host=site.application.apart, setting=site.setting)
    for name, methods, path, endpoint in (
        ("sign in", ("GET",), site.sign_in_path, begin_sign_in),
        ("come back", ("GET",), site.application.signed_in_path, finish_sign_in),
        ("sign out", ("POST",), site.sign_out_path, sign_out),
    ):
        yield row(methods, path, Protection.BROWSER, partial(endpoint, site), _operation(site, name))
    for screen in site.screens:
        endpoint, gate = partial(serve, screen), partial(pass_gate, site, rows, screen)
        taken, operation = ("GET", "POST") if screen.acts else ("GET",), _operation(site, screen.title)
        yield row(taken, screen.path, Protection.PERSON, endpoint, operation, max_body=screen.max_body, gate=gate)
        if screen.export is not None:
            operation = _operation(site, f"{screen.title} export")
            yield row(("GET",), f"{screen.path}{CSV_ENDING}", Protection.PERSON, endpoint, operation, gate=gate)


def _operation(site: Site, summary: str) -> Operation:
    name = f"{site.name}{summary.title().replace(' ', '')}"
    return Operation(name, site.application.name, summary, "A page.", (Content(HTML),))
