"""Which route a path reaches, and with which values (D22, threats P12)."""

import pytest

from credence.web.route_lookup import RouteTable
from credence.web.routing.route import Protection, Route


def route(path: str, *methods: str) -> Route:
    async def nothing() -> None:
        """Never called."""

    return Route(methods or ("GET",), path, Protection.PUBLIC, nothing)


PATHS = (
    "/token",
    "/lists",
    "/lists/{id}",
    "/lists/{id}/companies",
    "/lists/{id}/companies/{number}",
    "/lists/{id}/rules/preview",
    "/lists/{id}/rules/{rule}",
    "/.well-known/server/{path}",
)
TABLE = RouteTable(map(route, PATHS))


@pytest.mark.parametrize(
    ("path", "reached", "values"),
    [
        ("/token", "/token", ()),
        ("/lists", "/lists", ()),
        ("/lists/7", "/lists/{id}", ("7",)),
        ("/lists/7/companies", "/lists/{id}/companies", ("7",)),
        ("/lists/7/companies/01234567", "/lists/{id}/companies/{number}", ("7", "01234567")),
        ("/lists/7/rules/preview", "/lists/{id}/rules/preview", ("7",)),
        ("/lists/7/rules/other", "/lists/{id}/rules/{rule}", ("7", "other")),
        ("/lists/a%2Fb/companies/c%20d", "/lists/{id}/companies/{number}", ("a%2Fb", "c%20d")),
        ("/.well-known/server/a/b", "/.well-known/server/{path}", ("a/b",)),
    ],
)
def test_a_path_reaches_its_route_with_the_encoded_values(path: str, reached: str, values: tuple[str, ...]) -> None:
    found = TABLE.find(path)
    assert found is not None
    assert (found[0].path, found[1]) == (reached, values)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "token",
        "/token/",
        "//token",
        "/lists/7/companies/",
        "/lists//companies",
        "/lists/7/companies/1/2",
        "/lists/7//companies/1",
        "/lists/7/Companies",
        "/lists/7/rules",
        "/lists/7/../8/companies",
        "/lists/7/companies;v=1/1",
        "/.well-known/server/",
    ],
)
def test_no_other_spelling_of_a_path_reaches_a_route(path: str) -> None:
    assert TABLE.find(path) is None


def test_of_several_rows_with_one_path_the_first_is_found() -> None:
    rows = [route(path, method) for path in ("/a", "/a/{b}", "/a/{b}/c") for method in ("GET", "PUT")]
    table = RouteTable(rows)
    for path in ("/a", "/a/1", "/a/1/c"):
        found = table.find(path)
        assert found is not None
        assert found[0].methods == ("GET",)
