"""The page of settings says all there is to say about each."""

from credence.settings import Settings
from tools.settings_page import render


def test_every_setting_has_a_row_with_its_meaning() -> None:
    rows = [line for line in render().splitlines() if line.startswith("| `CREDENCE_")]
    assert len(rows) == len(Settings.model_fields)
    for row, field in zip(rows, Settings.model_fields.values(), strict=True):
        assert field.description
        assert field.description in row


def test_defaults_and_bounds_are_those_of_the_code() -> None:
    page = render()
    assert (
        "| `CREDENCE_PORT` | `8443` | Port to listen on; 0: any that is free, which `serve` prints. From 0 to 65535. |"
        in page
    )
    assert "| `CREDENCE_ENVIRONMENT` | `sandbox` |" in page
    assert "| `CREDENCE_HTTP` | `false` |" in page
    assert "| `CREDENCE_TLS_KEY` | none |" in page
