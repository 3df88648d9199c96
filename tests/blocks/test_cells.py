"""What a table shortens, and where a long text of it may break."""

import pytest

from credence.blocks.values import Cell


@pytest.mark.parametrize(
    ("text", "is_long"),
    [
        ("crd_sbx_app_vkjbg6ikpuamk25yca6a5uwi2i", True),
        ("vkjbg6ikpuamk25yca6a5uwi2i", True),
        ("CREDENCE_MAX_REVOCATION_STALENESS_SECONDS", False),
        ("access.network_of_application", False),
        ("GET /risk/business/v1/registeredcompanycredit", False),
        ("99999910", False),
    ],
)
def test_an_id_is_shortened_and_a_name_that_people_read_is_whole(text: str, *, is_long: bool) -> None:
    assert Cell(text, code=True).is_long_id is is_long


@pytest.mark.parametrize(
    ("cell", "at"),
    [
        (Cell("GET /developers/applications/{client_id}"), "/"),
        (Cell("/etc/credence/key.pem", code=True), "/"),
        (Cell("access.network_of_application", code=True), "."),
        (Cell("127.0.0.1", code=True), ""),
        (Cell("Ada. Bob"), ""),
    ],
)
def test_a_path_breaks_after_a_slash_and_a_reason_after_its_dot(cell: Cell, at: str) -> None:
    assert cell.breaks_after == at
