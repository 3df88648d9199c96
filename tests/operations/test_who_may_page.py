"""`docs/who-may.md` names the route of each operation, also where the route is written by hand."""

from credence.operations.operation import Operation
from credence.operations.table import OPERATIONS
from tools.who_may_page import render


def test_the_page_names_every_route_of_an_operation() -> None:
    page = render()
    made = {
        f"{each.method} {each.on.base}/{each.path}" for each in OPERATIONS if each.api and isinstance(each, Operation)
    }
    parts = [each.by_hand_at.split(" ") for each in OPERATIONS if isinstance(each, Operation) and each.by_hand_at]
    by_hand = {f"{method} /monitoring/v1/{path}" for method, path in parts}
    assert by_hand
    assert [route for route in sorted(made | by_hand) if f"`{route}`" not in page] == []
