"""The screen of the settings: value, source and meaning of each; secrets are masked (D18)."""

import msgspec

from credence.blocks.values import Cell, Table
from credence.management.settings import settings_shown
from credence.sites.kit.lists import search_of
from credence.sites.kit.screen import Page, Screen, Visit


async def read(visit: Visit) -> Page:
    """Return the settings that match the search; the values can be copied as environment variables."""
    wanted = visit.parameter("q").casefold()
    rows = []
    for each in settings_shown(visit.service.settings):
        name, value, source = f"CREDENCE_{str(each['setting']).upper()}", _text(each["value"]), str(each["source"])
        if wanted and wanted not in f"{name} {value} {each['description']}".casefold():
            continue
        rows.append(
            [
                Cell(name, code=True),
                Cell(value, code=bool(value)),
                Cell("default") if source == "default" else Cell("set", tone="good"),
                Cell(str(each["description"]).replace("`", "")),
            ]
        )
    table = Table("Every setting", ("Variable", "Value", "Origin", "Meaning"), rows, "No setting matches.")
    return Page(
        "Settings",
        [search_of(visit, "Find a setting"), table],
        "credence config show",
        lead="Settings are read when the service starts. They cannot be changed here.",
    )


def _text(value: object) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if not isinstance(value, dict) else msgspec.json.encode(value).decode()


SETTINGS = Screen("/console/settings", "Settings", "operator", read)
