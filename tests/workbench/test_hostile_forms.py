"""What the forms of the workbench withstand: values that no person enters, in every field of every act (threats E4)."""

import re
from collections.abc import Collection, Iterator
from urllib.parse import quote_plus

from credence.sites.workbench.site import SCREENS
from tests.console.test_hostile_pages import elements_of
from tests.deployment import Reply
from tests.sign_in.browsing import FORM, landed
from tests.workbench.conftest import HOSTILE, PAGE_BYTES, PLAIN, Desk
from tests.workbench.test_alerts import FELL, with_events
from tests.workbench.test_lists import filled
from tests.workbench.test_readers import path_of

VALUES = {
    "markup": quote_plus(HOSTILE),
    "long": "x" * 10_000,
    "digits": "9" * 5_000,
    "other digits": quote_plus("١٢٣"),
    "negative": "-1",
    "formula": quote_plus("=HYPERLINK(1)"),
    "lines": "a%0D%0ASet-Cookie:%20a=b",
    "half": quote_plus('",\n"'),
    "not utf-8": "%FF%FE",
    "nul": "a%00b",
    "twice": "1&{name}=2",
}

GOOD = {"number": PLAIN, "name": "North", "exposure": "5", "currency": "GBP", "rows": PLAIN}
UNTOUCHED = {"token", "tag", "version"}
ANSWERS = (200, 303, 400, 401, 404, 409, 422)
FEW = 10
"""Fields of a form that is tried field by field."""


def forms_of(page: Reply) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield name and fields of each act of a page, with the values that the page gives them."""
    text = page.body.decode()
    for form in re.findall(r'<form method="post"[^>]*>(.*?)</form>', text, re.DOTALL):
        names = re.findall(r'<(?:input|select|textarea)[^>]* name="([^"]+)"', form)
        values = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
        for act in re.findall(r'name="act" value="([^"]+)"', form):
            yield act, {name: values.get(name, "") for name in names if name != "act"}


def wishes_of(fields: Collection[str]) -> Iterator[tuple[str, Collection[str], str]]:
    """Yield what is sent: each value in all fields, and in each field alone what a number may be read from."""
    for kind, value in VALUES.items():
        yield kind, fields, value
    for name in fields if len(fields) < FEW else ():
        yield f"{name}: digits", [name], VALUES["digits"]


async def test_no_value_in_any_field_is_answered_by_more_than_a_page_that_says_so(desk: Desk) -> None:
    reader = await desk.reader()
    address = await filled(reader)
    await with_events(desk, (PLAIN, FELL))
    wrong: list[object] = []
    for screen in (each for each in SCREENS if each.acts):
        path = path_of(screen.path, address.rpartition("/")[2])
        for act, fields in forms_of(await reader.get(path)):
            given = GOOD | {name: each for name, each in fields.items() if each}
            for kind, names, value in wishes_of(fields):
                changed = set(names) - UNTOUCHED
                pairs = [
                    f"{name}={value.format(name=name) if name in changed else quote_plus(given.get(name, ''))}"
                    for name in fields
                ]
                page = await send(reader, path, "&".join([f"act={act}", *pairs]))
                if page.status not in ANSWERS or len(page.body) > PAGE_BYTES:
                    wrong.append((path, act, kind, page.status, len(page.body)))
                if "img" in elements_of(page) or any("-kept=;" not in each for each in page.cookies):
                    wrong.append((path, act, kind, page.headers))
    assert wrong == []


async def send(reader: Desk, path: str, body: str) -> Reply:
    cookies = "; ".join(f"{name}={value}" for name, value in reader.cookies.items())
    reply = await reader.deployment.send("POST", path, [("Cookie", cookies), FORM], body.encode())
    return await landed(reader.deployment, cookies, reply)
